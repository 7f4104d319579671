"""How long streams are kept, and that letting them go waits for nobody. On the mock driver, which counts them."""

import gc
import sys
import types
import weakref

import numpy as np
import pytest

import numptx
from cuda_driver import OtherStream
from cupy_attributes import ExternalStream, array_of, elements, make_cupy
from dlpack_exchange import Library
from other_libraries import Family
from subprocesses import run_python

PROGRAM = """
#numptx export twice(float64[:])
def twice(x):
    return 2 * x
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


def test_streams_that_read_an_array_go_when_they_have_done_so(compiled, driver):
    x = on_gpu([1, 2, 3])
    before = driver.count("live_streams")
    for _ in range(100):
        stream = numptx.Stream()
        with stream:
            y = compiled.twice(x)
        del y
    del stream
    assert driver.count("live_streams") - before <= 10


def test_streams_with_work_are_kept(compiled, driver):
    x = on_gpu([1, 2, 3])
    driver.defer(True)
    try:
        results = []
        for _ in range(20):
            with numptx.Stream():
                results.append(compiled.twice(x))
        x.copy_from(on_gpu([0, 0, 0]))
        for result in results:
            np.testing.assert_array_equal(result.to_host(), [2, 4, 6])
    finally:
        driver.defer(False)


class Producer:
    """An array of a library that has only `__cuda_array_interface__`, with a stream that dies before it."""

    def __init__(self, memory, stream):
        self.__cuda_array_interface__ = {**memory.__cuda_array_interface__, "stream": stream}
        self.memory = memory


def test_a_thread_keeps_no_array_for_its_stream(compiled):
    stream = numptx.Stream()
    for use in (compiled.twice, numptx.asarray):
        producer = Producer(on_gpu([1, 2, 3]), stream.__cuda_stream__()[1])
        result = use(producer)
        watched = weakref.ref(producer)
        del producer, result
        gc.collect()
        assert watched() is None


def test_letting_a_stream_go_waits_for_no_other_thread(compiled):
    text = """if True:
        import sys, threading, numpy as np, numptx
        from compilation import load_compiled
        twice = load_compiled(sys.argv[1]).twice
        sys.setswitchinterval(1e-5)
        class Other:
            def __init__(self, stream):
                self.stream = stream
            def __cuda_stream__(self):
                return self.stream.__cuda_stream__()
        with numptx.device("auto"):
            x = numptx.asarray(np.arange(6.0), device="cuda")
            stop = threading.Event()
            def share():
                while not stop.is_set():
                    x.__dlpack__(stream=1, max_version=(1, 0))
            sharer = threading.Thread(target=share, daemon=True)
            sharer.start()
            real = numptx.Stream()
            for _ in range(300):
                stream = numptx.Stream(Other(real))
                with stream:
                    twice(x)
                del stream
                x.copy_from(x)
            stop.set()
            sharer.join()
    """
    run_python(text, compiled.__file__, timeout=120)


def test_the_end_of_a_stream_may_make_calls(compiled, driver):
    """The stand-in for CuPy tells its current stream, which the thread remembers; forgetting it runs its `__del__`."""
    done = []

    class Ending:
        def __init__(self, then):
            self.other, self.then = OtherStream(driver), then
            self.ptr = self.other.ptr

        def __del__(self):
            if self.then:
                chosen[0] = self.then
                done.append(use())

    def use():
        return family.elements(compiled.twice(family.make(np.arange(4.0)))).tolist()

    with Family("cupy", "cuda") as family:
        family.library.cuda = type("cuda", (), {"get_current_stream": lambda: chosen[0]})
        chosen = [Ending(Ending(None))]
        use()
        chosen[0] = Ending(None)
        for _ in range(3):
            assert use() == [0, 2, 4, 6]
        gc.collect()
    assert done == [[0, 2, 4, 6]]


def test_streams_that_somebody_else_destroys_are_not_remembered(compiled, driver, monkeypatch):
    """CuPy's `ExternalStream` has the handle alone: its stream may be gone while the object and the array are there."""
    stream = OtherStream(driver)
    library = make_cupy(ExternalStream(stream.ptr))
    monkeypatch.setitem(sys.modules, "cupy", library)
    library.from_dlpack = lambda array: array
    x = array_of(library, np.arange(3.0))
    y = compiled.twice(x)
    numptx.synchronize()
    np.testing.assert_array_equal(elements(y), [0, 2, 4])
    stream.destroy()
    before = driver.count("violations")
    numptx.synchronize()
    del y
    numptx.trim("cuda")
    assert driver.count("violations") == before


def test_external_streams_of_pytorch_are_told_by_their_numbers(compiled, driver, monkeypatch):
    stream = OtherStream(driver)
    library = Library("torch")
    current = types.SimpleNamespace(cuda_stream=stream.ptr, stream_id=stream.ptr)
    library.module.cuda = types.SimpleNamespace(current_stream=lambda device: current)
    library.current = stream.ptr
    monkeypatch.setitem(sys.modules, "torch", library.module)
    x = library.ndarray(numptx.asarray(np.arange(3.0), device="cuda"))
    compiled.twice(x)
    numptx.synchronize()
    library.release()
    stream.destroy()
    before = driver.count("violations")
    numptx.synchronize()
    assert driver.count("violations") == before
