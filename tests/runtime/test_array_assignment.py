"""`array[index] = value`: NumPy's assignment, in host memory and on devices."""

import gc

import numpy as np
import pytest

import numptx
from test_array_operators import places

DTYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()
on_device = pytest.mark.skipif(len(numptx.devices()) == 1, reason="there is no device")


@pytest.fixture(autouse=True)
def anywhere():
    with numptx.device("auto"):
        yield


def outcome(assign):
    """What an assignment raises, or `None`."""
    try:
        assign()
    except Exception as error:
        return type(error)
    return None


def sources(value):
    """A value in all forms in which it may be assigned."""
    yield value
    if isinstance(value, np.ndarray) and value.dtype in DTYPES and value.dtype.isnative:
        for place in places():
            yield numptx.asarray(value.copy(), device=place)


def check(shape, dtype, index, value):
    """Numptx does what NumPy does, in all places and from all places."""
    start = (np.arange(np.prod(shape, dtype=int)) % 100).astype(dtype).reshape(shape)
    for place in places():
        for source in sources(value):
            expected, array = start.copy(), numptx.asarray(start.copy(), device=place)
            raised = outcome(lambda: expected.__setitem__(index, value))
            assert outcome(lambda: array.__setitem__(index, source)) == raised, (place, type(source))
            np.testing.assert_array_equal(array.to_host(), expected)


INDICES = {
    "all": ((4, 6), np.s_[...]),
    "a row": ((4, 6), 1),
    "the last row": ((4, 6), -1),
    "an element": ((4, 6), (2, 3)),
    "columns": ((4, 6), np.s_[:, 1:4]),
    "every other": ((4, 6), np.s_[::2, 1::2]),
    "backwards": ((4, 6), np.s_[::-1, ::-2]),
    "a new axis": ((4, 6), np.s_[:, None, 2]),
    "of three axes": ((3, 4, 5), np.s_[1:, ..., ::-3]),
    "nothing": ((4, 6), np.s_[2:2]),
    "no axes": ((), ()),
    "no elements": ((0, 3), np.s_[...]),
}
NUMBERS = [3, True, 2.5, np.int8(7), np.float64(-1.5), np.array(5)]


@pytest.mark.parametrize("name", INDICES)
@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: f"{type(number).__name__}-{number}")
def test_numbers_fill_what_is_indexed(name, number):
    shape, index = INDICES[name]
    check(shape, float, index, number)


@pytest.mark.parametrize("name", INDICES)
def test_arrays_of_the_same_shape_are_copied(name):
    shape, index = INDICES[name]
    check(shape, float, index, np.zeros(shape)[index] + np.arange(1, 1 + np.zeros(shape)[index].size).reshape(np.zeros(shape)[index].shape))


@pytest.mark.parametrize(
    "value",
    [
        np.arange(6.0),
        np.arange(4.0)[:, None],
        np.ones((1, 1, 4, 6)),
        np.ones((1, 6))[:, ::-1],
        [1, 2, 3, 4, 5, 6],
        [[1], [2], [3], [4]],
        range(6),
        np.arange(24, dtype=np.int16).reshape(6, 4).T,
        np.arange(6.0)[::-1],
        np.broadcast_to(np.arange(6.0), (4, 6)),
    ],
    ids=str,
)
def test_values_are_broadcast(value):
    check((4, 6), float, np.s_[...], value)
    check((4, 6), float, np.s_[::-1], value)


@pytest.mark.parametrize("value", [np.ones(5), np.ones((2, 4, 6)), np.ones((6, 4)), np.ones((4, 6, 1)), np.ones(0), [1, 2], [[1], [2, 3]]], ids=str)
def test_what_cannot_be_broadcast_is_refused_in_numpy_s_words(value):
    check((4, 6), float, np.s_[...], value)
    if isinstance(value, np.ndarray):
        for place in places():
            with pytest.raises(ValueError, match=r"could not broadcast input array from shape \(.*\) into shape \(4,6\)"):
                numptx.zeros((4, 6), device=place)[...] = value


@pytest.mark.parametrize("target", DTYPES)
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.filterwarnings("ignore:invalid value encountered in cast:RuntimeWarning")
def test_arrays_of_all_dtypes_are_cast(target):
    for dtype in DTYPES:
        check((2, 3), target, np.s_[:, 1:], np.array([[0, 1], [2, 100]]).astype(dtype))
    check((2, 3), target, np.s_[:, 1:], np.array([[0, 1], [2, 3]], np.float16))
    check((2, 3), target, np.s_[:, 1:], np.array([[0, 1], [2, 3]], ">i4"))
    check((2, 3), target, np.s_[:, 1:], np.array([[0, 1], [2, 3]], object))


