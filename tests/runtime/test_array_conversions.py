"""numptx.Array: reshape, astype, copies and fresh arrays, beside NumPy's."""

import itertools

import numpy as np
import pytest

import numptx
from test_array_operators import places

DTYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()


@pytest.fixture(autouse=True)
def anywhere():
    with numptx.device("auto"):
        yield


VIEWS = {
    "one axis": (24, lambda x: x),
    "every other": (48, lambda x: x[::2]),
    "backwards": (24, lambda x: x[::-1]),
    "two axes": ((4, 6), lambda x: x),
    "transposed": ((4, 6), lambda x: x.T),
    "columns": ((4, 12), lambda x: x[:, :6]),
    "rows": ((8, 6), lambda x: x[::2]),
    "three axes": ((2, 3, 4), lambda x: x),
    "three axes turned": ((2, 3, 4), lambda x: x.T),
    "an axis of one": ((4, 1, 6), lambda x: x[::-1]),
    "every other, transposed": ((6, 8), lambda x: x[:, ::2].T),
}
SHAPES = [(24,), (4, 6), (6, 4), (2, 3, 4), (2, 2, 6), (8, 3), (1, 24, 1), (4, 1, 6), (2, -1), (-1,), (2, 2, 3, 2)]


def view_of(name, place):
    """`(numptx's, NumPy's)` view."""
    shape, take = VIEWS[name]
    x = np.arange(float(np.prod(shape))).reshape(shape)
    return take(numptx.asarray(x, device=place)), take(x)


@pytest.mark.parametrize("order", ["C", "F", "A"])
@pytest.mark.parametrize("name", VIEWS)
def test_reshape_is_a_view_where_numpy_s_is(name, order):
    for place, shape in itertools.product(places(), SHAPES):
        array, x = view_of(name, place)
        expected, found = x.reshape(shape, order=order), array.reshape(shape, order=order)
        assert (found.shape, found.device, found.dtype) == (expected.shape, place, x.dtype)
        np.testing.assert_array_equal(found.to_host(), expected)
        # A copy is nobody's view.
        assert (found.base is not None) == np.shares_memory(expected, x), (place, shape)
        assert same_strides(found, expected)


def test_reshape_takes_numpy_s_arguments():
    a = numptx.asarray(np.arange(6))
    for shape in (a.reshape(2, 3), a.reshape((2, 3)), a.reshape([2, 3]), a.reshape(np.int64(2), -1), a.reshape(np.array([2, 3]))):
        assert shape.shape == (2, 3)
    assert a.reshape(6).shape == a.reshape((6,)).shape == a.reshape(-1).shape == (6,)
    one = numptx.asarray(np.array([5]))
    assert one.reshape(()).shape == () and one.reshape(1, 1).shape == (1, 1) and one.reshape(()).item() == 5
    assert numptx.zeros((0, 3)).reshape(3, 0, 2).shape == (3, 0, 2)
    assert numptx.zeros((0, 3)).reshape(5, -1).shape == (5, 0)


@pytest.mark.parametrize(
    "shape, exception, words",
    [
        ((4,), ValueError, r"cannot reshape array of size 6 into shape \(4,\)"),
        ((4, -1), ValueError, r"cannot reshape array of size 6 into shape \(4,-1\)"),
        ((-1, -1), ValueError, "can only specify one unknown dimension"),
        ((-2, 3), ValueError, "negative dimensions not allowed"),
        ((0, -1), ValueError, "cannot reshape"),
        (("a",), TypeError, "an int or a sequence of ints; found str"),
        ((2.0, 3), TypeError, "an int or a sequence of ints; found float"),
        ((), TypeError, "takes a shape"),
        ((1,) * 16 + (6,), ValueError, "at most 16 axes"),
    ],
)
def test_reshapes_that_cannot_be(shape, exception, words):
    for place in places():
        with pytest.raises(exception, match=words):
            numptx.asarray(np.arange(6), device=place).reshape(*shape)


def test_reshape_with_and_without_a_copy():
    for place in places():
        a = numptx.asarray(np.arange(6.0).reshape(2, 3), device=place)
        copied = a.reshape(3, 2, copy=True)
        copied[...] = 0
        np.testing.assert_array_equal(a.to_host(), np.arange(6.0).reshape(2, 3))
        view = a.reshape(3, 2, copy=False)
        view[0] = -1
        np.testing.assert_array_equal(a.to_host(), [[-1, -1, 2], [3, 4, 5]])
        with pytest.raises(ValueError, match="Unable to avoid creating a copy"):
            a.T.reshape(6, copy=False)
        with pytest.raises(ValueError, match="order 'K' is not permitted"):
            a.reshape(6, order="K")
        with pytest.raises(ValueError, match="order must be one of"):
            a.reshape(6, order="Z")
        a.close()
        for use in (lambda: a.reshape(6), lambda: a.T, lambda: a.copy(), lambda: a.astype(int), lambda: a.astype(float, copy=False)):
            with pytest.raises(ValueError, match="was closed"):
                use()


def test_a_reshaped_read_only_array_is_read_only_where_it_is_a_view():
    x = np.arange(6.0)
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        numptx.asarray(x).reshape(2, 3)[0] = 1
    numptx.asarray(x).reshape(2, 3, copy=True)[0] = 1


