"""What a process does to calls of compiled code: Ctrl-C, fork, no GPU, and other interpreters than the one that runs these tests."""

import os
import pathlib
import shutil
import subprocess
import sys
import threading

import numpy as np
import pytest

import numptx
from compilation import ROOT
from interruption import control_c
from subprocesses import run_python

SOURCE = '''"""Doubles."""
import numpy as np

#numptx export double(float64[:])
def double(x):
    return x + x

#numptx export tail(float64[:])
def tail(x):
    return x[1:]

#numptx export collatz(int)
def collatz(n):
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
    return n

#numptx export grind(float64[:], int)
def grind(x, n):
    for i in range(x.shape[0]):
        s = 0.0
        for j in range(n):
            s += (x[i] + j) * 0.5
        x[i] = s

#numptx export relax(float64[:], int)
def relax(x, steps):
    for _ in range(steps):
        x[1:-1] = (x[:-2] + x[2:]) / 2

#numptx export sweep(float64[:], int)
def sweep(x, n):
    for k in range(n):
        for i in range(1, x.shape[0]):
            x[i] = x[i] * 0.5 + x[i - 1] * 0.25

#numptx export gather(float64[:], int64[:], int)
def gather(x, at, n):
    for k in range(n):
        x[at[k % 4]] = x[at[(k + 1) % 4]] * 0.5 + 1.0

#numptx export mix(int64[:], int64[:], int)
def mix(x, at, n):
    for k in range(n):
        x[at[k % 4]] = x[at[(k + 1) % 4]] * 3 + k

#numptx export settle(float64[:])
def settle(x):
    v = x[0]
    while v >= 0.0:
        x[1] = v
        v = 3.9 * v * (1.0 - v)
    x[0] = v

#numptx export fib(int)
def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)

#numptx export halve(float64[:], int)
def halve(x, n):
    if n == 0:
        return 0.0
    x[n % 2] *= 0.5
    return halve(x, n - 1) + halve(x, n - 1) + x[0]
'''
INTERPRETERS = ["3.11", "3.12", "3.13"]


@pytest.fixture(scope="module")
def library(workshop):
    return workshop.library(workshop.written(SOURCE, "doubles"))


# Not `eval` of a text: CPython notes a KeyboardInterrupt that leaves one as unhandled, and exits with status 130 at the end.
@pytest.mark.parametrize("name, arguments", [("collatz", (0,)), ("relax", (np.arange(1000.0), 2**62))])
def test_control_c_ends_a_call_that_would_not_end(name, arguments, workshop):
    doubles = workshop.pair(SOURCE, "doubles")[0]
    with pytest.raises(KeyboardInterrupt), control_c():
        getattr(doubles, name)(*arguments)
    np.testing.assert_array_equal(doubles.double(np.arange(4.0)), [0, 2, 4, 6])


@pytest.mark.parametrize("name, arguments", [("fib", (80,)), ("halve", (np.ones(2), 80))])
def test_control_c_ends_recursion_that_would_not_end(name, arguments, workshop):
    """No loop is there that would look."""
    doubles = workshop.pair(SOURCE, "doubles")[0]
    with pytest.raises(KeyboardInterrupt), control_c():
        getattr(doubles, name)(*arguments)
    assert doubles.fib(20) == 6765


def test_other_threads_run_beside_long_recursion(workshop):
    """The recursion lets the interpreter lock go: else nobody would send the signal that ends it."""
    doubles = workshop.pair(SOURCE, "doubles")[0]
    turns = []

    def count():
        while not done.wait(0.001):
            turns.append(None)

    done = threading.Event()
    other = threading.Thread(target=count)
    other.start()
    try:
        with pytest.raises(KeyboardInterrupt), control_c(after=0.5):
            doubles.fib(80)
    finally:
        done.set()
        other.join()
    assert len(turns) > 1


