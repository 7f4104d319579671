"""What a call asks the driver for, on the mock driver, which lists it. Each of these takes time on every call; a new one has to be worth it."""

import ctypes
import gc
import pathlib

import numpy as np
import pytest

import numptx
from fixture_module import build_library
from subprocesses import run_python

PROGRAM = """
#numptx export write(float64[:], float64[:])
#numptx export add(float64[:], float64[:])
#numptx export tail(float64[:])
#numptx export columns(float64[:,:], float64[:,:])
def write(a, out):
    out[:] = 2 * a
def add(a, b):
    return a + b
def tail(a):
    return a[1:]
def columns(a, out):
    out[:] = 2 * a.T
"""
# The context and captures: whose is current, that none is disturbed, whether the stream is in one.
BEGIN = ["cuCtxGetCurrent", "cuThreadExchangeStreamCaptureMode", "cuStreamIsCapturing"]
END = ["cuThreadExchangeStreamCaptureMode"]
FREE = [*BEGIN, "cuMemFreeAsync", *END]


@pytest.fixture(scope="module")
def compiled(workshop):
    return workshop.pair(PROGRAM)[0]


@pytest.fixture
def arrays(compiled):
    with numptx.device("auto"):
        a, out = numptx.asarray(np.arange(16.0), device="cuda"), numptx.asarray(np.zeros(16), device="cuda")
        a2, out2 = numptx.asarray(np.ones((3, 4)), device="cuda"), numptx.asarray(np.ones((4, 3)), device="cuda")
        compiled.write(a, out)
        compiled.add(a, out)
        compiled.columns(a2, out2)
        yield a, out, a2, out2


def asked(driver, run):
    """The driver's calls while `run` runs and its result is dropped."""
    with driver.context(), driver.log() as calls:
        run()
    return calls


def test_a_call_that_writes_is_one_launch(compiled, arrays, driver):
    a, out, a2, out2 = arrays
    launch = [*BEGIN, "cuLaunchKernel", *END]
    assert asked(driver, lambda: compiled.write(a, out)) == launch
    assert asked(driver, lambda: compiled.columns(a2, out2)) == launch


LARGE = 1 << 18


def test_a_fresh_result_is_one_allocation_and_one_free(compiled, arrays, driver):
    a = numptx.asarray(np.ones(LARGE), device="cuda")
    call = [*BEGIN, "cuMemAllocFromPoolAsync", "cuLaunchKernel", *END]
    assert asked(driver, lambda: compiled.add(a, a)) == [*call, *FREE]


def test_a_small_result_has_the_memory_of_one_before(compiled, arrays, driver):
    a, out = arrays[:2]
    assert asked(driver, lambda: compiled.add(a, out)) == [*BEGIN, "cuLaunchKernel", *END]


def test_memory_that_is_kept_stays_on_its_stream(compiled, arrays, driver):
    a = numptx.asarray(np.ones(77), device="cuda")
    one, other = numptx.Stream(), numptx.Stream()

    def allocates(stream):
        with stream:
            return "cuMemAllocFromPoolAsync" in asked(driver, lambda: compiled.add(a, a))

    assert [allocates(stream) for stream in (one, one, other, one, other)] == [True, False, True, False, False]
    with numptx.Graph(), driver.log() as calls:
        compiled.add(a, a)
    assert "cuMemAllocFromPoolAsync" in calls, "what a capture records is allocated aside, whatever streams keep"
    with one:
        held = compiled.add(a, a)
        with driver.log() as calls:
            with other:
                compiled.add(held, held)
            del held
    assert "cuMemFreeAsync" in calls, "two streams have had it"


def test_memory_that_is_kept_is_given_back(compiled, arrays, driver):
    a = numptx.asarray(np.ones(78), device="cuda")
    for stream in (numptx.Stream(), numptx.device("auto")):
        with stream:
            compiled.add(a, a)
        with driver.log() as calls:
            numptx.trim("cuda")
        assert "cuMemFreeAsync" in calls
        with driver.log() as calls:
            numptx.trim("cuda")
        assert "cuMemFreeAsync" not in calls


def test_memory_that_is_kept_goes_with_its_stream(compiled, arrays, driver):
    b = numptx.asarray(np.ones(80), device="cuda")
    with numptx.Stream():
        compiled.add(b, b)
    # The stream goes with the array that it has read.
    with driver.log() as calls:
        del b
    assert calls.count("cuMemFreeAsync") == 2


