"""Streams and events: what runs on which, and that arrays which go from stream to stream wait for each other's work."""

import contextlib
import ctypes
import gc
import threading

import numpy as np
import pytest

import numptx
from cuda_driver import IS_MOCK, OtherStream
from other_libraries import Family

PROGRAM = """
#numptx export twice(float64[:])
#numptx export add(float64[:], float64[:])
#numptx export increase(float64[:])
#numptx export first(float64[:])
#numptx export tails(float64[:])
#numptx export backwards(float64[:])
def tails(x):
    return x[1:], x[2:]
def backwards(x):
    return x[::-1]
def twice(x):
    return 2 * x
def add(x, y):
    return x + y
def increase(x):
    x += 1
def first(x):
    return x[0] + 1
"""
SCATTERS = """
#numptx export put(float64[:], int64[:], float64[:])
import numpy as np
def put(x, idx, v):
    np.add.at(x, idx, v)
    x[idx] = v - x[0]
"""


@pytest.fixture(scope="module")
def compiled(workshop):
    return workshop.pair(PROGRAM)[0]


@pytest.fixture(autouse=True)
def on_device():
    with numptx.device("auto"):
        yield


def on_gpu(values):
    return numptx.asarray(np.array(values, float), device="cuda")


def equal(array, values):
    np.testing.assert_array_equal(array.to_host(), values)


def test_calls_run_on_the_stream_of_the_block(compiled, pace):
    x = on_gpu([1, 2, 3])
    stream = numptx.Stream()
    assert numptx.current_stream() is None
    with stream as entered:
        assert entered is stream and numptx.current_stream() is stream
        y = compiled.twice(x)
        with numptx.Stream() as inner:
            assert numptx.current_stream() is inner
            z = compiled.add(x, y)
        assert numptx.current_stream() is stream
    assert numptx.current_stream() is None
    equal(z, [3, 6, 9])
    stream.synchronize()
    assert stream.done and not stream.is_capturing


def test_a_block_s_stream_is_of_its_thread_alone():
    seen = []
    with numptx.Stream():
        thread = threading.Thread(target=lambda: seen.append(numptx.current_stream()))
        thread.start()
        thread.join()
    assert seen == [None]


def test_host_arrays_go_to_the_device_of_the_block_s_stream(compiled):
    with numptx.Stream():
        y = compiled.twice(np.arange(3.0))
        assert numptx.last_device() == "cuda:0"
    assert isinstance(y, np.ndarray)
    np.testing.assert_array_equal(y, [0, 2, 4])


@pytest.mark.parametrize("n", [1, 2, 5])
def test_arrays_go_from_stream_to_stream(compiled, pace, n):
    streams = [numptx.Stream() for _ in range(n)] + [None]
    x = on_gpu([1, 2, 3])
    expected = np.array([1.0, 2, 3])
    for i in range(12):
        stream = streams[i % len(streams)]
        if stream is None:
            x = compiled.twice(x)
        else:
            with stream:
                x = compiled.twice(x)
        expected *= 2
    equal(x, expected)


def test_a_write_waits_for_all_readers(compiled, pace):
    x = on_gpu(np.arange(1000))
    streams = [numptx.Stream() for _ in range(3)]
    results = []
    for stream in streams:
        with stream:
            results.append(compiled.twice(x))
    compiled.increase(x)
    with streams[0]:
        after = compiled.twice(x)
    with streams[1]:
        compiled.increase(x)
    for result in results:
        equal(result, 2 * np.arange(1000.0))
    equal(after, 2 * np.arange(1000.0) + 2)
    equal(x, np.arange(1000.0) + 2)


def test_memory_is_freed_after_its_last_use_on_any_stream(compiled, pace):
    """Dropped right after the call: on the driver that puts its work off a free too early is a violation."""
    one, other = numptx.Stream(), numptx.Stream()
    with one:
        x = compiled.twice(on_gpu([1, 2, 3]))
    with other:
        y = compiled.twice(x)
    del x
    gc.collect()
    # Its own stream comes to the free before anybody asks for the other's work.
    one.synchronize()
    equal(y, [4, 8, 12])


@pytest.mark.skipif(not IS_MOCK, reason="the mock driver counts events")
def test_one_event_where_an_array_changes_streams_and_none_where_it_stays(compiled, driver):
    x, stream = on_gpu([1, 2, 3]), numptx.Stream()
    compiled.twice(x)
    before = driver.count("events")
    for _ in range(5):
        compiled.twice(x)
    assert driver.count("events") == before
    with stream:
        compiled.increase(x)
        assert driver.count("events") == before + 1
        for _ in range(5):
            compiled.increase(x)
    assert driver.count("events") == before + 1
    live = driver.count("live_events")
    equal(x, [7, 8, 9])
    assert driver.count("live_events") == live


