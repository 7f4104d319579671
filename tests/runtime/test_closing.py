"""What is closed lets go of its memory at once, and says so to who uses it later; views that are alive keep it. On the host and on a GPU."""

import contextlib
import copy
import gc
import pickle
import sys
import threading
import weakref

import numpy as np
import pytest

import numptx
from other_libraries import Exporter

PROGRAM = """
#numptx export tail(float64[:])
#numptx export twice(float64[:])
#numptx export add(float64[:], float64[:])
#numptx export scaled(float64[:], float64)
#numptx export rounds(float64[:], int)
def tail(x):
    return x[1:]
def twice(x):
    return 2 * x
def add(x, y):
    return x + y
def scaled(x, factor):
    return factor * x
def rounds(x, n):
    total = 0 * x
    for _ in range(n):
        total = total + x
    return total
"""

pytestmark = pytest.mark.thread_unsafe(reason="counts what is alive in the process")
CLOSED = pytest.raises(ValueError, match="the numptx.Array was closed")


@pytest.fixture(scope="module")
def compiled(workshop):
    return workshop.pair(PROGRAM)[0]


@pytest.fixture(autouse=True)
def anywhere():
    gc.collect()
    with numptx.device("auto"):
        yield


@pytest.fixture(params=["cpu", "cuda"])
def place(request):
    if request.param == "cuda" and len(numptx.devices()) == 1:
        pytest.skip("no GPU")
    return request.param


def fresh(compiled, place, n=5):
    """An array with memory of numptx's own."""
    return compiled.twice(numptx.asarray(np.arange(float(n)), device=place))


def live(place):
    return numptx.memory_stats(place)["live_buffers"]


def test_the_end_of_a_block_frees_at_once(compiled, place):
    before = live(place)
    array = fresh(compiled, place)
    with array as entered:
        assert entered is array and not array.closed and live(place) == before + 1
    assert array.closed and live(place) == before
    with contextlib.suppress(KeyError), fresh(compiled, place) as other:
        raise KeyError
    assert other.closed and live(place) == before


def test_closing_lets_go_of_what_the_array_was_made_of(place):
    owner = Exporter(numptx.asarray(np.arange(4.0), device=place))
    gone, array = weakref.ref(owner), numptx.asarray(owner)
    view = array[1:]
    del owner
    array.close()
    gc.collect()
    assert gone() is not None
    np.testing.assert_array_equal(view.to_host(), [1, 2, 3])
    view.close()
    gc.collect()
    assert gone() is None


USES = {
    "a call": lambda compiled, array: compiled.twice(array),
    "a call with others": lambda compiled, array: compiled.add(numptx.asarray(np.zeros(5), device=array.device), array),
    "a view by a call": lambda compiled, array: compiled.tail(array),
    "an index": lambda compiled, array: array[1:],
    "T": lambda compiled, array: array.T,
    "base": lambda compiled, array: array.base,
    "to_host": lambda compiled, array: array.to_host(),
    "to": lambda compiled, array: array.to(array.device),
    "to the host": lambda compiled, array: array.to("cpu"),
    "copy_from": lambda compiled, array: array.copy_from(np.zeros(5)),
    "copy_from of another": lambda compiled, array: numptx.asarray(np.zeros(5)).copy_from(array),
    "a block": lambda compiled, array: array.__enter__(),
    "asarray": lambda compiled, array: numptx.asarray(array),
    "dlpack": lambda compiled, array: array.__dlpack__(),
    "dlpack 1.0": lambda compiled, array: array.__dlpack__(max_version=(1, 0)),
    "copy": lambda compiled, array: copy.copy(array),
    "deepcopy": lambda compiled, array: copy.deepcopy(array),
    "pickle": lambda compiled, array: pickle.dumps(array),
    "read_only": lambda compiled, array: numptx._native.read_only(array),
}


@pytest.mark.parametrize("use", USES)
def test_a_later_use_says_that_it_was_closed(compiled, place, use):
    array = fresh(compiled, place)
    array.close()
    with CLOSED:
        USES[use](compiled, array)


