"""The C side: examples/c is compiled as its README says, and every header is accepted by strict C and C++ compilers."""

import pathlib
import shutil
import subprocess

import pytest

import numptx
from compilation import ROOT, compile_file

EXAMPLE = ROOT / "examples" / "c"
RUNTIME = pathlib.Path(numptx.__file__).parent

STRICT = ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-pedantic", "-Werror"]

# Names that Python allows and C does not, every scalar, tuples, overloads, and no parameter at all.
AWKWARD = '''
import numpy as np

#numptx export names(int, int, int, float64[:], float64[:,:] order(C))
def names(default, double, default_, results, error):
    results[0] = default + double + default_ + error[0, 0]

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


def compiler(name):
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"no {name} here")
    return found


def run(*command, **rest):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, **rest)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("c")
    compile_file(EXAMPLE / "kernels.py", folder)
    return folder


def linked(folder, program):
    return ["-I", folder, "-o", program, folder / "kernels.so", "-L", RUNTIME, "-lnumptx_runtime", "-Wl,-rpath,$ORIGIN", f"-Wl,-rpath,{RUNTIME}"]


@pytest.mark.parametrize("language", [["cc", "-std=c99"], ["cc", "-std=c11"], ["c++", "-x", "c++", "-std=c++11"]], ids=["C99", "C11", "C++11"])
def test_the_example_runs(folder, language):
    program = folder / f"example-{language[-1][5:]}"
    reset = ["-x", "none"] if "-x" in language else []
    run(compiler(language[0]), *language[1:], *STRICT, EXAMPLE / "main.c", *reset, *linked(folder, program))
    assert run(program) == "the C example passed\n"


@pytest.mark.parametrize("language", [["cc", "-std=c99"], ["c++", "-x", "c++", "-std=c++20"]], ids=["C99", "C++20"])
def test_headers_of_awkward_programs_are_accepted(tmp_path, language):
    (tmp_path / "awkward.py").write_text(AWKWARD)
    compile_file(tmp_path / "awkward.py", tmp_path)
    source = tmp_path / "use.c"
    source.write_text('#include "awkward.h"\n#include "awkward.h"\nint main(void) { return 0; }\n')
    run(compiler(language[0]), *language[1:], *STRICT, "-Wno-unused-function", "-fsyntax-only", source)


def test_the_library_leaves_no_buffer_behind(folder):
    """The example under the runtime's own account of buffers: NUMPTX_CHECK_LEAKS=1 makes a call that keeps one fail."""
    program = folder / "checked"
    run(compiler("cc"), EXAMPLE / "main.c", *linked(folder, program))
    assert run(program, env={"NUMPTX_CHECK_LEAKS": "1"}) == "the C example passed\n"