def test_control_c_ends_a_launch_whose_points_have_long_loops(workshop):
    """What was begun is done, the rest is left. Each thread has some thirty ranges of points, so that no pace of theirs leaves nothing."""
    doubles = workshop.pair(SOURCE, "doubles")[0]
    x = np.ones(numptx.thread_count() << 16)
    before = numptx.memory_stats()["launches"]
    with pytest.raises(KeyboardInterrupt), control_c():
        doubles.grind(x, 1_000_000)
    assert numptx.memory_stats()["launches"] == before + 1
    assert (x == 1).any() and (x != 1).any()
    np.testing.assert_array_equal(doubles.double(np.arange(4.0)), [0, 2, 4, 6])


def test_control_c_raises_after_a_launch_of_few_points(workshop):
    """All points may be begun before anybody looks."""
    doubles = workshop.pair(SOURCE, "doubles")[0]
    x = np.ones(150)
    with pytest.raises(KeyboardInterrupt), control_c():
        doubles.grind(x, 50_000_000)
    assert (x != 1).any()


# No range of a loop is so large that it is not one launch.
LONG = 10**11
ONE_POINT = {
    "an outer loop": ("sweep", np.full(1000, 0.3), LONG),
    "a time loop whose phases threads share": ("relax", np.arange(1000.0), LONG),
    "an innermost loop": ("gather", np.full(8, 0.3), np.arange(4), LONG),
    "a loop that a condition ends": ("settle", np.full(4, 0.3)),
}


@pytest.mark.parametrize("which", ONE_POINT)
def test_control_c_ends_one_long_point(which, workshop):
    """A program that one thread runs in one launch: its loops ask."""
    doubles = workshop.pair(SOURCE, "doubles")[0]
    name, *arguments = ONE_POINT[which]
    before = numptx.memory_stats()["launches"]
    with pytest.raises(KeyboardInterrupt), control_c():
        getattr(doubles, name)(*arguments)
    # With a copy of the element that a scalar begins as.
    assert numptx.memory_stats()["launches"] <= before + 3
    np.testing.assert_array_equal(doubles.double(np.arange(4.0)), [0, 2, 4, 6])


@pytest.mark.parametrize("n", [0, 1, 2**20 - 1, 2**20, 2**20 + 1, 2 * 2**20 + 5])
def test_loops_that_ask_run_each_iteration_once(n, workshop):
    """They are cut into pieces of 2**20, and each iteration leaves its mark."""
    doubles = workshop.pair(SOURCE, "doubles")[0]
    x = np.array([1, 2, 3, 4])
    doubles.mix(x, np.arange(4), n)
    expected = [1, 2, 3, 4]
    for k in range(n):
        expected[k % 4] = (expected[(k + 1) % 4] * 3 + k) % 2**64
    assert [int(value) % 2**64 for value in x] == expected


def test_a_forked_child_computes_with_threads_of_its_own(library):
    run_python(
        """
        import os, sys, numpy as np, numptx
        from compilation import load_compiled
        doubles = load_compiled(sys.argv[1])
        x = np.arange(5_000_000.0)
        assert np.array_equal(doubles.double(x), 2 * x)
        child = os.fork()
        if child == 0:
            right = np.array_equal(doubles.double(x), 2 * x) and numptx.last_device() == "cpu"
            os._exit(0 if right and len(os.listdir("/proc/self/task")) == numptx.thread_count() else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert np.array_equal(doubles.double(x), 2 * x)
        """,
        str(library),
        environment={"NUMPTX_NUM_THREADS": "3", "OPENBLAS_NUM_THREADS": "1"},
    )


@pytest.mark.long("cuda")
@pytest.mark.parametrize("environment", [{}, {"NUMPTX_DEBUG_MEMORY": "1"}])
def test_children_compute_that_were_forked_while_other_threads_allocate(library, environment):
    """A lock that another thread held at the fork is held for good in the child, unless somebody sees to it."""
    run_python(
        """
        import os, signal, sys, threading, numpy as np, numptx
        from compilation import load_compiled
        doubles = load_compiled(sys.argv[1])
        x, y, stop = np.arange(4.0), np.arange(300_000.0), threading.Event()
        doubles.double(y)
        def allocate():
            while not stop.is_set():
                doubles.double(x), doubles.tail(x), doubles.double(y)
        threads = [threading.Thread(target=allocate, daemon=True) for _ in range(3)]
        [thread.start() for thread in threads]
        for _ in range(100):
            child = os.fork()
            if child == 0:
                # A child that hangs is ended, and seen.
                signal.alarm(30)
                right = all(np.array_equal(doubles.double(z), 2 * z) for z in (x, y, x))
                os._exit(0 if right else 1)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        stop.set()
        [thread.join() for thread in threads]
        assert numptx.memory_stats()["violations"] == 0
        """,
        str(library),
        environment=environment,
        timeout=600,
    )