def test_kept_memory_does_not_count(compiled, arrays, driver):
    gc.collect()
    a = numptx.asarray(np.ones(79), device="cuda")
    live = numptx.memory_stats("cuda")["live_bytes"]
    compiled.add(a, a)
    assert numptx.memory_stats("cuda")["live_bytes"] == live
    numptx.set_memory_limit(live + 100)
    try:
        with pytest.raises(MemoryError):
            compiled.add(a, a)
    finally:
        numptx.set_memory_limit(None)


def test_a_view_launches_nothing(compiled, arrays, driver):
    assert asked(driver, lambda: compiled.tail(arrays[0])) == [*BEGIN, *END]
    assert asked(driver, lambda: arrays[0][1:]) == []


def test_a_context_is_set_and_restored_only_where_another_is_current(compiled, arrays, driver):
    a, out = arrays[:2]
    with driver.log() as calls:
        compiled.write(a, out)
    assert calls.count("cuCtxSetCurrent") in (0, 2) and len(calls) <= 7


def test_a_stream_s_arrays_cost_no_events(compiled, arrays, driver):
    a, out = arrays[:2]
    with numptx.Stream():
        compiled.write(a, out)
        assert asked(driver, lambda: compiled.write(a, out)) == [*BEGIN, "cuLaunchKernel", *END]


def test_a_replay_is_one_launch_of_a_graph(compiled, arrays, driver):
    a, out = arrays[:2]
    with numptx.Graph() as graph:
        compiled.write(a, out)
    graph.replay()
    assert asked(driver, graph.replay) == [*BEGIN, "cuGraphLaunch", *END]


def test_a_graph_of_our_arrays_leaves_nothing_to_the_driver_to_release(compiled, arrays, driver):
    """What the driver has to let go of after a launch makes each launch take several times as long."""
    a, out = arrays[:2]
    with driver.log() as calls, numptx.Graph():
        compiled.write(a, out)
        compiled.add(a, out)
    assert "cuLaunchKernel" in calls and "cuUserObjectCreate" not in calls


COUNTS = """
import ctypes, pathlib, sys
import numpy as np
import numptx
from compilation import load_compiled

compiled = load_compiled(pathlib.Path(sys.argv[1]))
allocations = ctypes.CDLL(None).counted_allocations
locks = ctypes.CDLL(str(pathlib.Path(numptx.__file__).with_name("libnumptx_runtime.so"))).numptx_runtime_locks_taken
allocations.restype, locks.restype = ctypes.c_long, ctypes.c_uint64


def counts(run):
    run(), run()
    before = allocations(), locks()
    for _ in range(100):
        run()
    return (allocations() - before[0]) // 100, (locks() - before[1]) // 100


numptx._native.set_device("auto")
a, out = (numptx.asarray(np.arange(16.0), device="cuda") for _ in range(2))
assert counts(lambda: numptx.asarray(np.ones(3)))[0] >= 1, "the count counts"
found = [counts(lambda: compiled.write(a, out)), counts(lambda: compiled.add(a, out))]
with numptx.Stream():
    b, c = (numptx.asarray(np.arange(16.0), device="cuda") for _ in range(2))
    found += [counts(lambda: compiled.write(b, c)), counts(lambda: compiled.add(b, c))]
with numptx.Graph() as graph:
    compiled.write(a, out)
# Launches of one graph come one after another.
found.append(counts(graph.replay))
assert found == [(0, 0)] * 4 + [(0, 1)], found
"""


def test_a_call_allocates_nothing_and_takes_no_lock(compiled, tmp_path, driver):
    counter = build_library(pathlib.Path(__file__).with_name("count_allocations.c"), tmp_path / "count_allocations.so", "-ldl")
    run_python(COUNTS, compiled.__file__, environment={"LD_PRELOAD": str(counter)})


def test_an_array_that_was_exported_fresh_stays_on_its_stream(compiled, arrays, driver):
    """What a consumer on the same stream does needs no order, and no note at each call."""
    a = numptx.asarray(np.arange(16.0), device="cuda")
    a.__dlpack__(stream=1)
    compiled.add(a, a)
    locks = runtime_library().numptx_runtime_locks_taken
    before = locks()
    compiled.add(a, a)
    assert locks() == before
    with numptx.Stream():
        assert "cuStreamWaitEvent" in asked(driver, lambda: compiled.write(arrays[0], a))


def runtime_library():
    return ctypes.CDLL(str(pathlib.Path(numptx.__file__).with_name("libnumptx_runtime.so")))


def test_an_export_to_the_stream_of_the_last_call_asks_nothing(compiled, arrays, driver):
    a, out = arrays[:2]
    compiled.write(a, out)
    assert asked(driver, lambda: out.__dlpack__(stream=1)) == []