@pytest.mark.parametrize("value", [300, -1, 1j, "7", "seven", None, 2**70, float("nan"), pytest.param(object(), id="object"), b"1", [300, 1, 2]], ids=str)
@pytest.mark.parametrize("target", ["bool", "int8", "uint64", "float32", "complex128"])
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.filterwarnings("ignore:invalid value encountered in cast:RuntimeWarning")
def test_values_that_do_not_fit_raise_what_numpy_raises(value, target):
    check((3,), target, np.s_[...], value)


def test_a_warning_of_a_cast_is_numpy_s():
    for place in places():
        with pytest.warns(np.exceptions.ComplexWarning):
            numptx.zeros(2, device=place)[...] = np.array([1j, 2])


OVERLAPS = {
    "forwards": (8, np.s_[1:], np.s_[:-1]),
    "backwards": (8, np.s_[:-1], np.s_[1:]),
    "reversed": (8, np.s_[::-1], np.s_[:]),
    "strided": (10, np.s_[2::2], np.s_[:-2:2]),
    "strides that differ": (8, lambda n: np.s_[: n // 2], np.s_[::2]),
    "strides that interlace": (8, np.s_[::2], np.s_[1::2]),
    "itself": (8, np.s_[:], np.s_[:]),
    "an element to all": (8, np.s_[:], np.s_[3]),
    "a row to all": ((4, 6), np.s_[:], np.s_[2]),
    "a column to all": ((4, 6), np.s_[:], np.s_[:, 2:3]),
    "rows": ((4, 6), np.s_[1:], np.s_[:-1]),
    "columns": ((4, 6), np.s_[:, 1:], np.s_[:, :-1]),
    "columns backwards": ((4, 6), np.s_[:, ::-1], np.s_[:]),
    "both": ((5, 5), np.s_[1:, 1:], np.s_[:-1, :-1]),
}


@pytest.mark.parametrize("name", OVERLAPS)
@pytest.mark.parametrize("scale", [1, 40])
@pytest.mark.parametrize("dtype", ["float64", "int8"])
def test_overlapping_views_act_as_if_the_source_were_copied_first(name, scale, dtype):
    """At both sizes, since few bytes take another way on devices than many."""
    shape, to, of = OVERLAPS[name]
    shape = tuple(scale * extent for extent in shape) if isinstance(shape, tuple) else (shape * scale**2,)
    to = to(shape[0]) if callable(to) else to
    for place in places():
        expected = (np.arange(np.prod(shape)) % 127).astype(dtype).reshape(shape)
        array = numptx.asarray(expected.copy(), device=place)
        array[to] = array[of]
        expected[to] = expected[of].copy()
        np.testing.assert_array_equal(array.to_host(), expected)


def test_a_transposed_array_is_assigned_to_itself():
    for place in places():
        x = np.arange(3600.0).reshape(60, 60)
        array = numptx.asarray(x.copy(), device=place)
        array[...] = array.T
        np.testing.assert_array_equal(array.to_host(), x.T)


def test_read_only_arrays_are_refused_before_anything_else():
    x = np.arange(3.0)
    x.flags.writeable = False
    array = numptx.asarray(x)
    for assign in (lambda: array.__setitem__(0, 1), lambda: array[1:].__setitem__(..., 1), lambda: array.__setitem__(7, "text"), lambda: array.copy_from(x)):
        with pytest.raises(ValueError, match="assignment destination is read-only"):
            assign()
    np.testing.assert_array_equal(x, np.arange(3.0))


@pytest.mark.parametrize("index", [[0, 1], np.array([True, False, True]), True, 1.0, "a"], ids=str)
def test_other_indices_are_refused_and_change_nothing(index):
    for place in places():
        array = numptx.zeros(3, device=place)
        with pytest.raises(TypeError, match=r"compiled by numptx.*to_host\(\)"):
            array[index] = 1
        np.testing.assert_array_equal(array.to_host(), 0)
    with pytest.raises(IndexError):
        numptx.zeros(3)[3] = 1
    with pytest.raises(ValueError, match="cannot delete array elements"):
        del numptx.zeros(3)[0]


def test_closed_arrays_are_refused():
    for place in places():
        array, other = numptx.zeros(3, device=place), numptx.ones(3, device=place)
        array.close()
        with pytest.raises(ValueError, match="was closed"):
            array[0] = 1
        with pytest.raises(ValueError, match="was closed"):
            other[...] = array


def test_views_are_given_back():
    for place in places():
        array = numptx.zeros((50, 50), device=place)
        array[0] = 1
        gc.collect()
        before = numptx.memory_stats(place)["live_buffers"], numptx.memory_stats("cpu")["live_buffers"]
        for _ in range(20):
            array[1:] = array[:-1]
            array[:, 0] = 3
            array[2] = np.arange(50)
        gc.collect()
        assert (numptx.memory_stats(place)["live_buffers"], numptx.memory_stats("cpu")["live_buffers"]) == before


def test_arrays_of_other_libraries_are_assigned():
    from test_array import Exporter

    for place in places():
        array = numptx.zeros(4, device=place)
        array[1:] = Exporter(np.arange(3.0))
        array[:1] = Exporter(np.array([7], np.int16))
        np.testing.assert_array_equal(array.to_host(), [7, 0, 1, 2])


# On devices.


@on_device
@pytest.mark.parametrize("index", [np.s_[...], np.s_[::2], np.s_[::-3], np.s_[5:]])
def test_a_number_goes_to_a_device_once(index):
    x = np.zeros(100_000)
    array = numptx.zeros(100_000, device="cuda")
    before = numptx.memory_stats()["transferred_bytes"]
    array[index] = 3
    assert numptx.memory_stats()["transferred_bytes"] - before == 8
    x[index] = 3
    np.testing.assert_array_equal(array.to_host(), x)


@on_device
@pytest.mark.parametrize("order", ["C", "F"])
def test_rows_and_columns_are_repeated_on_the_device(order):
    array = numptx.empty((300, 400), device="cuda").copy(order)
    for values in (np.arange(400.0), np.arange(300.0)[:, None], np.array([[2.5]])):
        before = numptx.memory_stats()["transferred_bytes"]
        array[...] = values
        assert numptx.memory_stats()["transferred_bytes"] - before == values.nbytes
        np.testing.assert_array_equal(array.to_host(), np.broadcast_to(values, (300, 400)))


@on_device
def test_three_axes_are_repeated_in_any_order():
    rng = np.random.default_rng(3)
    for _ in range(60):
        shape = tuple(int(n) for n in rng.integers(1, 30, 3))
        full = np.zeros(tuple(2 * n for n in shape))
        index = tuple(slice(None, None, int(step)) for step in rng.choice([-2, -1, 1, 2], 3))
        wanted = full[index].shape
        values = rng.random(tuple(n if is_kept else 1 for n, is_kept in zip(wanted, rng.integers(0, 2, 3))))
        array = numptx.asarray(full.copy(), device="cuda")
        array[index] = values
        full[index] = values
        np.testing.assert_array_equal(array.to_host(), full)
        turned = numptx.asarray(np.zeros_like(full.T), device="cuda").T
        turned[index] = values
        np.testing.assert_array_equal(turned.to_host(), full)


@on_device
def test_copies_between_views_of_a_device_stay_there():
    x = np.arange(40_000.0).reshape(200, 200)
    array, other = numptx.asarray(x.copy(), device="cuda"), numptx.zeros((200, 200), device="cuda")
    before = numptx.memory_stats()["transferred_bytes"]
    other[:, 20:70] = array[:, 100:150]
    array[1:] = array[:-1]
    array[:, 1:] = array[:, :-1]
    assert numptx.memory_stats()["transferred_bytes"] == before
    expected = np.zeros((200, 200))
    expected[:, 20:70] = x[:, 100:150]
    np.testing.assert_array_equal(other.to_host(), expected)
    x[1:] = x[:-1].copy()
    x[:, 1:] = x[:, :-1].copy()
    np.testing.assert_array_equal(array.to_host(), x)


@on_device
def test_devices_are_assigned_from_one_another():
    gpus = places()[1:3]
    if len(gpus) < 2:
        pytest.skip("there is one device")
    x = np.arange(30_000.0).reshape(100, 300)
    first, second = numptx.asarray(x, device=gpus[0]), numptx.zeros((100, 300), device=gpus[1])
    second[...] = first
    second[:, ::-1] = first
    second[...] = first[5]
    np.testing.assert_array_equal(second.to_host(), np.broadcast_to(x[5], x.shape))
    second[...] = first.astype("int32")
    np.testing.assert_array_equal(second.to_host(), x)


@on_device
def test_an_assignment_comes_after_work_on_other_streams(driver, pace):
    """As `copy_from`: what a stream was given with either array comes before, what is given later comes after."""
    x = np.arange(50_000.0)
    streams = [numptx.Stream() for _ in range(2)]
    a, b = numptx.asarray(x, device="cuda"), numptx.zeros(50_000, device="cuda")
    with streams[0]:
        b[...] = a
        b[1:] = b[:-1]
    with streams[1]:
        a[...] = b
        b[...] = 0
    expected = x.copy()
    expected[1:] = x[:-1]
    np.testing.assert_array_equal(a.to_host(), expected)
    np.testing.assert_array_equal(b.to_host(), 0)


@on_device
def test_page_locked_memory_is_written_after_the_copies_from_it(driver, pace):
    n = 2000
    pinned, array = numptx.full(n, 1.0, pinned=True), numptx.zeros(n, device="cuda")
    with numptx.Stream():
        array.copy_from(pinned)
    pinned[...] = 2
    np.testing.assert_array_equal(array.to_host(), 1)
    array[...] = pinned
    pinned[: n // 2] = array[n // 2 :]
    np.testing.assert_array_equal(pinned.to_host(), 2)