@pytest.mark.parametrize("chosen", ["auto", None, "cuda", "cuda:7"])
def test_no_gpu_is_no_error(library, chosen):
    """The driver named cannot be opened: so it is wherever there is none."""
    environment = {"NUMPTX_LIBCUDA": "/nonexistent/libcuda.so.1", **({"NUMPTX_DEVICE": chosen} if chosen else {})}
    run_python(
        """
        import sys, numpy as np, numptx
        from compilation import load_compiled
        doubles = load_compiled(sys.argv[1])
        for n in (0, 5, 5_000_000):
            x = np.arange(float(n))
            assert np.array_equal(doubles.double(x), 2 * x)
        assert numptx.last_device() == "cpu" and numptx.devices() == ["cpu"], numptx.devices()
        """,
        str(library),
        environment=environment,
    )


def interpreter(version):
    """The command of a CPython of this version, on the path or under pyenv; `None` if there is none that runs."""
    pyenv = pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path.home() / ".pyenv"))
    for candidate in [sys.executable, shutil.which(f"python{version}"), *sorted(pyenv.glob(f"versions/{version}.*/bin/python"))]:
        says = "import sys; print(sys.implementation.name, '%d.%d' % sys.version_info[:2])"
        done = candidate and subprocess.run([str(candidate), "-c", says], capture_output=True, text=True)
        if done and done.stdout.split() == ["cpython", version]:
            return str(candidate)
    return None


def numpy_for(python, version, folder):
    """A folder with NumPy for an interpreter, empty where it has one of its own."""
    if subprocess.run([python, "-c", "import numpy"], capture_output=True).returncode == 0:
        return folder
    wanted = ["--python-version", version, "--only-binary=:all:", "--target", str(folder), f"numpy=={np.__version__}"]
    done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", *wanted], capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip(f"NumPy for CPython {version} could not be installed: {done.stderr.strip().splitlines()[-1:]}")
    return folder


@pytest.mark.long("cuda")
@pytest.mark.parametrize("version", INTERPRETERS)
def test_the_same_library_imports_into(version, library, tmp_path):
    if ".abi3." not in numptx._native.__file__:
        pytest.skip("a package for a free-threaded interpreter is for that one alone")
    python = interpreter(version)
    if python is None:
        pytest.skip(f"no CPython {version} here")
    packages = tmp_path / "packages"
    packages.mkdir()
    (packages / "numptx").symlink_to(pathlib.Path(numptx.__file__).parent)
    numpy = numpy_for(python, version, tmp_path / "numpy")
    text = """if True:
        import sys, numpy as np, numptx, doubles
        assert "%d.%d" % sys.version_info[:2] == sys.argv[1]
        x = np.arange(4.0)
        assert np.array_equal(doubles.double(x), 2 * x) and doubles.tail(x).base is x
        assert doubles.__doc__ == "Doubles." and doubles.__file__.endswith("doubles.so")
        try:
            doubles.double("x")
        except TypeError as error:
            assert "double(float64[:])" in str(error)
        else:
            raise AssertionError("no TypeError")
    """
    path = os.pathsep.join(map(str, [packages, numpy, library.parent]))
    environment = {**os.environ, "PYTHONPATH": path, "NUMPTX_DEVICE": "cpu"}
    done = subprocess.run([python, "-c", text, version], capture_output=True, text=True, env=environment, cwd=ROOT)
    assert done.returncode == 0, f"{python}: {done.stderr}"
