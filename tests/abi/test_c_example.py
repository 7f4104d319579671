"""The C side: examples/c is compiled as its README says, and every header is accepted by strict C and C++ compilers."""

import pytest

from c_compiler import LIBRARIES, STRICT, compiler, run
from compilation import ROOT, compile_file

EXAMPLE = ROOT / "examples" / "c"

STRICTER = [*STRICT, "-Wconversion", "-Wshadow"]

# Names that Python allows and C does not, every scalar, tuples, overloads, and no parameter at all.
AWKWARD = '''
import numpy as np

#numptx export names(int, int, int, float64[:], float64[:,:] order(C))
def names(default, double, default_, results, error):
    results[0] = default + double + default_ + error[0, 0]

#numptx export macros(int, int, int, int, int, int, float64[:])
def macros(EOF, NULL, errno, stdin, I, assert_, bool):
    return bool[0] + EOF + NULL + errno + stdin + I + assert_

#numptx export underscores(int, int, int, int)
def underscores(_, _Bool, __x, a__b):
    return _ + _Bool + __x + a__b

#numptx export _hidden(int, int, int, int, int, int)
def _hidden(template, this, new, operator, co_await, char8_t):
    return template + this + new + operator + co_await + char8_t

#numptx export short(str, int)
def short(mode, arguments):
    return arguments

#numptx export scalars(bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64, complex128)
def scalars(a, b, c, d, e, f, g, h, i, j, k, l, m):
    return not a, -b, -c, -d, -e, f, g, h, i, -j, -k, -l, -m

#numptx export pair((float64[:], int), None)
#numptx export pair((float64[:], float), None)
def pair(p, nothing):
    return p[0] * p[1]

#numptx export pair_2()
def pair_2():
    return np.arange(3)
'''

# Headers that define what a name of Python may be.
BEFORE = "#include <complex.h>\n#include <errno.h>\n#include <math.h>\n#include <stdio.h>\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("c")
    compile_file(EXAMPLE / "kernels.py", folder)
    compile_file(EXAMPLE / "kernels.py", folder, ["--static"])
    return folder


def linked(folder, program):
    return ["-I", folder, "-o", program, folder / "kernels.so", *LIBRARIES, "-Wl,-rpath,$ORIGIN"]


@pytest.mark.parametrize("language", [["cc", "-std=c99"], ["cc", "-std=c11"], ["c++", "-x", "c++", "-std=c++11"]], ids=["C99", "C11", "C++11"])
def test_the_example_runs(folder, language):
    program = folder / f"example-{language[-1][5:]}"
    reset = ["-x", "none"] if "-x" in language else []
    run(compiler(language[0]), *language[1:], *STRICTER, EXAMPLE / "main.c", *reset, *linked(folder, program))
    assert run(program) == "the C example passed\n"


def test_the_example_runs_linked_statically(folder):
    run(compiler("cc"), EXAMPLE / "main.c", "-I", folder, "-o", folder / "static", folder / "kernels.a", *LIBRARIES)
    assert run(folder / "static") == "the C example passed\n"
    # The program needs no other file of the module's.
    assert "kernels" not in run("ldd", folder / "static")


@pytest.mark.parametrize("flags", [[], ["-no-pie", "-fno-pie"]], ids=["by default", "at fixed addresses"])
def test_the_library_s_own_descriptor_is_bound(folder, flags):
    """A program at fixed addresses gets copies of the data of libraries that it names, and the library would not see what is written to them."""
    program = folder / f"addresses-{len(flags)}"
    run(compiler("cc"), *flags, EXAMPLE / "main.c", *linked(folder, program))
    assert run(program) == "the C example passed\n"


@pytest.mark.parametrize(
    "language", [["cc", "-std=c99"], ["cc", "-std=c11"], ["c++", "-x", "c++", "-std=c++17"], ["c++", "-x", "c++", "-std=c++20"]], ids=["C99", "C11", "C++17", "C++20"]
)
def test_headers_of_awkward_programs_are_accepted(tmp_path, language):
    (tmp_path / "awkward.py").write_text(AWKWARD)
    compile_file(tmp_path / "awkward.py", tmp_path)
    source = tmp_path / "use.c"
    source.write_text(BEFORE + '#include "awkward.h"\n#include "awkward.h"\nint main(void) { return 0; }\n')
    run(compiler(language[0]), *language[1:], *STRICTER, "-Wno-unused-function", "-fsyntax-only", source)


def test_names_that_c_reserves_are_written_otherwise(tmp_path):
    (tmp_path / "_kernels.py").write_text(AWKWARD)
    compile_file(tmp_path / "_kernels.py", tmp_path)
    header = (tmp_path / "_kernels.h").read_text()
    assert "module_u_kernels_macros(int64_t EOF_, int64_t NULL_, int64_t errno_, int64_t stdin_, int64_t I_, int64_t assert_u_, numptx_argument bool_," in header
    assert "module_u_kernels_underscores(int64_t u_u_, int64_t u_Bool_, int64_t u_u_x_, int64_t a_u_b_," in header
    assert "module_u_kernels_u_hidden(int64_t template_, " in header


def test_the_header_says_what_results_are(folder):
    header = (folder / "kernels.h").read_text()
    assert "/* saxpy(float32, float32[:], float32[:])\n     results[0]: array of float32, 1 axis\n" in header
    assert "/* window(float64[:, :], int, int)\n     results[0]: array of float64, 2 axes\n" in header
    statistics = "     results[0]: float64, one number: numptx_get_float64\n     results[1]: float64, one number: numptx_get_float64\n"
    assert f"/* statistics(float64[:])\n{statistics}" in header


def test_the_library_leaves_no_buffer_behind(folder):
    """The example under the runtime's own account of buffers: NUMPTX_CHECK_LEAKS=1 makes a call that keeps one fail."""
    program = folder / "checked"
    run(compiler("cc"), EXAMPLE / "main.c", *linked(folder, program))
    assert run(program, env={"NUMPTX_CHECK_LEAKS": "1"}) == "the C example passed\n"
