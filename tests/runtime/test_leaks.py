"""A million calls leave nothing behind. Leaks are planted, to show that they would be found."""

import os
import pathlib
import threading

import numpy as np
import pytest

import numptx
from compilation import load_compiled
from fixture_module import build_fixture, interface_version
from leaks import Leak, assert_flat
from other_libraries import Exporter, Family, InterfaceOnly

HERE = pathlib.Path(__file__).parent

# The kernel whose views leaked in Pythran (serge-sans-paille/pythran#2200).
SIMPLER_LEAK = """
#numptx export simpler_leak(float64[:,:], int, int)
def simpler_leak(correl, ix, iy):
    return correl[iy-1:iy+2, ix-1:ix+2]
"""
CALLS = int(os.environ.get("NUMPTX_LEAK_CALLS", 1_000_000))
# Enough for counters, which are exact; resident memory needs the million.
FEW = 20_000


@pytest.fixture(scope="module")
def window(workshop):
    return workshop.pair(SIMPLER_LEAK)[0].simpler_leak


@pytest.fixture(scope="module")
def kernels(workshop):
    return workshop.module(HERE / "identity_kernels.py")


def test_a_million_views_of_host_arrays(window):
    correl = np.arange(100.0).reshape(10, 10).copy()
    np.testing.assert_array_equal(window(correl, 4, 3), correl[2:5, 3:6])
    assert_flat(lambda: window(correl, 4, 3), CALLS, watched=[correl])


@pytest.mark.long("cuda")
def test_a_million_views_of_numptx_arrays(window, device):
    correl = numptx.asarray(np.arange(100.0).reshape(10, 10), device=device)
    with numptx.device("auto"):
        view = window(correl, 4, 3)
        np.testing.assert_array_equal(view.to_host(), correl.to_host()[2:5, 3:6])
        assert_flat(lambda: window(correl, 4, 3), CALLS, watched=[correl, view.base])


CLASSES = """
from collections import Counter, defaultdict, deque


#numptx export classes(int, str)
def classes(n, text):
    counts, lengths = defaultdict(int), defaultdict(list)
    counts[text] += n
    lengths[n].append(text)
    return counts, lengths, defaultdict(deque), deque([n, n], maxlen=3), Counter(text), (n, text)
"""


def test_results_of_pythons_classes(workshop):
    classes = workshop.pair(CLASSES)[0].classes
    assert_flat(lambda: classes(3, "abca"), FEW)


def planted(tmp_path, fault):
    """The module written by hand, with one fault."""
    return load_compiled(build_fixture(tmp_path, interface_version(), fault))


# A build that checks every call says it at once; one that does not lets the counters tell.
@pytest.mark.parametrize("fault", ["LEAK_A_BUFFER", "LEAK_ON_ERROR"])
def test_a_planted_leak_of_a_buffer_is_found(fault, tmp_path):
    fixture, x = planted(tmp_path, fault), np.arange(4.0)

    def call():
        if fault == "LEAK_A_BUFFER":
            fixture.tail(x)
        else:
            raises_value_error(lambda: fixture.axpy(1.0, x, x[1:]))

    with pytest.raises((Leak, RuntimeError), match="live_buffers on cpu|did not balance its references: 1 buffers"):
        assert_flat(call, 100, watched=[x])


def test_a_planted_leak_of_a_reference_is_found(tmp_path):
    fixture, x = planted(tmp_path, "LEAK_A_REFERENCE"), np.arange(4.0)
    with pytest.raises(Leak, match="references to object 0: [0-9]+ before, [0-9]+ after$"):
        assert_flat(lambda: fixture.tail(x), 100, watched=[x])


def test_a_planted_leak_of_objects_is_found():
    kept = []
    with pytest.raises(Leak, match=r"blocks of Python's allocator: \d+ more"):
        assert_flat(lambda: kept.append(object()), 1000, resident=False)


def test_a_planted_leak_of_resident_memory_is_found():
    kept = []
    with pytest.raises(Leak, match="resident memory: [0-9]+ bytes more"):
        # So much that no allocator has it left from earlier tests.
        assert_flat(lambda: kept.append(b"x" * (1 << 18)), 1000)


def raises_value_error(call):
    try:
        call()
    except ValueError:
        return
    raise AssertionError("no ValueError")


def raises_index_error(call):
    try:
        call()
    except IndexError:
        return
    raise AssertionError("no IndexError")