@pytest.mark.parametrize("order", ["C", "F", "A", "K"])
@pytest.mark.parametrize("name", VIEWS)
def test_copies_lie_as_numpy_s_do(name, order):
    for place in places():
        array, x = view_of(name, place)
        for found, expected in [(array.copy(order), x.copy(order)), (array.astype("int32", order=order), x.astype("int32", order=order))]:
            assert (found.device, found.dtype, found.base) == (place, expected.dtype, None)
            np.testing.assert_array_equal(found.to_host(), expected)
            assert same_strides(found, expected), (place, found.strides, expected.strides)


def same_strides(found, expected):
    return [s for n, s in zip(found.shape, found.strides) if n > 1] == [s for n, s in zip(expected.shape, expected.strides) if n > 1]


def test_a_copy_is_c_contiguous_by_default_and_its_own():
    for place in places():
        array = numptx.asarray(np.arange(6.0).reshape(2, 3), device=place).T
        made = array.copy()
        assert made.strides == (16, 8) and made.device == place
        made[...] = 0
        np.testing.assert_array_equal(array.to_host(), np.arange(6.0).reshape(2, 3).T)


@pytest.mark.parametrize("of", DTYPES)
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.filterwarnings("ignore:invalid value encountered in cast:RuntimeWarning")
def test_astype_casts_as_numpy_does(of):
    x = np.array([[0, 1, 2], [100, 200, 255]]).astype(of)
    for place, to in itertools.product(places(), DTYPES):
        found, expected = numptx.asarray(x, device=place).astype(to), x.astype(to)
        assert (found.dtype, found.device, found.shape) == (expected.dtype, place, x.shape)
        np.testing.assert_array_equal(found.to_host(), expected)


def test_astype_takes_numpy_s_arguments():
    for place in places():
        a = numptx.asarray(np.array([1.5, -2.5]), device=place)
        assert a.astype(float, copy=False) is a and a.astype(float) is not a
        np.testing.assert_array_equal(a.astype(int).to_host(), [1, -2])
        with pytest.raises(TypeError, match="Cannot cast array data"):
            a.astype("int8", casting="same_kind")
        assert a.astype("float32", casting="same_kind").dtype == np.float32
        for dtype in ("longdouble", ">f8", "U3", object):
            with pytest.raises(TypeError, match="is not supported by numptx"):
                a.astype(dtype)
        with pytest.raises(ValueError, match="order must be one of"):
            a.astype(int, order="Z")


def test_names_of_other_libraries_bring_elements_to_numpy():
    x = np.arange(3.0)
    for place in places():
        array = numptx.asarray(x, device=place)
        for host in (array.to_host(), array.numpy(), array.get()):
            assert type(host) is np.ndarray and np.shares_memory(host, x) == (place == "cpu")
            np.testing.assert_array_equal(host, x)


# Fresh arrays.


@pytest.mark.parametrize("shape", [(), 3, (2, 3), [4, 0], np.int64(5), (1000, 70)])
@pytest.mark.parametrize("dtype", DTYPES)
def test_zeros_and_ones_are_numpy_s(shape, dtype):
    for place in places():
        for ours, theirs in [(numptx.zeros, np.zeros), (numptx.ones, np.ones)]:
            a, b = ours(shape, dtype, device=place), theirs(shape, dtype)
            assert (a.shape, a.dtype, a.device, a.base) == (b.shape, b.dtype, place, None)
            np.testing.assert_array_equal(a.to_host(), b)


def test_float64_is_the_default():
    assert numptx.zeros(3).dtype == numptx.ones(3).dtype == numptx.empty(3).dtype == np.float64


@pytest.mark.parametrize("value", [7, 2.5, True, 1 + 2j, np.int8(3), [1, 2, 3], np.arange(3, dtype=np.uint16), np.arange(2.0)[:, None]], ids=str)
def test_full_is_numpy_s(value):
    expected = np.full((2, 3), value)
    for place in places():
        sources = [value, *([numptx.asarray(value, device=other) for other in places()] if isinstance(value, np.ndarray) else [])]
        for source in sources:
            found = numptx.full((2, 3), source, device=place)
            assert (found.dtype, found.device) == (expected.dtype, place)
            np.testing.assert_array_equal(found.to_host(), expected)
    np.testing.assert_array_equal(numptx.full(4, 7.9, "int8").to_host(), np.full(4, 7.9, "int8"))
    with pytest.raises(OverflowError):
        numptx.full(4, 300, "int8")
    with pytest.raises(ValueError, match="could not broadcast"):
        numptx.full(4, [1, 2, 3])


@pytest.mark.skipif(len(numptx.devices()) == 1, reason="there is no device")
def test_fresh_arrays_may_be_page_locked():
    before = numptx.memory_stats()["pinned_bytes"]
    arrays = [numptx.zeros(100, pinned=True), numptx.ones(100, pinned=True), numptx.full(100, 3.0, pinned=True)]
    assert numptx.memory_stats()["pinned_bytes"] > before
    assert [array.to_host()[5] for array in arrays] == [0, 1, 3]
    with pytest.raises(ValueError, match="page-locked memory is the host's"):
        numptx.zeros(3, device="cuda", pinned=True)
