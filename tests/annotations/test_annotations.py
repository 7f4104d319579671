"""What type checkers make of the package: its stub and its module do not differ, right programs pass, wrong ones are found.

mypy and pyright are asked; one that is not there is skipped, but mypy has to be there where `CI` is set.
"""

import importlib.util
import json
import os
import pathlib
import re
import shutil
import site
import subprocess
import sys

import pytest

import numptx

HERE = pathlib.Path(__file__).parent
# Where the package lies that these tests import; checkers find those in `site-packages` themselves.
ROOT = pathlib.Path(numptx.__file__).parent.parent
IS_INSTALLED = str(ROOT) in site.getsitepackages()
# A function whose stub is checked with it.
KERNELS = '''import numpy as np

#numptx export scaled(float64[:], float64)
#numptx export scaled(float32[:], float64)
def scaled(x, by):
    return x * by

#numptx export joined(float64[:], float64[:,:], int)
#numptx export joined(float64[:], float64[:,:], float)
def joined(x, y, n):
    return y + x * n

#numptx export total(float64[:])
def total(x):
    return float(np.sum(x))

#numptx export largest(float64[:])
def largest(x):
    return np.max(x)

#numptx export parts((float64[:], int))
def parts(pair):
    return pair[0] * pair[1], pair[1]

#numptx export measured(float64[:], str)
def measured(x, how):
    if how == "sum":
        return np.sum(x)
    return np.max(x)

#numptx export number(int)
def number(n):
    return n + 1
'''
KERNEL_USES = '''from typing import assert_type

import numpy as np
from numpy.typing import NDArray

import kernels
import numptx
from numptx.typing import ArrayProducer


def arrays_of_numpy(x: NDArray[np.float64], x32: NDArray[np.float32], y: NDArray[np.float64]) -> None:
    assert_type(kernels.scaled(x, 2.0), NDArray[np.float64])
    assert_type(kernels.scaled(x32, 2), NDArray[np.float64])
    assert_type(kernels.joined(x, y, 3), NDArray[np.float64])
    assert_type(kernels.total(x), float)
    assert_type(kernels.parts((x, 3)), tuple[NDArray[np.float64], int])
    assert_type(kernels.number(3), int)


def arrays_of_numptx(a: numptx.Array, x: NDArray[np.float64]) -> None:
    assert_type(kernels.scaled(a, 2.0), numptx.Array)
    assert_type(kernels.joined(a, a, 0.5), numptx.Array)
    assert_type(kernels.largest(a), numptx.Array)
    assert_type(kernels.total(a), float)
    assert_type(kernels.parts((a, 3)), tuple[numptx.Array, int])
    kernels.joined(a, x, 3).to_host()
    kernels.joined(x, a, 3)


def arrays_of_others(t: ArrayProducer, x: NDArray[np.float64]) -> None:
    kernels.scaled(t, 2.0)
    kernels.joined(t, x, 3)
    assert_type(kernels.total(t), float)


def wrong_dtype(x: NDArray[np.int8]) -> None:
    kernels.scaled(x, 2.0)  # error


def wrong_scalar(x: NDArray[np.float64]) -> None:
    kernels.scaled(x, "2")  # error


def wrong_array() -> None:
    kernels.total([1.0, 2.0])  # error
'''


def has(module):
    """Whether a checker is asked. pyright is a program of npm's, which its package fetches when it is first called: that may fail."""
    is_installed = importlib.util.find_spec(module) is not None
    if module != "pyright":
        return is_installed or "CI" in os.environ
    try:
        return is_installed and run(module, "--version", cwd=HERE).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def environment(*folders):
    """Without what would lead to other packages."""
    paths = [*map(str, folders), *([] if IS_INSTALLED else [str(ROOT)])]
    return {**{name: value for name, value in os.environ.items() if name != "PYTHONPATH"}, "MYPYPATH": os.pathsep.join(paths)}


def run(*command, cwd, **options):
    return subprocess.run([sys.executable, "-m", *map(str, command)], cwd=cwd, capture_output=True, text=True, timeout=300, **options)