def test_scatters_on_several_streams_claim_in_memory_of_their_own(workshop, pace):
    compiled, plain = workshop.pair(SCATTERS)
    indices = np.random.default_rng(1).integers(-500, 500, 4000)
    idx, values = numptx.asarray(indices, device="cuda"), [np.arange(4000.0) * n for n in range(6)]
    targets = [on_gpu(np.zeros(500)) for _ in values]
    shared = on_gpu(np.zeros(500))
    for x, v in zip(targets, values):
        with numptx.Stream():
            v = on_gpu(v)
            compiled.put(x, idx, v)
            compiled.put(shared, idx, v)
    expected = np.zeros(500)
    for x, v in zip(targets, values):
        alone = np.zeros(500)
        plain.put(alone, indices, v)
        plain.put(expected, indices, v)
        equal(x, alone)
    equal(shared, expected)


def test_events_order_and_measure(compiled, pace):
    one, other = numptx.Stream(), numptx.Stream()
    start, end = numptx.Event(timing=True), numptx.Event(timing=True)
    assert start.device == "cuda:0" and start.done
    start.record(one)
    with one:
        x = compiled.twice(on_gpu([1]))
        end.record()
    other.wait(end)
    other.wait(one)
    end.wait(other)
    assert start.elapsed_time(end) >= 0
    assert start.done and end.done
    mark = other.record()
    mark.synchronize()
    assert mark.done
    with pytest.raises(ValueError, match="timing=True"):
        start.elapsed_time(mark)
    with pytest.raises(ValueError, match="have to be recorded"):
        start.elapsed_time(numptx.Event(timing=True))
    equal(x, [2])


def test_an_event_is_waited_for_on_another_thread(compiled, pace):
    stream, event, found = numptx.Stream(), numptx.Event(), []
    with stream:
        x = compiled.twice(on_gpu([1, 2]))
        event.record()

    def wait():
        event.synchronize()
        found.append(x.to_host().tolist())

    thread = threading.Thread(target=wait)
    thread.start()
    thread.join()
    assert found == [[2, 4]]


def test_streams_of_other_libraries_are_taken(compiled, driver, pace):
    other = OtherStream(driver)
    stream = numptx.Stream(other)
    assert stream.handle == other.ptr == stream.__cuda_stream__()[1] and stream.device == "cuda:0"
    assert stream == numptx.Stream(stream) and hash(stream) == hash(numptx.Stream(other)) and stream != numptx.Stream()
    for source in [
        type("Attribute", (), {"__cuda_stream__": (0, other.ptr)})(),
        type("Torch", (), {"cuda_stream": other.ptr})(),
        type("CuPy", (), {"ptr": other.ptr, "device_id": 0})(),
    ]:
        assert numptx.Stream(source) == stream
    with numptx.Stream(other):
        x = compiled.twice(on_gpu([1, 2]))
    numptx.Event().record(other)
    equal(x, [2, 4])
    default = numptx.Stream(type("Default", (), {"ptr": 0})())
    assert "default" in repr(default) and default.handle == 1
    with default:
        equal(compiled.twice(x), [4, 8])


def test_streams_of_other_libraries_are_taken_wherever_a_stream_is(compiled, driver):
    """Also by keyword, and in DLPack's request, where the protocol has a number."""
    other = type("Other", (), {"__cuda_stream__": lambda _, stream=OtherStream(driver): (0, stream.ptr)})()
    stream, x = numptx.Stream(other), on_gpu([1, 2])
    first, last = numptx.Event(timing=True), numptx.Event(timing=True)
    first.record(stream=other)
    last.record(other)
    last.synchronize()
    assert first.elapsed_time(last) >= 0
    first.wait(stream=other)
    numptx.Stream().wait(other)
    assert numptx.Graph(stream=other).stream == stream
    with numptx.Graph() as graph:
        y = compiled.twice(x)
    graph.replay(stream=other)
    equal(y, [2, 4])
    for given in (other, stream, stream.handle, 1, 2, -1, None):
        np.testing.assert_array_equal(numptx.asarray(Again(x, given)).to_host(), [1, 2])
    with pytest.raises(TypeError, match="__cuda_stream__"):
        x.__dlpack__(stream="other")


class Again:
    """A producer that asks an array for its tensor with a stream of its own."""

    def __init__(self, array, stream):
        self.array, self.stream = array, stream

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, *, stream=None, **options):
        return self.array.__dlpack__(stream=self.stream, **options)


