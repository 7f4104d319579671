"""Python's collector of cycles finds objects that keep arrays over their own memory, and leaves those alone that somebody else still uses."""

import gc
import importlib.util
import sys
import threading
import weakref

import numpy as np
import pytest

import numptx
from cuda_driver import OtherStream
from other_libraries import Exporter, InterfaceOnly

PROGRAM = """
#numptx export tail(float64[:])
#numptx export twice(float64[:])
def tail(x):
    return x[1:]
def twice(x):
    return 2 * x
"""

pytestmark = pytest.mark.thread_unsafe(reason="counts what is alive in the process")


@pytest.fixture(scope="module")
def compiled(workshop):
    return workshop.pair(PROGRAM)[0]


@pytest.fixture(autouse=True)
def on_device():
    gc.collect()
    gc.disable()
    with numptx.device("auto"):
        yield
    gc.enable()
    gc.collect()


def places():
    return ["cpu", *(["cuda"] if len(numptx.devices()) > 1 else [])]


def exporter(place):
    """An object with memory of its own that numptx reads; others can set attributes of it."""
    memory = numptx.asarray(np.arange(5.0), device=place)
    return Exporter(memory) if place == "cpu" else InterfaceOnly(memory)


KEEPERS = {
    "the array": lambda compiled, array: array,
    "views": lambda compiled, array: (array, array[1:], array[::2].T, array[2:][1:]),
    "a view alone": lambda compiled, array: array[::-1],
    "what a call returns": lambda compiled, array: (compiled.tail(array), compiled.tail(array)[1:]),
}


def live(place):
    return numptx.memory_stats(place)["live_buffers"]


@pytest.mark.parametrize("keeper", KEEPERS)
def test_an_object_that_keeps_arrays_over_its_own_memory_goes(compiled, keeper):
    for place in places():
        before, objects = live(place), []
        for _ in range(10):
            owner = exporter(place)
            owner.kept = KEEPERS[keeper](compiled, numptx.asarray(owner))
            objects.append(weakref.ref(owner))
            del owner
        assert all(found() is not None for found in objects)
        gc.collect()
        assert all(found() is None for found in objects) and live(place) == before


def test_arrays_that_calls_take_from_an_object_in_a_cycle_go(compiled):
    for place in places():
        before = live(place)
        owner = exporter(place)
        owner.kept = compiled.tail(owner)
        gone = weakref.ref(owner)
        del owner
        gc.collect()
        assert gone() is None and live(place) == before


def test_memory_that_another_library_holds_stays(compiled):
    for place in places():
        before = live(place)
        owner = exporter(place)
        owner.kept = numptx.asarray(owner)
        gone = weakref.ref(owner)
        capsule = owner.kept[1:].__dlpack__(max_version=(1, 0))
        del owner
        gc.collect()
        if place == "cuda":
            assert gone() is not None and gone().kept is not None
        del capsule
        gc.collect()
        assert gone() is None and live(place) == before


def test_views_outlive_the_array_that_they_come_from(compiled):
    for place in places():
        before = live(place)
        view = numptx.asarray(exporter(place))[1:]
        inner, result = view[1:], compiled.tail(view)
        del view
        gc.collect()
        np.testing.assert_array_equal(inner.to_host(), [2, 3, 4])
        np.testing.assert_array_equal(result.to_host(), [2, 3, 4])
        del inner, result
        gc.collect()
        assert live(place) == before


@pytest.mark.long("cuda")
def test_collections_during_calls_on_other_threads_take_nothing_away(compiled):
    for place in places():
        owner = exporter(place)
        owner.kept = numptx.asarray(owner)
        stop = threading.Event()

        def call():
            while not stop.is_set():
                compiled.twice(owner.kept)
                compiled.tail(owner.kept)

        threads = [threading.Thread(target=call) for _ in range(3)]
        [thread.start() for thread in threads]
        for _ in range(50):
            gc.collect()
        stop.set()
        [thread.join() for thread in threads]
        np.testing.assert_array_equal(owner.kept.to_host(), np.arange(5.0))
        del owner


STREAM_KEEPERS = {
    "a stream": lambda owner: numptx.Stream(owner),
    "a graph": lambda owner: numptx.Graph(owner),
    "a graph of a stream": lambda owner: [numptx.Graph(numptx.Stream(owner))],
    "a stream and its events": lambda owner: (numptx.Stream(owner), numptx.Stream(owner).record()),
}


class StreamOwner:
    """A stream of another library, of which others can set attributes."""

    def __init__(self, driver):
        self.other = OtherStream(driver)

    def __cuda_stream__(self):
        return 0, self.other.ptr


@pytest.mark.parametrize("keeper", STREAM_KEEPERS)
def test_an_object_that_keeps_streams_of_its_own_goes(request, keeper):
    if len(numptx.devices()) == 1:
        pytest.skip("no GPU")
    owner = StreamOwner(request.getfixturevalue("driver"))
    owner.kept = STREAM_KEEPERS[keeper](owner)
    gone = weakref.ref(owner)
    del owner
    assert gone() is not None
    gc.collect()
    assert gone() is None


def test_a_stream_that_memory_needs_stays(compiled, request):
    if len(numptx.devices()) == 1:
        pytest.skip("no GPU")
    owner = StreamOwner(request.getfixturevalue("driver"))
    owner.kept = numptx.Stream(owner)
    gone = weakref.ref(owner)
    with owner.kept:
        result = compiled.twice(numptx.asarray(np.arange(3.0), device="cuda"))
    del owner
    gc.collect()
    assert gone() is not None
    np.testing.assert_array_equal(result.to_host(), [0, 2, 4])
    del result
    gc.collect()
    assert gone() is None


def forgotten(file, name):
    """A module imported from a file, which keeps itself and its functions, and which nobody else keeps; looked at after a collection."""
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.itself, module.functions = module, [module.twice, module.tail]
    sys.modules.pop(name, None) if sys.modules.get(name) is module else None
    gone = weakref.ref(module)
    del module
    gc.collect()
    return gone()


def test_a_module_that_keeps_its_own_functions_goes(compiled, workshop):
    plain = forgotten(workshop.written(PROGRAM), "plain_kernels")
    # Free-threaded CPython 3.13 keeps every module for good once a thread has been started.
    assert (forgotten(compiled.__file__, compiled.__name__) is None) == (plain is None)
    if not hasattr(sys, "_is_gil_enabled") or sys._is_gil_enabled() or sys.version_info >= (3, 14):
        assert plain is None