# What is called again and again, by name: (module, host matrix or family array) -> anything.
CALLED = {
    "a view of a temporary": lambda k, x: k.fresh_tail(x),
    "views of a temporary in tuples": lambda k, x: k.fresh_views(x),
    "a tuple of views and the argument itself": lambda k, x: k.family(x),
    "views of views": lambda k, x: k.tail(k.tail(k.fresh_tail(x), 1), 1),
    "a view that joins": lambda k, x: k.tail_of_either(x, x, False),
    "a tuple in": lambda k, x: k.member((1, x)),
    "a fresh result and a view": lambda k, x: k.sum_and_view(x, x),
    "a broadcast view": lambda k, x: k.spread(x),
    "a write in place": lambda k, x: k.double_in_place(x),
    "an index out of range": lambda k, x: raises_index_error(lambda: k.rows_apart(x, 0, 9)),
    "a refused argument": lambda k, x: raises(TypeError, lambda: k.tail(x, "no")),
    "a shape that does not fit": lambda k, x: raises_value_error(lambda: k.sum_and_view(x, k.tail(x, 2))),
}


def raises(kind, call):
    try:
        call()
    except kind:
        return
    raise AssertionError(f"no {kind.__name__}")


@pytest.mark.parametrize("name", CALLED)
def test_calls_with_host_arrays_keep_nothing(name, kernels):
    x = np.zeros((4, 3))
    assert_flat(lambda: CALLED[name](kernels, x), FEW, watched=[x])


@pytest.mark.parametrize("name", CALLED)
@pytest.mark.parametrize("kind", ["numptx", "dlpack", "interface"])
def test_calls_with_other_arrays_keep_nothing(name, kind, kernels, device):
    if kind == "interface" and device == "cpu":
        kind = "numptx"
    memory = numptx.asarray(np.zeros((4, 3)), device=device)
    x = {"numptx": lambda: memory, "dlpack": lambda: Exporter(memory), "interface": lambda: InterfaceOnly(memory)}[kind]()
    with numptx.device("auto"):
        assert_flat(lambda: CALLED[name](kernels, x), 1000, watched=[x, memory])


def test_a_call_that_moves_host_arrays_to_the_device_keeps_nothing(kernels, device):
    x = np.zeros((4, 3))
    with numptx.device(device):
        for name in CALLED:
            assert_flat(lambda: CALLED[name](kernels, x), 300, watched=[x])


def test_a_library_that_refuses_a_result_costs_nothing(kernels):
    """The second result of three cannot be handed out: what was made before and what comes after is given back."""
    with Family("cupy", "cpu") as family, numptx.device("auto"):
        x, calls = family.make(np.zeros((4, 3))), []
        take = family.library.from_dlpack

        def from_dlpack(array):
            calls.append(1)
            if len(calls) % 2 == 0:
                raise MemoryError("the library is full")
            return take(array)

        family.library.from_dlpack = from_dlpack
        assert_flat(lambda: raises(MemoryError, lambda: kernels.fresh_views(x)), 500, watched=[x], resident=False)


def test_dlpack_there_and_back_keeps_nothing(kernels):
    x = np.zeros((4, 3))

    def there_and_back():
        exported = np.from_dlpack(kernels.tail(numptx.asarray(x), 1))
        return numptx.asarray(Exporter(numptx.asarray(exported)))

    assert_flat(there_and_back, FEW, watched=[x])
    assert_flat(lambda: numptx.asarray(x).__dlpack__(), FEW, watched=[x])
    assert_flat(lambda: numptx.asarray(x).__dlpack__(max_version=(1, 0)), FEW, watched=[x])


def test_threads_keep_nothing(kernels):
    x, wrong = np.zeros((4, 3)), []

    def work():
        for _ in range(200):
            rows, turned, _ = kernels.fresh_views(x)
            if kernels.tail(x, 1).base is not x or rows.shape != (3, 3) or turned.shape != (3, 4):
                wrong.append(1)

    def together():
        threads = [threading.Thread(target=work) for _ in range(4)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]

    assert_flat(together, 20, watched=[x], resident=False)
    assert not wrong


def test_results_may_be_dropped_on_another_thread(kernels):
    x = np.zeros((4, 3))

    def together():
        kept = [kernels.fresh_views(x), kernels.family(x)]
        thread = threading.Thread(target=kept.clear)
        thread.start()
        thread.join()

    assert_flat(together, 200, watched=[x], resident=False)