def test_what_is_no_stream_is_refused():
    with pytest.raises(TypeError, match="__cuda_stream__"):
        numptx.Stream(3)
    with pytest.raises(TypeError, match="version 7"):
        numptx.Stream(type("Newer", (), {"__cuda_stream__": lambda _: (7, 1)})())
    with pytest.raises(TypeError, match="version, handle"):
        numptx.Stream(type("Wrong", (), {"__cuda_stream__": lambda _: "stream"})())
    with pytest.raises(ValueError, match="belong to a GPU"):
        numptx.Stream(device="cpu")


class Watched:
    """A producer that says on which stream it works, and sees on which it is asked to order itself."""

    def __init__(self, memory, stream):
        self.memory, self.stream, self.asked = memory, stream, []

    def __dlpack_device__(self):
        return self.memory.__dlpack_device__()

    def __dlpack__(self, *, stream=None, **options):
        self.asked.append(stream)
        return self.memory.__dlpack__(stream=stream, **options)


@pytest.mark.parametrize("library", ["torch", "cupy"])
def test_calls_run_on_the_producer_s_current_stream(compiled, driver, pace, library):
    with Family(library, "cuda") as family:
        if family.is_real:
            streams = {"torch": lambda: family.library.cuda.Stream(), "cupy": lambda: family.library.cuda.Stream(non_blocking=True)}
            with numptx.Stream(streams[library]()):
                x = family.make(np.arange(4.0))
                equal(numptx.asarray(compiled.twice(x)), 2 * np.arange(4.0))
            return
        family.library.cuda = type("cuda", (), {})
        other = OtherStream(driver)
        family.library.cuda.current_stream = lambda device: other
        family.library.cuda.get_current_stream = lambda: other
        x = family.make(np.arange(4.0))
        with numptx.Stream(other):
            # Work of the library itself, on its own stream.
            compiled.increase(x.memory)
        y = compiled.twice(x)
        np.testing.assert_array_equal(family.elements(y), 2 * np.arange(4.0) + 2)
        with numptx.Stream():
            z = compiled.twice(x)
        np.testing.assert_array_equal(family.elements(z), 2 * np.arange(4.0) + 2)


def test_dlpack_makes_the_consumer_wait(compiled, driver, pace):
    consumer = OtherStream(driver)
    with numptx.Stream():
        x = compiled.twice(on_gpu([1, 2, 3]))
    for stream in (None, 1, 2, -1, consumer.ptr):
        assert "dltensor" in repr(x.__dlpack__(stream=stream))
    with pytest.raises(ValueError, match="no stream"):
        x.__dlpack__(stream=-2)
    known = Watched(x, None)
    equal(numptx.asarray(known), [2, 4, 6])
    assert known.asked == [1]


def test_the_cuda_array_interface_s_stream_is_respected(compiled, driver, pace):
    producer = OtherStream(driver)
    memory = on_gpu([1, 2, 3])
    with numptx.Stream(producer):
        compiled.increase(memory)
    interface = {**memory.__cuda_array_interface__, "stream": producer.ptr}
    holder = type("Holder", (), {"__cuda_array_interface__": interface})()
    equal(compiled.twice(holder), [4, 6, 8])
    equal(numptx.asarray(holder), [2, 3, 4])
    with numptx.Stream():
        equal(compiled.twice(holder), [4, 6, 8])
    with numptx.Stream():
        y = compiled.twice(memory)
    assert y.__cuda_array_interface__["stream"] == 1
    equal(numptx.asarray(type("Holder", (), {"__cuda_array_interface__": y.__cuda_array_interface__})()), [4, 6, 8])


@pytest.mark.parametrize("is_gone", [False, True])
def test_results_that_view_an_array_with_an_interface_wait_for_its_stream(compiled, driver, pace, is_gone):
    """Also when that stream is gone by then: nobody says how long it lives."""
    producer, memory, source = OtherStream(driver), on_gpu([0, 0, 0]), on_gpu([2, 3, 4])
    numptx.synchronize()
    copy_on(driver, producer, address(memory), address(source), 24)
    interface = {**memory.__cuda_array_interface__, "stream": producer.ptr}
    holder = type("Holder", (), {"__cuda_array_interface__": interface})()
    caller = numptx.Stream()
    with caller:
        tail, end = compiled.tails(holder)
    assert tail.base is holder and end.base is holder
    if is_gone:
        producer.destroy()
    with numptx.Stream():
        after = compiled.twice(tail)
        compiled.increase(tail)
    with numptx.Stream():
        last = compiled.twice(end)
    equal(after, [6, 8])
    equal(tail, [4, 5])
    equal(last, [10])


def address(array):
    return array.__cuda_array_interface__["data"][0]


