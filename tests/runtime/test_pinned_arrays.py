"""Page-locked arrays on the host: NumPy's memory, from which GPUs copy while the program goes on. Who writes it waits for the copies, and so does its end."""

import gc

import numpy as np
import pytest

import numptx
from cuda_driver import IS_MOCK

PROGRAM = """
#numptx export twice(float64[:])
#numptx export increase(float64[:])
def twice(x):
    return 2 * x
def increase(x):
    x += 1
"""
N = 1000
on_mock = pytest.mark.skipif(not IS_MOCK, reason="the mock driver counts, and puts work off")


@pytest.fixture(scope="module")
def compiled(workshop):
    return workshop.pair(PROGRAM)[0]


@pytest.fixture(autouse=True)
def automatic():
    with numptx.device("auto"):
        yield


@pytest.fixture
def put_off(driver):
    """Streams do nothing until somebody waits; nothing wrong was done meanwhile."""
    numptx.synchronize()
    violations = driver.count("violations")
    driver.defer(True)
    yield
    driver.defer(False)
    assert driver.count("violations") == violations


def pinned(values):
    array = numptx.empty(len(values), pinned=True)
    np.asarray(array)[:] = values
    return array


def on_gpu(values, device="cuda"):
    return numptx.asarray(np.array(values, float), device=device)


@pytest.mark.parametrize("dtype", ["bool", "int16", "float32", "complex128"])
@pytest.mark.parametrize("shape", [(), 5, (3, 4), (2, 0)])
def test_a_page_locked_array_is_numpy_s_memory(dtype, shape):
    a = numptx.empty(shape, dtype, pinned=True)
    view = np.asarray(a)
    assert (a.device, view.dtype, view.shape) == ("cpu", np.dtype(dtype), np.empty(shape).shape) and view.flags.writeable
    x = np.arange(view.size).reshape(view.shape).astype(dtype)
    view[...] = x
    for other in (np.asarray(a), a.to_host(), np.from_dlpack(a), np.asarray(memoryview(a))):
        np.testing.assert_array_equal(other, x)
        assert not view.size or np.shares_memory(other, view)
    there = numptx.asarray(a, device="cuda")
    np.testing.assert_array_equal(there.to_host(), x)
    view[...] = np.zeros_like(x)
    a.copy_from(there)
    np.testing.assert_array_equal(view, x)


