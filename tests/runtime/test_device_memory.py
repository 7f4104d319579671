"""Device memory: limits, what is tried when there is none left, and giving it back."""

import gc

import numpy as np
import pytest

import numptx
from cuda_driver import IS_MOCK

PROGRAM = """
#numptx export twice(float64[:])
def twice(x):
    return 2 * x
"""
MIB = 1 << 20


@pytest.fixture(scope="module")
def compiled(workshop):
    return workshop.pair(PROGRAM)[0]


@pytest.fixture(autouse=True)
def on_device():
    gc.collect()
    with numptx.device("auto"):
        yield
    numptx.set_memory_limit(None)


def room(nbytes):
    """A limit that leaves room for so much more."""
    numptx.set_memory_limit(numptx.memory_stats("cuda")["live_bytes"] + nbytes)


def test_a_limit_is_kept_and_named(compiled):
    x = numptx.asarray(np.ones(MIB // 8), device="cuda")
    room(MIB + MIB // 2)
    y = compiled.twice(x)
    before = numptx.memory_stats("cuda")
    with pytest.raises(MemoryError, match=r"1.0 MiB wanted; the limit of numptx.set_memory_limit is .* MiB") as caught:
        compiled.twice(x)
    assert "raise the limit" in str(caught.value)
    after = numptx.memory_stats("cuda")
    assert (after["live_buffers"], after["live_bytes"]) == (before["live_buffers"], before["live_bytes"])
    del y
    np.testing.assert_array_equal(compiled.twice(x).to_host(), np.full(MIB // 8, 2.0))
    room(0)
    with pytest.raises(MemoryError):
        numptx.asarray(np.ones(10), device="cuda")
    numptx.set_memory_limit(None)
    compiled.twice(compiled.twice(x))


def test_garbage_is_collected_before_memory_is_given_up_on(compiled):
    x = numptx.asarray(np.ones(MIB // 8), device="cuda")
    # Not by chance before.
    thresholds = gc.get_threshold()
    gc.set_threshold(1_000_000)
    try:
        cycle = [compiled.twice(x)]
        cycle.append(cycle)
        room(0)
        del cycle
        y = compiled.twice(x)
    finally:
        gc.set_threshold(*thresholds)
    np.testing.assert_array_equal(y.to_host(), np.full(MIB // 8, 2.0))


@pytest.mark.skipif(not IS_MOCK, reason="the mock driver runs out of memory on demand")
@pytest.mark.parametrize("stream", [False, True])
def test_a_driver_without_memory_is_asked_again(compiled, driver, stream):
    x = numptx.asarray(np.ones(8), device="cuda")
    entered = numptx.Stream() if stream else numptx.device("auto")
    with entered:
        for failures in (1, 2):
            numptx.trim()
            driver.library.numptx_mock_fail_allocations(0, failures)
            np.testing.assert_array_equal(compiled.twice(x).to_host(), np.full(8, 2.0))
        numptx.trim()
        driver.library.numptx_mock_fail_allocations(0, 3)
        with pytest.raises(MemoryError, match="64 bytes wanted; .* are free, live arrays hold"):
            compiled.twice(x)
        driver.library.numptx_mock_fail_allocations(0, 0)
        np.testing.assert_array_equal(compiled.twice(x).to_host(), np.full(8, 2.0))


@pytest.mark.skipif(not IS_MOCK, reason="the mock driver runs out of memory on demand")
def test_running_out_of_memory_does_not_end_a_capture(compiled, driver):
    x = numptx.asarray(np.ones(8), device="cuda")
    with numptx.Graph() as graph:
        driver.library.numptx_mock_fail_allocations(0, 2)
        y = compiled.twice(x)
        driver.library.numptx_mock_fail_allocations(0, 3)
        with pytest.raises(MemoryError):
            compiled.twice(x)
        driver.library.numptx_mock_fail_allocations(0, 0)
    graph.replay()
    np.testing.assert_array_equal(y.to_host(), np.full(8, 2.0))


def test_trim(compiled):
    x = numptx.asarray(np.ones(MIB), device="cuda")
    y = compiled.twice(x)
    del x
    for device in (None, "cuda", "cpu"):
        numptx.trim(device)
    np.testing.assert_array_equal(y.to_host(), np.full(MIB, 2.0))


def test_arguments_are_checked():
    with pytest.raises(ValueError, match="number of bytes"):
        numptx.set_memory_limit(-1)
    with pytest.raises(ValueError, match="set for a GPU"):
        numptx.set_memory_limit(10, "cpu")
    with pytest.raises(numptx.CudaError, match="cuda:99"):
        numptx.trim("cuda:99")


@pytest.mark.parametrize("n", [0, 1, 1000, 3 * MIB])
@pytest.mark.parametrize("layout", ["C", "strided"])
def test_host_arguments_of_any_size(compiled, n, layout):
    """Copied there, computed, and back, through whatever staging."""
    x = np.arange(float(n)) if layout == "C" else np.arange(2.0 * n)[::2]
    with numptx.device("cuda"):
        np.testing.assert_array_equal(compiled.twice(x), 2 * x)


def test_cycles_are_collected_where_the_collector_is_switched_off(compiled):
    x = numptx.asarray(np.ones(MIB // 8), device="cuda")
    gc.collect()
    gc.disable()
    try:
        cycle = [compiled.twice(x)]
        cycle.append(cycle)
        room(0)
        del cycle
        y = compiled.twice(x)
        assert not gc.isenabled()
    finally:
        gc.enable()
    np.testing.assert_array_equal(y.to_host(), np.full(MIB // 8, 2.0))


def test_complex_elements_are_no_real_numbers():
    for kind in (float, int):
        with pytest.raises(TypeError):
            kind(numptx.asarray(1j))
    assert (float(numptx.asarray(2)), int(numptx.asarray(2.75))) == (2.0, 2)
