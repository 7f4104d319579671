"""What C passes is checked at the call: what cannot be is a status with the argument's name, for every dtype, and nothing is written."""

import re
import subprocess

import pytest

from c_compiler import LIBRARIES, STRICT, compiler, run, run_program
from compilation import compile_file

DTYPES = {
    "bool": "bool",
    "int8": "int8_t",
    "int16": "int16_t",
    "int32": "int32_t",
    "int64": "int64_t",
    "uint8": "uint8_t",
    "uint16": "uint16_t",
    "uint32": "uint32_t",
    "uint64": "uint64_t",
    "float32": "float",
    "float64": "double",
    "complex64": "numptx_complex64",
    "complex128": "numptx_complex128",
    "float16": "numptx_float16",
}

KERNELS = "".join(f"#numptx export first_{name}({name}[:])\ndef first_{name}(x):\n    return x[1:]\n\n" for name in DTYPES) + '''
#numptx export scale(float32[:,:], float)
def scale(x, by):
    x[...] = x * by

#numptx export total(float64[:])
def total(x):
    return x.sum()
'''

# Each function of `first_*` gets an array of each dtype: 1 is printed where it is taken.
TABLE = f"""
static void row(const char *name, int32_t (*f)(numptx_argument, numptx_value *, const numptx_options *, numptx_error *)) {{
    _Alignas(16) unsigned char bytes[64] = {{0}};
    numptx_argument given[] = {{{", ".join(f"numptx_{name}_vector(({c} *)bytes, 3)" for name, c in DTYPES.items())}}};
    for (unsigned n = 0; n < sizeof given / sizeof *given; n++) {{
        numptx_error error;
        numptx_value result[1];
        int32_t status = f(given[n], result, NULL, &error);
        if (status == 0) {{
            printf("%s took %u: dtype %u, %d elements\\n", name, n, result[0].dtype, (int)result[0].array.shape[0]);
            numptx_release(&result[0]);
        }} else if (status != NUMPTX_TYPE_ERROR) {{
            printf("%s: %s\\n", name, error.message);
        }}
    }}
}}
"""

WRONG = """
static void say(int32_t status, const numptx_error *error) { printf("%d %s\\n", status, status ? error->message : ""); }

static void wrong(void) {
    numptx_error error;
    numptx_value result[1];
    _Alignas(16) float x[12] = {0};
    _Alignas(16) double y[12] = {0};
    const int64_t shape[17] = {3, 4}, negative[2] = {3, -4}, huge[2] = {INT64_MAX / 2, 3}, apart[2] = {INT64_MAX / 2, 4};
    say(kernels_scale(numptx_float64_array(y, 2, shape), 2, NULL, &error), &error);
    say(kernels_scale(numptx_float32_array(x, 3, shape), 2, NULL, &error), &error);
    say(kernels_scale(numptx_float32_array(x, 17, shape), 2, NULL, &error), &error);
    say(kernels_scale(numptx_float32_array(x, UINT32_MAX - 1, shape), 2, NULL, &error), &error);
    say(kernels_scale(numptx_float32_array(x, 2, NULL), 2, NULL, &error), &error);
    say(kernels_scale(numptx_float32_array(NULL, 2, shape), 2, NULL, &error), &error);
    say(kernels_scale(numptx_float32_array(x, 2, negative), 2, NULL, &error), &error);
    say(kernels_scale(numptx_float32_array(x, 2, huge), 2, NULL, &error), &error);
    say(kernels_scale(numptx_strided(numptx_float32_array(x, 2, shape), apart), 2, NULL, &error), &error);
    say(kernels_scale(numptx_const_float32_array(x, 2, shape), 2, NULL, &error), &error);
    numptx_argument unset = {0}, crooked = numptx_float32_array(x, 2, shape);
    say(kernels_scale(unset, 2, NULL, &error), &error);
    crooked.data = (char *)x + 1;
    say(kernels_scale(crooked, 2, NULL, &error), &error);
    crooked.dtype = 99;
    say(kernels_scale(crooked, 2, NULL, &error), &error);
    say(kernels_total(numptx_float64_vector(y, 12), NULL, NULL, &error), &error);
    /* Nobody asks for words. */
    printf("%d\\n", kernels_total(numptx_float32_vector(x, 12), result, NULL, NULL));
    /* Nothing was written, and what is right is done. */
    for (int n = 0; n < 12; n++) x[n] = (float)n;
    say(kernels_scale(numptx_float32_array(x, 2, shape), 2, NULL, &error), &error);
    printf("%g %g\\n", (double)x[0], (double)x[11]);
    say(kernels_total(numptx_float64_vector(NULL, 0), result, NULL, &error), &error);
    printf("%g\\n", numptx_get_float64(&result[0]));
    numptx_release(&result[0]);
}
"""

MAIN = f"""#include <stdio.h>
#include "kernels.h"
{TABLE}{WRONG}
int main(void) {{
{"".join(f'    row("{name}", kernels_first_{name});' + chr(10) for name in DTYPES)}    wrong();
    return 0;
}}
"""

SAID = """\
5 argument 1 `x`: expected float32[:, :], got float64[3, 4]
5 argument 1 `x`: expected float32[:, :], got float32[3, 4, 0]
1 argument 1 `x`: 17 axes, and arrays have at most 16
1 argument 1 `x`: 4294967294 axes, and arrays have at most 16
1 argument 1 `x`: its shape is NULL
1 argument 1 `x`: its elements are at NULL
1 argument 1 `x`: axis 1 has a negative extent, -4
1 argument 1 `x`: shape (4611686018427387903, 3) takes more bytes than there are addresses
1 argument 1 `x`: shape (3, 4) takes more bytes than there are addresses
1 assignment destination is read-only: the function writes to its argument 1
5 argument 1 `x`: expected float32[:, :], got nothing: the argument was not set
1 argument 1 `x`: its elements at ADDRESS are not aligned to 4 bytes
1 argument 1 `x`: no dtype has the code 99
1 `results` is NULL, and the function has 1
5
0 
0 22
0 
0
""".splitlines()


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """The lines of a program that passes what is right and what is not."""
    folder = tmp_path_factory.mktemp("arguments")
    (folder / "kernels.py").write_text(KERNELS)
    library = compile_file(folder / "kernels.py", folder)
    (folder / "main.c").write_text(MAIN)
    run(compiler("cc"), "-std=c11", *STRICT, folder / "main.c", library, "-o", folder / "main", *LIBRARIES, f"-Wl,-rpath,{folder}")
    return run_program(folder / "main").splitlines()


def test_each_dtype_is_taken_by_its_own_functions_alone(said):
    expected = [f"{name} took {n}: dtype {n}, 2 elements" for n, name in enumerate(DTYPES)]
    assert said[: len(DTYPES)] == expected


def test_what_cannot_be_is_a_status_with_words(said):
    found = [re.sub(r"at 0x[0-9a-f]+", "at ADDRESS", line) for line in said[len(DTYPES) :]]
    assert found == SAID


def test_a_pointer_to_another_type_is_the_c_compiler_s_to_refuse(tmp_path):
    (tmp_path / "kernels.py").write_text(KERNELS)
    compile_file(tmp_path / "kernels.py", tmp_path)
    (tmp_path / "main.c").write_text('#include "kernels.h"\nint main(void) { float x[3]; return numptx_float64_vector(x, 3).device; }\n')
    done = subprocess.run([compiler("cc"), *STRICT, "-fsyntax-only", tmp_path / "main.c"], capture_output=True, text=True)
    assert done.returncode != 0 and "incompatible pointer type" in done.stderr
