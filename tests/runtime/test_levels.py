"""A library runs on every processor that it was made for, with the code for the best of these, and on every glibc from 2.28 on."""

import math
import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

import elf_files
from compilation import Refused, compile_file
from subprocesses import run_python

pytestmark = pytest.mark.skipif("config.getoption('--device') != 'cpu'", reason="of host code")

SOURCE = '''
import math
import numpy as np

#numptx export waves(float64[:])
#numptx export waves(float32[:])
def waves(x):
    return np.exp(np.sin(x)) + np.tanh(x) * np.hypot(x, np.log(x + 2))

#numptx export dot(float64[:], float64[:])
def dot(x, y):
    return np.dot(x, y)

#numptx export running(float64[:])
def running(x):
    return np.cumsum(x)

#numptx export fibonacci(int)
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

#numptx export collatz(int)
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps

#numptx export power(float, float)
def power(x, y):
    return math.fmod(x ** y, 3.0) + math.lgamma(x)

#numptx export relax(float64[:], int)
def relax(x, steps):
    for _ in range(steps):
        x[1:-1] = (x[:-2] + x[2:]) / 2
'''

# Calls everything, and prints whether the processor's code rounds products of sums once.
PROGRAM = """
import importlib.util, math, sys
import numpy as np

def load(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

kernels = load("kernels", sys.argv[1])
x = np.linspace(0.1, 9, 1003)
for dtype, far in ((np.float64, 1e-13), (np.float32, 1e-5)):
    y = x.astype(dtype)
    want = np.exp(np.sin(y)) + np.tanh(y) * np.hypot(y, np.log(y + 2))
    assert np.allclose(kernels.waves(y), want, rtol=far, atol=far)
    assert np.allclose(kernels.waves(y[::-1]), want[::-1], rtol=far, atol=far)
assert np.isclose(kernels.dot(x, x), np.dot(x, x), rtol=1e-13)
assert np.allclose(kernels.running(x), np.cumsum(x), rtol=1e-13)
assert (kernels.fibonacci(15), kernels.collatz(27)) == (610, 111)
assert math.isclose(kernels.power(2.5, 3.5), math.fmod(2.5 ** 3.5, 3.0) + math.lgamma(2.5), rel_tol=1e-13)
y = x.copy()
kernels.relax(y, 3)
for _ in range(3):
    x[1:-1] = (x[:-2] + x[2:]) / 2
assert np.allclose(x, y, rtol=1e-15)
# The difference of a product and what it is rounded to, which a fused operation sees.
a = np.full(64, 1 + 2.0 ** -30)
print("fused" if kernels.dot(np.r_[-(a * a), a], np.r_[np.ones(64), a]) != 0 else "rounded")
"""

LEVELS = ["x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"]


def has_fma():
    return re.search(r"^flags.*\bfma\b", pathlib.Path("/proc/cpuinfo").read_text(), re.M) is not None


@pytest.fixture(scope="module")
def library(workshop):
    return workshop.library(workshop.written(SOURCE), ("--cpu", "portable"))


@pytest.mark.parametrize("level, wanted", [("x86-64-v2", "rounded"), ("x86-64-v3", "fused"), ("", "fused")])
def test_the_best_level_is_chosen_and_the_environment_lowers_it(library, level, wanted):
    said = run_python(PROGRAM, str(library), environment={"NUMPTX_CPU_LEVEL": level})
    assert said.strip() == (wanted if has_fma() else "rounded")


@pytest.mark.parametrize("cpu", ["x86-64", "x86-64-v2", "native"])
def test_one_level_is_a_library_too(workshop, cpu):
    run_python(PROGRAM, str(workshop.library(workshop.written(SOURCE), ("--host-only", "--cpu", cpu))))


def test_a_level_that_the_processor_lacks_is_an_import_error_that_names_it(workshop):
    library = workshop.library(workshop.written(SOURCE), ("--host-only", "--cpu", "x86-64-v3"))
    text = """
        import importlib.util, sys
        spec = importlib.util.spec_from_file_location("kernels", sys.argv[1])
        for _ in range(2):
            try:
                importlib.util.module_from_spec(spec)
            except ImportError as error:
                print(error)
    """
    said = run_python(text, str(library), environment={"NUMPTX_CPU_LEVEL": "x86-64-v2"}).splitlines()
    missing = "avx, avx2, bmi, bmi2, f16c, fma, lzcnt, movbe"
    assert said == [
        f"module `kernels` was compiled with `--cpu x86-64-v3`, and this processor lacks {missing}; "
        "compile it with `--cpu portable`, the default"
    ] * 2


