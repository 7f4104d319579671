"""Arrays that their libraries show to calls: nothing is made of an argument, results become theirs at once. Collected with --device cuda."""

import gc
import sys
import threading
import time
import weakref

import numpy as np
import pytest

import numptx
from cuda_driver import IS_MOCK, OtherStream
from cupy_attributes import IS_REAL, array_of, elements, make_cupy
from dlpack_exchange import Library

PROGRAM = """
import numpy as np

#numptx export plus(float32[:], float32[:])
#numptx export plus(float64[:], float64[:])
#numptx export plus(float64[:,:], float64[:,:])
#numptx export plus(complex128[:], complex128[:])
def plus(a, b):
    return a + b

#numptx export tail(float64[:,:])
def tail(a):
    return a[1:, ::-1]

#numptx export increase(float64[:])
def increase(a):
    a[:] = a + 1.0

#numptx export in_order(float64[:,:] order(F))
def in_order(a):
    return 2 * a
"""


@pytest.fixture(scope="module")
def compiled(workshop):
    return workshop.pair(PROGRAM)[0]


@pytest.fixture
def cupy(monkeypatch):
    if IS_REAL:
        pytest.skip("the tests of families take CuPy itself")
    made = make_cupy()
    monkeypatch.setitem(sys.modules, "cupy", made)
    with numptx.device("auto"):
        yield made


@pytest.fixture
def torch(monkeypatch):
    made = Library("torch")
    monkeypatch.setitem(sys.modules, "torch", made.module)
    with numptx.device("auto"):
        yield made
    made.release()


def test_arrays_of_cupy_are_read_and_made_by_attributes(compiled, cupy):
    host = np.arange(6.0)
    a, b = array_of(cupy, host), array_of(cupy, host[::-1])
    cupy.asked.update(protocol=0, stream=0)
    sum_ = compiled.plus(a, b)
    assert cupy.asked == {"protocol": 0, "stream": 1}
    assert type(sum_) is cupy.ndarray and (sum_.shape, sum_.strides, sum_.dtype) == ((6,), (8,), np.float64)
    np.testing.assert_array_equal(elements(sum_), host + host[::-1])


def test_the_layout_of_results_is_kept(compiled, cupy):
    host = np.arange(12.0).reshape(3, 4)
    whole = array_of(cupy, host)
    turned = cupy.ndarray((4, 3), np.float64, whole.data, (8, 32))
    made = compiled.plus(turned, turned)
    assert (made.shape, made.strides) == ((4, 3), (host.T + host.T).strides)
    np.testing.assert_array_equal(elements(made), 2 * host.T)
    np.testing.assert_array_equal(elements(compiled.in_order(turned)), 2 * host.T)
    with pytest.raises(TypeError, match="order"):
        compiled.in_order(whole)


def test_views_are_of_the_parent_s_memory(compiled, cupy):
    host = np.arange(12.0).reshape(3, 4)
    parent = array_of(cupy, host)
    cupy.asked.update(protocol=0, stream=0)
    view = compiled.tail(parent)
    assert cupy.asked["protocol"] == 0 and view.data.mem is parent.data.mem
    assert (view.data.ptr - parent.data.ptr, view.shape, view.strides) == (56, (2, 4), (32, -8))
    np.testing.assert_array_equal(elements(view), host[1:, ::-1])


def test_the_overload_of_the_dtype_is_taken(compiled, cupy):
    for dtype in ("float32", "float64", "complex128"):
        host = np.arange(4).astype(dtype)
        found = compiled.plus(array_of(cupy, host), array_of(cupy, host))
        assert found.dtype == dtype
        np.testing.assert_array_equal(elements(found), host + host)
    with pytest.raises(TypeError, match="plus"):
        compiled.plus(array_of(cupy, np.arange(4)), array_of(cupy, np.arange(4)))


