"""Everything that a compiled call asks of the runtime fails in turn: the call raises, and keeps nothing. On the mock driver, which fails on demand."""

import ctypes
import gc
import os
import pathlib

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

    if name == "cuMemcpyDtoHAsync" and len(shape) > 1:
        pytest.skip("what is copied back in pieces may end between two of them")
    module, _ = workshop.pair("#numptx export increase(float64[:,:])\n#numptx export increase(float64[:])\ndef increase(x):\n    x += 1.0\n")
    driver.numptx_mock_fail_call.restype = ctypes.c_int64
    values = np.arange(float(np.prod(shape))).reshape(shape)
    module.increase(values.copy())
    for n in range(12):
        for code in (2, 719):
            x = values.copy()
            driver.numptx_mock_fail_call(name.encode(), ctypes.c_int64(n), code)
            try:
                module.increase(x)
            except (numptx.CudaError, MemoryError, RuntimeError):
                pass
            driver.numptx_mock_fail_call(b"", ctypes.c_int64(-1), 0)
            assert np.array_equal(x, values) or np.array_equal(x, values + 1), (n, code, x)