def copy_on(driver, stream, to, source, nbytes):
    """A copy on a device that numptx does not know of."""
    with driver.context():
        driver.cuMemcpyDtoDAsync_v2(ctypes.c_uint64(to), ctypes.c_uint64(source), ctypes.c_size_t(nbytes), stream.pointer)


@contextlib.contextmanager
def stand_in(name, stream):
    """A library that works on this stream."""
    with Family(name, "cuda") as family:
        if family.is_real:
            pytest.skip("the library's own streams are looked at elsewhere")
        family.library.cuda = type("cuda", (), {})
        family.library.cuda.current_stream = lambda device: stream
        family.library.cuda.get_current_stream = lambda: stream
        yield family


def test_results_that_stay_ours_wait_for_the_library_s_stream(compiled, driver, pace):
    """PyTorch has no arrays that run backwards: such a view of its memory is a `numptx.Array`."""
    producer, consumer = OtherStream(driver), OtherStream(driver)
    with stand_in("torch", producer) as family:
        x = family.make(np.arange(4.0))
        with numptx.Stream():
            view = compiled.backwards(x)
        with numptx.Stream(producer):
            compiled.increase(x.memory)
        with numptx.Stream():
            y = compiled.twice(view)
            z = compiled.twice(view[1:])
        assert type(view) is numptx.Array
        equal(y, [8, 6, 4, 2])
        equal(z, [6, 4, 2])
        # Views of it, and whoever they are given to, too.
        target, source = on_gpu(np.zeros(4)), view[::-1]
        numptx.synchronize()
        with numptx.Stream(producer):
            compiled.increase(x.memory)
        source.__dlpack__(stream=consumer.ptr, max_version=(1, 0))
        copy_on(driver, consumer, address(target), address(x.memory), 32)
        numptx.Stream(consumer).synchronize()
        equal(target, [2, 3, 4, 5])


def test_arrays_taken_during_a_capture_stay_in_it(compiled, driver, pace):
    """A view of what another library's capture computes is used there, and nowhere else."""
    other = OtherStream(driver)
    with stand_in("torch", other) as family:
        x = family.make(np.arange(4.0))
        compiled.twice(x)
        with other.capture() as graph:
            taken = numptx.asarray(x)[::-1]
            view = compiled.backwards(taken)
            y = compiled.twice(view)
            with pytest.raises(RuntimeError, match="captured"):
                view.__dlpack__(stream=1)
        graph.launch(other)
        equal(numptx.asarray(y), 2 * np.arange(4.0))


def test_scalars_are_waited_for_on_their_stream(compiled, pace):
    x = on_gpu([1, 2])
    with numptx.Stream():
        compiled.increase(x)
        assert float(compiled.first(x)) == 3


def test_threads_with_a_stream_each(compiled, pace):
    shared, wrong = on_gpu(np.arange(100)), []

    def work(n):
        with numptx.Stream():
            x = compiled.twice(shared)
            for _ in range(20):
                x = compiled.add(x, shared)
            if not np.array_equal(x.to_host(), 22 * np.arange(100.0)):
                wrong.append(n)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not wrong


def test_streams_and_events_are_given_back(driver, pace):
    if IS_MOCK:
        gc.collect()
        before = driver.count("live_streams"), driver.count("live_events")
    for _ in range(10):
        stream = numptx.Stream()
        stream.record().synchronize()
    del stream
    gc.collect()
    if IS_MOCK:
        assert (driver.count("live_streams"), driver.count("live_events")) == before
        assert driver.count("violations") == 0


@pytest.mark.skipif(not IS_MOCK, reason="the mock driver tells of memory that is used after its end")
def test_memory_is_freed_after_what_a_consumer_has_done_with_it(compiled, driver, pace):
    target = on_gpu(np.zeros(1000))
    x = on_gpu(np.arange(1000.0))
    numptx.synchronize()
    consumer = numptx.Stream()
    for handle in (1, 2, consumer.__cuda_stream__()[1]):
        producer = numptx.Stream()
        with producer:
            y = compiled.twice(x)
        capsule = y.__dlpack__(stream=handle, max_version=(1, 0))
        source = y.__cuda_array_interface__["data"][0]
        del y
        violations = driver.count("violations")
        with driver.context():
            driver.cuMemcpyDtoDAsync_v2(
                ctypes.c_uint64(target.__cuda_array_interface__["data"][0]), ctypes.c_uint64(source), ctypes.c_size_t(8000),
                ctypes.c_void_p(handle),
            )
        del capsule
        with producer:
            z = compiled.twice(on_gpu(np.full(1000, 7.0)))
        producer.synchronize()
        numptx.synchronize()
        assert driver.count("violations") == violations
        np.testing.assert_array_equal(target.to_host(), 2 * np.arange(1000.0))
        del z
