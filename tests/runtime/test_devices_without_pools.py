"""A GPU without memory pools, as some are that several machines share: the mock driver's last one. Memory is the driver's plain one there: what is freed
waits for the work that uses it, and nobody waits for that."""

import gc
import threading

import numpy as np
import pytest

import numptx
from allocating_program import PROGRAM as ALLOCATING

PROGRAM = ALLOCATING + """
#numptx export steps(float64[:], int64)
def steps(x, n):
    for _ in range(n):
        x = np.cumsum(x)[::-1] * 0.5
    return x
"""
PLACE = "cuda:2"
LARGE = 300_000
POOLS = {"cuMemAllocFromPoolAsync", "cuMemFreeAsync", "cuMemPoolTrimTo", "cuDeviceGetMemPool", "cuMemPoolGetAttribute"}


@pytest.fixture(autouse=True)
def sound(driver):
    """No pool is asked, and nothing is left or wrong."""
    def given_back():
        gc.collect()
        numptx.trim(PLACE)
        return [driver.count(name) for name in ("live_allocations", "live_events", "violations")]

    numptx.asarray(np.ones(3), device=PLACE)
    before = given_back()
    with numptx.device("auto"), driver.log() as calls:
        yield
    assert not POOLS.intersection(calls)
    assert given_back() == before
    numptx.set_memory_limit(None, PLACE)


def there(values):
    return numptx.asarray(np.array(values, float), device=PLACE)


def equal(array, values):
    np.testing.assert_allclose(array.to_host(), values)


@pytest.mark.parametrize("n", [0, 1, 1000, LARGE])
def test_calls_and_copies(compiled, modules, pace, n):
    x, y = np.arange(float(n)), np.ones(n)
    a, b = there(x), there(y)
    equal(compiled.twice(a), 2 * x)
    equal(compiled.chain(a, b), modules[1].chain(x, y))
    equal(a[::-3], x[::-3])
    a[::2].copy_from(y[::2])
    equal(a[::2], y[::2])
    with numptx.device(PLACE):
        np.testing.assert_array_equal(compiled.twice(x), 2 * x)
    assert numptx.last_device() == PLACE


@pytest.mark.parametrize("n", [10, LARGE])
def test_a_free_comes_after_the_work_and_nobody_waits_for_it(compiled, driver, n):
    x, stream = there(np.arange(float(n))), numptx.Stream(device=PLACE)
    numptx.trim(PLACE)
    driver.defer(True)
    try:
        with stream:
            y = compiled.twice(x)
        z = compiled.add(x, y)
        with driver.log() as calls:
            del x, y
            gc.collect()
            # Who wants memory frees what is free by now.
            numptx.empty(n, device=PLACE)
        assert not {"cuMemFree", "cuStreamSynchronize", "cuEventSynchronize"}.intersection(calls)
        equal(z, 3 * np.arange(float(n)))
    finally:
        driver.defer(False)


def test_memory_is_free_for_the_next_array_when_the_work_is_done(compiled, driver):
    x = there(np.arange(float(LARGE)))
    numptx.synchronize()
    before = driver.count("live_allocations")
    for _ in range(20):
        compiled.twice(x)
    assert driver.count("live_allocations") <= before + 2


def test_small_results_have_the_memory_of_ones_before(compiled, driver):
    x = there(np.arange(10.0))
    for _ in range(3):
        y = compiled.twice(x)
    with driver.log() as calls:
        y = compiled.twice(x)
    assert "cuMemAlloc" not in calls and "cuMemFree" not in calls
    equal(y, 2 * np.arange(10.0))


def test_arrays_go_from_stream_to_stream(compiled, pace):
    x = there(np.arange(float(LARGE)))
    for _ in range(5):
        with numptx.Stream(device=PLACE):
            y = compiled.twice(x)
        with numptx.Stream(device=PLACE):
            x = compiled.add(y, y)
            del y
    equal(x, 4.0**5 * np.arange(float(LARGE)))


def test_graphs(compiled, modules, pace):
    x, y = there([1, 2, 3]), there([4, 5, 6])
    with numptx.Graph(device=PLACE) as graph:
        z = compiled.chain(x, y)
    gc.collect()
    for n in range(3):
        x.copy_from(np.full(3, float(n)))
        graph.replay()
        equal(z, modules[1].chain(np.full(3, float(n)), np.array([4.0, 5, 6])))
    with graph.update():
        w = compiled.chain(y, y)
    graph.replay()
    equal(w, modules[1].chain(np.array([4.0, 5, 6]), np.array([4.0, 5, 6])))


@pytest.mark.parametrize("n", [3, 100])
def test_loops_on_the_host(compiled, modules, pace, n):
    x = np.linspace(0, 1, 1000)
    equal(compiled.steps(there(x), n), modules[1].steps(x, n))


def test_memory_that_is_short_is_waited_for(compiled, driver):
    """What was freed comes back when the work is done, before memory is given up on."""
    x = there(np.arange(float(LARGE)))
    driver.defer(True)
    try:
        for failures in (1, 2):
            y = compiled.twice(x)
            del y
            driver.library.numptx_mock_fail_allocations(0, failures)
            equal(compiled.twice(x), 2 * np.arange(float(LARGE)))
        driver.library.numptx_mock_fail_allocations(0, 3)
        with pytest.raises(MemoryError, match="CUDA device 2 is out of memory: .* are free, live arrays hold 2.3 MiB"):
            compiled.twice(x)
    finally:
        driver.library.numptx_mock_fail_allocations(0, 0)
        driver.defer(False)


def test_a_limit_is_kept(compiled):
    x = there(np.ones(1 << 17))
    numptx.set_memory_limit(numptx.memory_stats(PLACE)["live_bytes"] + (1 << 20), PLACE)
    y = compiled.twice(x)
    with pytest.raises(MemoryError, match="the limit of numptx.set_memory_limit"):
        compiled.twice(x)
    del y
    equal(compiled.twice(x), np.full(1 << 17, 2.0))


def test_threads_with_a_stream_each(compiled, pace):
    x, wrong = there(np.arange(1000.0)), []

    def work(number):
        with numptx.Stream(device=PLACE):
            for k in range(20):
                y = compiled.twice(x)
                z = compiled.add(y, there(np.full(1000, float(k))))
                del y
                if not np.array_equal(z.to_host(), 2 * np.arange(1000.0) + k):
                    wrong.append((number, k))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not wrong