def test_a_level_that_is_none_is_refused_by_name(library):
    text = """
        import importlib.util, sys
        try:
            importlib.util.module_from_spec(importlib.util.spec_from_file_location("kernels", sys.argv[1]))
        except ImportError as error:
            print(error)
    """
    said = run_python(text, str(library), environment={"NUMPTX_CPU_LEVEL": "386"})
    assert said.strip() == f"NUMPTX_CPU_LEVEL is `386`; it may be {', '.join(LEVELS)}"


@pytest.mark.parametrize("cpu", ["portable", *LEVELS, "native"])
def test_a_library_needs_the_c_library_alone_in_a_version_of_2_28_at_most(workshop, cpu):
    library = elf_files.Library(workshop.library(workshop.written(SOURCE), ("--host-only", "--cpu", cpu)))
    assert library.needed() == ["libc.so.6"]
    assert library.undefined() <= {"memcpy", "memmove", "memset", "memcmp", "bcmp"}
    assert elf_files.glibc(library.versions().get("libc.so.6", ())) <= (2, 28)


def test_a_library_that_calls_nothing_names_the_c_library_too(workshop):
    source = "#numptx export twice(int)\ndef twice(n):\n    return 2 * n\n"
    assert elf_files.Library(workshop.library(workshop.written(source))).needed() == ["libc.so.6"]


def test_the_symbols_of_levels_are_nobody_else_s(library):
    exported = subprocess.run(["readelf", "--dyn-syms", "-W", library], capture_output=True, text=True, check=True).stdout
    assert "x86-64" not in exported and ".math." not in exported


def test_a_machine_without_vector_versions_calls_function_by_function(library, tmp_path):
    """The library's own stand-ins: glibc 2.28 lacks the vector versions of tanh and hypot; here all are missing."""
    empty = tmp_path / "empty.c"
    empty.write_text("")
    subprocess.run(["cc", "-shared", "-Wl,-soname,libmvec.so.1", empty, "-o", tmp_path / "libmvec.so.1"], check=True)
    for level in ("x86-64-v2", "x86-64-v3", ""):
        run_python(PROGRAM, str(library), environment={"LD_LIBRARY_PATH": str(tmp_path), "NUMPTX_CPU_LEVEL": level})


def test_a_stand_in_gives_what_the_function_gives(workshop, tmp_path):
    source = "import numpy as np\n#numptx export f(float64[:])\ndef f(x):\n    return np.tanh(x)\n"
    library = workshop.library(workshop.written(source))
    empty = tmp_path / "empty.c"
    empty.write_text("")
    subprocess.run(["cc", "-shared", "-Wl,-soname,libmvec.so.1", empty, "-o", tmp_path / "libmvec.so.1"], check=True)
    text = """
        import importlib.util, math, sys
        import numpy as np
        spec = importlib.util.spec_from_file_location("kernels", sys.argv[1])
        kernels = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(kernels)
        x = np.linspace(-3, 3, 999)
        assert kernels.f(x).tolist() == [math.tanh(v) for v in x]
    """
    run_python(text, str(library), environment={"LD_LIBRARY_PATH": str(tmp_path)})


def test_a_processor_is_named_or_refused(workshop, tmp_path):
    path = workshop.written(SOURCE)
    with pytest.raises((Refused, RuntimeError), match="portable, native, x86-64"):
        compile_file(path, tmp_path, ("--cpu", "z80"))


@pytest.mark.skipif(shutil.which("qemu-x86_64") is None, reason="no qemu-x86_64 here: install qemu-user")
@pytest.mark.parametrize("processor, wanted", [("Nehalem", "rounded"), ("Haswell", "fused")])
def test_old_processors_import_and_run(library, processor, wanted):
    command = ["qemu-x86_64", "-cpu", processor, sys.executable, "-c", PROGRAM, str(library)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout.strip()) == (0, wanted), done.stderr


@pytest.mark.skipif(shutil.which("qemu-x86_64") is None, reason="no qemu-x86_64 here: install qemu-user")
def test_a_processor_that_lacks_what_a_library_needs_says_so(workshop):
    library = workshop.library(workshop.written(SOURCE), ("--host-only", "--cpu", "x86-64-v3"))
    command = ["qemu-x86_64", "-cpu", "Nehalem", sys.executable, "-c", PROGRAM, str(library)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 1
    assert "ImportError: module `kernels` was compiled with `--cpu x86-64-v3`, and this processor lacks avx, avx2" in done.stderr