def test_a_result_lives_as_long_as_its_array(compiled, cupy):
    a = array_of(cupy, np.ones(1000))
    compiled.plus(a, a)
    gc.collect()
    before = numptx.memory_stats("cuda")["live_bytes"]
    made = compiled.plus(a, a)
    assert numptx.memory_stats("cuda")["live_bytes"] == before + 8000
    del made
    assert numptx.memory_stats("cuda")["live_bytes"] == before


def test_results_on_another_stream_than_cupy_s_go_through_the_protocol(compiled, cupy):
    """It makes CuPy's stream wait."""
    asked = []
    cupy.from_dlpack = lambda array: asked.append(array.__dlpack_device__()) or array
    a = array_of(cupy, np.ones(4))
    with numptx.Stream():
        made = compiled.plus(a, a)
    assert asked == [(2, 0)]
    np.testing.assert_array_equal(made.to_host(), np.full(4, 2.0))


def test_tensors_make_no_buffers(compiled, torch):
    host = np.arange(6.0)
    for place in ("cpu", "cuda"):
        a = torch.ndarray(numptx.asarray(host.copy(), device=place))
        b = torch.ndarray(numptx.asarray(host[::2].copy(), device=place))
        before = numptx.memory_stats()["foreign_buffers"]
        with pytest.raises(ValueError, match="broadcast"):
            compiled.plus(a, b)
        compiled.increase(a)
        assert numptx.memory_stats()["foreign_buffers"] == before
        np.testing.assert_array_equal(a.memory.to_host(), host + 1)
        matrix = torch.ndarray(numptx.asarray(host.reshape(2, 3).copy(), device=place))
        view = compiled.tail(matrix)
        found = view.memory if type(view) is torch.ndarray else view
        np.testing.assert_array_equal(found.to_host(), host.reshape(2, 3)[1:, ::-1])


def test_a_graph_keeps_what_libraries_show(compiled, torch):
    a = torch.ndarray(numptx.asarray(np.arange(3.0), device="cuda"))
    memory, alive = a.memory, weakref.ref(a)
    compiled.increase(a)
    with numptx.Graph() as graph:
        compiled.increase(a)
    del a
    torch.release()
    gc.collect()
    assert alive() is not None, "a replay writes there"
    graph.replay()
    numptx.synchronize()
    np.testing.assert_array_equal(memory.to_host(), np.arange(3.0) + 2)
    del graph
    # A driver lets go of it when it likes, and what it let go of is dropped at the next call.
    limit = time.monotonic() + 60
    while alive() is not None and time.monotonic() < limit:
        numptx.synchronize()
        compiled.plus(memory, memory)
        gc.collect()
        time.sleep(0.01)
    assert alive() is None


@pytest.mark.skipif(not IS_MOCK, reason="the mock driver logs")
def test_the_memory_of_a_captured_result_waits_for_its_library(compiled, torch, driver):
    """The library may go on with the result on its own stream, where a replay left it."""
    stream = OtherStream(driver)
    x = torch.ndarray(numptx.asarray(np.ones(1000), device="cuda"))
    numptx.synchronize()
    torch.current = stream.cuda_stream
    with stream.capture() as graph:
        result = compiled.plus(x, x)
    graph.launch(stream)
    graph.destroy()
    numptx.synchronize()
    # What the graph kept is let go.
    del graph
    compiled.plus(x, x)
    numptx.synchronize()
    with driver.log() as calls:
        del result
        torch.release()
        gc.collect()
    freed = next(n for n, call in enumerate(calls) if "cuMemFreeAsync" in call)
    assert any("cuStreamWaitEvent" in call for call in calls[:freed])


@pytest.mark.skipif(not IS_MOCK, reason="the mock driver counts")
def test_threads_leave_no_memory_behind_on_streams_of_libraries(compiled, torch, driver):
    stream = OtherStream(driver)
    torch.current = stream.cuda_stream
    x = torch.ndarray(numptx.asarray(np.ones(1000), device="cuda"))

    def work():
        results = [compiled.plus(x, x) for _ in range(8)]
        del results

    counts = []
    for _ in range(4):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        torch.release()
        gc.collect()
        counts.append(driver.count("live_allocations"))
    assert counts[1:] == counts[:1] * 3