@on_mock
def test_copies_from_it_are_not_waited_for(compiled, driver, put_off):
    x, p = on_gpu(np.zeros(N)), pinned(np.arange(N))
    numptx.synchronize()
    with driver.log() as calls:
        x.copy_from(p)
        x[: N // 2].copy_from(p[N // 2 :])
        y = compiled.twice(x)
    assert calls.count("cuMemcpyHtoDAsync") == 2
    assert not [name for name in calls if "Synchronize" in name]
    expected = np.arange(N)
    expected[: N // 2] = np.arange(N // 2, N)
    np.testing.assert_array_equal(y.to_host(), 2 * expected)


@on_mock
@pytest.mark.parametrize("large", [False, True])
def test_other_streams_come_after_a_copy(compiled, put_off, large):
    n = 300_000 if large else N
    p, q, w = pinned(np.arange(n)), pinned(np.arange(n)), on_gpu(np.zeros(n))
    # They stay: a stream that goes does its work in the mock driver.
    streams = [numptx.Stream() for _ in range(2)]
    with streams[0]:
        x = numptx.asarray(p, device="cuda")
        w.copy_from(q)
    with streams[1]:
        y = compiled.twice(x)
    np.testing.assert_array_equal(y.to_host(), 2.0 * np.arange(n))
    np.testing.assert_array_equal(compiled.twice(w).to_host(), 2.0 * np.arange(n))


def writes():
    """What writes to the memory through numptx: each has to wait for the copies from it."""
    def through_numpy(compiled, p):
        np.asarray(p)[:] = -1
    def through_to_host(compiled, p):
        p.to_host()[:] = -1
    def through_a_buffer(compiled, p):
        np.asarray(memoryview(p))[:] = -1
    def through_dlpack(compiled, p):
        np.from_dlpack(p)[:] = -1
    def by_a_view(compiled, p):
        np.asarray(p[::-1])[:] = -1
    def by_a_copy(compiled, p):
        p.copy_from(np.full(N, -1.0))
    def by_a_copy_from_a_gpu(compiled, p):
        p.copy_from(on_gpu(np.full(N, -1.0)))
    def by_a_call_on_the_cpu(compiled, p):
        with numptx.device("cpu"):
            compiled.increase(p)
    def by_a_call_on_a_gpu(compiled, p):
        with numptx.device("cuda"):
            compiled.increase(p)
    return list(locals().values())


@on_mock
@pytest.mark.parametrize("write", writes(), ids=lambda write: write.__name__)
def test_who_writes_to_it_waits_for_the_copies(compiled, put_off, write):
    x, p = on_gpu(np.zeros(N)), pinned(np.arange(N))
    with numptx.Stream():
        x.copy_from(p)
    write(compiled, p)
    np.testing.assert_array_equal(x.to_host(), np.arange(N))
    assert p[3].item() in (-1.0, 4.0)


@on_mock
def test_its_memory_is_freed_after_the_copies_and_nobody_waits(driver, put_off):
    numptx.trim()
    before = driver.count("live_pinned")
    x, p = on_gpu(np.zeros(N)), pinned(np.arange(N))
    x.copy_from(p)
    with driver.log() as calls:
        del p
        gc.collect()
    assert driver.count("live_pinned") == before + 1
    assert not [name for name in calls if "Synchronize" in name]
    np.testing.assert_array_equal(x.to_host(), np.arange(N))
    numptx.synchronize()
    assert driver.count("live_pinned") == before
    p = pinned(np.arange(N))
    del p
    numptx.synchronize()
    assert driver.count("live_pinned") == before


def test_it_is_counted_and_given_back():
    gc.collect()
    numptx.trim()
    names = ("live_buffers", "live_bytes", "pinned_bytes")
    before = [numptx.memory_stats()[name] for name in names]
    arrays = [numptx.empty((10, 10), pinned=True) for _ in range(3)]
    assert [numptx.memory_stats()[name] - was for name, was in zip(names, before)] == [3, 2400, 2400]
    view = arrays[0][1:, 2]
    del arrays
    assert numptx.memory_stats()["live_buffers"] == before[0] + 1
    del view
    numptx.synchronize()
    assert [numptx.memory_stats()[name] for name in names] == before


def test_every_gpu_copies_from_it():
    p = pinned(np.arange(N))
    there = [numptx.asarray(p, device=place) for place in numptx.devices()[1:]]
    for array, place in zip(there, numptx.devices()[1:]):
        assert array.device == place
        np.testing.assert_array_equal(array.to_host(), np.arange(N))


@on_mock
def test_a_copy_whose_end_cannot_be_marked_is_waited_for(driver, put_off):
    x, p = on_gpu(np.zeros(N)), pinned(np.arange(N))
    numptx.synchronize()
    driver.fail_call("cuEventRecord", 0, 2)
    x.copy_from(p)
    np.asarray(p)[:] = -1
    np.testing.assert_array_equal(x.to_host(), np.arange(N))


def test_page_locked_memory_is_the_host_s():
    with pytest.raises(ValueError, match="page-locked memory is the host's, and device='cuda:0' was given"):
        numptx.empty(3, device="cuda", pinned=True)
    assert numptx.empty(3, device="cpu", pinned=True).device == "cpu"


@on_mock
def test_where_no_page_locked_memory_is_left_that_is_an_error(driver):
    numptx.trim()
    driver.fail_call("cuMemHostAlloc", 0, 2)
    with pytest.raises(MemoryError, match="cuMemHostAlloc"):
        numptx.empty(3, pinned=True)
    assert numptx.empty(3, pinned=True).size == 3