def test_numbers_and_buffers_of_a_closed_array_are_refused(compiled, place):
    one = compiled.twice(numptx.asarray(np.ones(1), device=place))
    one.close()
    for use in (float, int, bool, complex, lambda array: array.item(), lambda array: compiled.scaled(np.ones(2), array)):
        with CLOSED:
            use(one)
    with CLOSED if place == "cuda" else pytest.raises((ValueError, BufferError), match="closed"):
        memoryview(one)
    with CLOSED if place == "cpu" else pytest.raises((ValueError, TypeError)):
        np.asarray(one)
    with pytest.raises((ValueError, AttributeError), match="closed|interface"):
        one.__cuda_array_interface__


def test_what_it_was_can_be_asked_after_it_was_closed(compiled, place):
    array = fresh(compiled, place)
    size = sys.getsizeof(array)
    for _ in range(2):
        array.close()
        assert array.closed and array.shape == (5,) and array.strides == (8,) and array.dtype == np.float64
        assert (array.ndim, array.size, array.itemsize, array.nbytes, len(array)) == (1, 5, 8, 40, 5)
        assert repr(array) == f"<numptx.Array float64[5] on {array.device}, closed>" and array.device.startswith(place)
    assert sys.getsizeof(array) < size


def test_views_that_are_alive_keep_the_memory(compiled, place):
    before = live(place)
    array = fresh(compiled, place)
    views = [array[1:], compiled.tail(array), array[1:][::-1].T[::-1]]
    array.close()
    for view in views:
        assert view.base is array
        np.testing.assert_array_equal(view.to_host(), [2, 4, 6, 8])
    assert live(place) >= before + 1
    for view in views:
        view.close()
    del view
    assert live(place) == before


def test_views_of_other_libraries_keep_the_memory(compiled, place):
    before = live(place)
    array = fresh(compiled, place)
    if place == "cpu":
        kept = [array.to_host(), memoryview(array), np.asarray(array), np.from_dlpack(array)]
    else:
        kept = [numptx.asarray(Exporter(array)), array.__dlpack__(max_version=(1, 0))]
    array.close()
    assert live(place) == before + 1
    for view in kept[:-1]:
        values = view.to_host() if isinstance(view, numptx.Array) else view
        np.testing.assert_array_equal(values, [0, 2, 4, 6, 8])
    if place == "cpu":
        np.testing.assert_array_equal(kept[-1], [0, 2, 4, 6, 8])
    del kept, view, values
    assert live(place) == before


def test_who_takes_the_interface_keeps_the_array(compiled):
    if len(numptx.devices()) == 1:
        pytest.skip("no GPU")
    before = live("cuda")
    array = fresh(compiled, "cuda")
    array.__cuda_array_interface__
    array.close()
    assert live("cuda") == before + 1
    del array
    assert live("cuda") == before


def test_an_array_that_another_thread_closes_outlives_the_calls_with_it(compiled, place):
    stop = threading.Event()
    slot, wrong = [fresh(compiled, place, 40_000)], []

    def close():
        while not stop.is_set():
            slot[0].close()

    def use(n=200):
        for _ in range(n):
            slot[0] = array = fresh(compiled, place, 40_000)
            with contextlib.suppress(ValueError):
                found = compiled.add(array, array).to_host()
                if found[-1] != 4 * 39_999:
                    wrong.append(found[-1])
            with contextlib.suppress(ValueError):
                found = array[1:].to_host()
                if found[0] != 2:
                    wrong.append(found[0])

    closer = threading.Thread(target=close)
    closer.start()
    try:
        use()
    finally:
        stop.set()
        closer.join()
    assert not wrong


def test_a_call_under_way_keeps_what_is_closed_meanwhile(compiled, place):
    n, n_rounds, done = 40_000, 2000, []

    def call(array, begun):
        begun.set()
        with contextlib.suppress(ValueError):
            done.append(compiled.rounds(array, n_rounds).to_host())

    for _ in range(100):
        array, begun = fresh(compiled, place, n), threading.Event()
        thread = threading.Thread(target=call, args=(array, begun))
        thread.start()
        begun.wait()
        array.close()
        # What is freed is used again.
        others = [compiled.twice(numptx.asarray(np.full(n, 7.0), device=place)) for _ in range(20)]
        thread.join()
        del others
        # Else it was closed before the call.
        if len(done) == 8:
            break
    assert done
    for found in done:
        np.testing.assert_array_equal(found, n_rounds * 2 * np.arange(float(n)))


def test_a_member_that_closes_another_argument_is_said(compiled, place):
    array = fresh(compiled, place)

    class Number:
        def __float__(self):
            array.close()
            return 2.0

    with CLOSED:
        compiled.scaled(array, Number())
