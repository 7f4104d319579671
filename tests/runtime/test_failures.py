"""Everything that a compiled call asks of the runtime fails in turn: the call raises, and keeps nothing. On the mock driver, which fails on demand."""

import ctypes
import gc
import os
import pathlib
import re

import numpy as np
import pytest

import corpus_format
import sample

CORPUS = pathlib.Path(__file__).resolve().parent.parent / "corpus"
# Programs whose host programs have loops, branches, views and reshapes with temporaries between.
FILES = ["buffers", "control", "views", "jacobi_2d", "softmax"]
FILES += [pytest.param(name, marks=pytest.mark.long) for name in ("control_flow", "shapes", "inplace", "overlap")]
# The most failures that one call is tried with.
LIMIT = 40


@pytest.fixture(autouse=True)
def on_device():
    import numptx

    with numptx.device("cuda"):
        yield


@pytest.fixture(scope="module")
def driver():
    """The mock driver."""
    return ctypes.CDLL(os.environ["NUMPTX_LIBCUDA"])


def fail_allocation(driver, n, times=3):
    """The n-th allocation from here on finds no memory, and neither do its second and third tries."""
    driver.numptx_mock_fail_allocations(ctypes.c_int64(n), ctypes.c_int64(times))


def fail_work(driver, n):
    """The n-th copy, launch or wait from here on fails."""
    driver.numptx_mock_fail_work.restype = ctypes.c_int64
    return driver.numptx_mock_fail_work(ctypes.c_int64(n))


def live():
    import numptx

    stats = numptx.memory_stats()
    return stats["live_buffers"], stats["live_bytes"]


def call(module, run):
    """What a run of the corpus raises; its results are dropped."""
    name, positional, keywords = run.arguments()
    try:
        with np.errstate(all="ignore"):
            getattr(module, name)(*positional, **keywords)
    except Exception as error:
        return error
    return None


@pytest.mark.parametrize("name", FILES)
def test_each_failure_raises_and_keeps_nothing(workshop, driver, name, pytestconfig):
    path = CORPUS / f"{name}.py"
    program = corpus_format.read(path)
    module = workshop.module(path, sample.corpus_flags(path, program, pytestconfig))
    n_failures = 0
    # What earlier tests left in cycles does not go while this one counts.
    gc.collect()
    for run in program.runs:
        expected = call(module, run)
        before = live()
        for n in range(LIMIT):
            fail_allocation(driver, n)
            error = call(module, run)
            fail_allocation(driver, 0, times=0)
            assert live() == before, f"{path.name}:{run.line}: allocation {n} fails"
            if not isinstance(error, MemoryError):
                assert type(error) is type(expected), f"{path.name}:{run.line}: allocation {n}: {error!r}"
                break
            n_failures += 1
        for n in range(LIMIT):
            fail_work(driver, n)
            error = call(module, run)
            happened = fail_work(driver, -1) < 0
            assert live() == before, f"{path.name}:{run.line}: step {n} fails"
            if not happened:
                assert type(error) is type(expected), f"{path.name}:{run.line}: step {n}: {error!r}"
                break
            assert error is not None, f"{path.name}:{run.line}: step {n} failed, and the call did not notice"
            n_failures += 1
    assert n_failures > 0


@pytest.mark.filterwarnings("ignore::numptx.CudaWarning")
@pytest.mark.parametrize("shape", [(6,), (300, 1000)])
@pytest.mark.parametrize("name", ["cuMemcpyHtoDAsync", "cuMemAllocFromPoolAsync", "cuLaunchKernel", "cuMemcpyDtoHAsync", "cuStreamSynchronize", ""])
def test_an_argument_is_what_it_was_or_what_it_becomes(workshop, driver, name, shape):
    import numptx

    module, _ = workshop.pair("#numptx export increase(float64[:,:])\n#numptx export increase(float64[:])\ndef increase(x):\n    x += 1.0\n")
    driver.numptx_mock_fail_call.restype = ctypes.c_int64
    values = np.arange(float(np.prod(shape))).reshape(shape)
    module.increase(values.copy())
    n_cut = 0
    for n in range(12):
        for code in (2, 719):
            x = values.copy()
            message = ""
            driver.numptx_mock_fail_call(name.encode(), ctypes.c_int64(n), code)
            try:
                module.increase(x)
            except (numptx.CudaError, MemoryError, RuntimeError) as error:
                message = str(error)
            driver.numptx_mock_fail_call(b"", ctypes.c_int64(-1), 0)
            if n_new := new_bytes(message, x.nbytes):
                assert np.array_equal(x, expected_after(n_new, values, values + 1)), (n, code, message)
                n_cut += 1
            else:
                assert np.array_equal(x, values) or np.array_equal(x, values + 1), (n, code, x)
    # Only what comes back in pieces can end between two of them: the second one fails, or a later one.
    assert (n_cut > 0) == (name == "cuMemcpyDtoHAsync" and len(shape) > 1)


def new_bytes(message, all_bytes):
    """How many bytes of a host array an error says to be new, where the array is neither what it was nor what it becomes; 0: it says nothing."""
    found = re.search(r"the array on the host is new in its first (\d+) of (\d+) bytes, and after them as it was", message)
    if found is None:
        return 0
    assert int(found[2]) == all_bytes and 0 < int(found[1]) < all_bytes
    return int(found[1])


def expected_after(n_new, old, new):
    """An array whose first bytes are those of one array, and the others of another."""
    return np.frombuffer(new.tobytes()[:n_new] + old.tobytes()[n_new:], old.dtype).reshape(old.shape)


@pytest.mark.filterwarnings("ignore::numptx.CudaWarning")
def test_a_copy_to_the_host_that_ends_in_the_middle_says_what_is_there(driver):
    import numptx

    old, new = np.zeros(300_000), np.arange(300_000.0)
    driver.numptx_mock_fail_call.restype = ctypes.c_int64
    source = numptx.asarray(new, device="cuda")
    x = numptx.empty(old.shape, "float64", device="cpu")
    x.copy_from(old)
    driver.numptx_mock_fail_call(b"cuMemcpyDtoHAsync", ctypes.c_int64(3), 719)
    with pytest.raises(numptx.CudaError) as raised:
        x.copy_from(source)
    driver.numptx_mock_fail_call(b"", ctypes.c_int64(-1), 0)
    n_new = new_bytes(str(raised.value), x.nbytes)
    assert n_new > 0
    assert np.array_equal(x.to_host(), expected_after(n_new, old, new))