def by_mypy(path, folder):
    """`{line: message}` of what mypy finds in a file; what it finds elsewhere is wrong. The tests share what it knows of NumPy."""
    options = ["--strict", "--no-error-summary", "--no-pretty", "--show-error-codes", "--cache-dir", folder.parent / "mypy-cache"]
    done = run("mypy", *options, path, cwd=folder, env=environment(path.parent))
    assert done.returncode in (0, 1), done.stdout + done.stderr
    found = {}
    for line in done.stdout.splitlines():
        parts = re.match(r"(.*?):(\d+): error: (.*)", line)
        if parts:
            assert pathlib.Path(folder, parts[1]).resolve() == path.resolve(), line
            found[int(parts[2])] = parts[3]
    assert found or done.returncode == 0, done.stdout
    return found


def by_pyright(path, folder):
    """The same of pyright."""
    settings = {"include": [str(path), *map(str, path.parent.glob("*.pyi"))], "extraPaths": [str(path.parent), str(ROOT)], "typeCheckingMode": "standard"}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    done = run("pyright", "-p", folder, "--pythonpath", sys.executable, "--outputjson", cwd=folder, env={**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"})
    assert done.returncode in (0, 1), done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert report["summary"]["filesAnalyzed"] > 0, done.stdout
    found = {}
    for problem in report["generalDiagnostics"]:
        if problem["severity"] == "error":
            assert pathlib.Path(problem["file"]).resolve() == path.resolve(), problem
            found[problem["range"]["start"]["line"] + 1] = problem["message"]
    return found


CHECKERS = [
    pytest.param(check, id=name, marks=pytest.mark.skipif(not has(name), reason=f"{name} is not there"))
    for name, check in [("mypy", by_mypy), ("pyright", by_pyright)]
]


def marked(path):
    return {number for number, line in enumerate(path.read_text().splitlines(), 1) if line.endswith("# error")}


@pytest.mark.parametrize("check", CHECKERS)
@pytest.mark.parametrize("name", ["uses.py", "misuses.py"])
def test_right_programs_pass_and_wrong_lines_are_found(check, name, tmp_path):
    path = tmp_path / name
    shutil.copy(HERE / name, path)
    found = check(path, tmp_path)
    assert set(found) == marked(path), found


@pytest.mark.parametrize("check", CHECKERS)
def test_stubs_of_compiled_modules_know_numpy_s_arrays_and_numptx_s_and_others(check, workshop, tmp_path):
    library = workshop.library(workshop.written(KERNELS, "kernels"), ["--host-only"])
    (tmp_path / "kernels.pyi").write_text(library.with_name("kernels.pyi").read_text())
    path = tmp_path / "kernel_uses.py"
    path.write_text(KERNEL_USES)
    found = check(path, tmp_path)
    assert set(found) == marked(path), found


@pytest.mark.skipif(not has("mypy"), reason="mypy is not installed")
def test_the_package_is_typed(tmp_path):
    options = ["--strict", "--cache-dir", tmp_path.parent / "mypy-cache", "--ignore-missing-imports"]
    done = run("mypy", *options, "-p", "numptx", cwd=tmp_path, env=environment())
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(not has("mypy"), reason="mypy is not installed")
def test_the_stub_and_the_module_do_not_differ(tmp_path):
    allowed = tmp_path / "allowed"
    # The table for compiled modules is no business of Python's; the buffer protocol has names in Python from 3.12 on.
    names = ["_native.__all__", "_native._C_API", "_native.Array.__buffer__", "_native.Array.__release_buffer__"]
    allowed.write_text("".join(f"numptx.{name}\n" for name in names))
    options = ["--allowlist", allowed, "--ignore-unused-allowlist"]
    done = run("mypy.stubtest", "numptx._native", *options, cwd=tmp_path, env={**environment(), "PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done.stdout + done.stderr


def test_types_cost_programs_nothing():
    """The module of types is for annotations, and is not imported with the package."""
    code = "import sys, numptx; assert 'numptx.typing' not in sys.modules; import numptx.typing; assert numptx.typing.ArrayProducer"
    done = run("timeit", "-n1", "-r1", code, cwd=HERE)
    assert done.returncode == 0, done.stderr
