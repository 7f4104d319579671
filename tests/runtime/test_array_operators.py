"""What numptx.Array does not compute, it refuses by name: operators and ufuncs. What Python asks of arrays besides: truth, length, iteration, hashes, text."""

import math
import operator
import re

import numpy as np
import pytest

import numptx

BINARY = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "@": operator.matmul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "divmod()": divmod,
    "**": operator.pow,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}
IN_PLACE = {
    "+=": operator.iadd,
    "-=": operator.isub,
    "*=": operator.imul,
    "@=": operator.imatmul,
    "/=": operator.itruediv,
    "//=": operator.ifloordiv,
    "%=": operator.imod,
    "**=": operator.ipow,
    "<<=": operator.ilshift,
    ">>=": operator.irshift,
    "&=": operator.iand,
    "|=": operator.ior,
    "^=": operator.ixor,
}
UNARY = {"unary -": operator.neg, "unary +": operator.pos, "~": operator.invert, "abs()": abs}
# What Python asks the right operand for.
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def places():
    return ["cpu", *(name for name in numptx.devices() if name != "cpu")]


@pytest.fixture(params=["cpu", "a device"])
def place(request):
    if request.param == "cpu":
        return "cpu"
    if len(places()) == 1:
        pytest.skip("there is no device")
    return places()[1]


def on(place, values):
    return numptx.asarray(np.array(values), device=place)


def refusal(what):
    return pytest.raises(TypeError, match=rf"does not compute {re.escape(what)}: .*compiled by numptx.*to_host\(\)")


@pytest.mark.parametrize("name", BINARY)
def test_operators_are_refused_by_name(name, place):
    a, apply = on(place, [1, 2, 3]), BINARY[name]
    for other in (a, on(place, [1, 2, 3]), 1, 2.5, np.int64(1), None, "text", [1, 2, 3]):
        with refusal(name):
            apply(a, other)
    for other in (1, 2.5, None, object()):
        with refusal(MIRRORED.get(name, name)):
            apply(other, a)


@pytest.mark.parametrize("name", BINARY)
def test_operators_of_numpy_s_arrays_are_refused_too(name, place):
    a = on(place, [1, 2, 3])
    for other in (np.array([1, 2, 3]), np.float64(2.0), np.int64(1)):
        if name in ("<<", ">>", "&", "|", "^") and other.dtype == float:
            continue
        with pytest.raises(TypeError, match=r"compiled by numptx.*to_host\(\)"):
            BINARY[name](other, a)


@pytest.mark.parametrize("name", IN_PLACE)
def test_operators_in_place_are_refused_and_change_nothing(name, place):
    a, x = on(place, [1, 2, 3]), np.array([1, 2, 3])
    with refusal(name):
        IN_PLACE[name](a, 1)
    with refusal(name):
        IN_PLACE[name](a[1:], a[1:])
    with pytest.raises(TypeError, match=r"to_host\(\)"):
        IN_PLACE[name](x, a)
    np.testing.assert_array_equal(a.to_host(), [1, 2, 3])
    np.testing.assert_array_equal(x, [1, 2, 3])


@pytest.mark.parametrize("name", UNARY)
def test_operators_of_one_array_are_refused(name, place):
    with refusal(name):
        UNARY[name](on(place, [1, 2, 3]))


def test_membership_is_refused_and_no_element_is_looked_at(place):
    a = on(place, [1, 2, 3])
    with refusal("in"):
        1 in a
    with refusal("=="):
        1 in list(a)


def test_powers_with_a_modulus_are_refused(place):
    with refusal("**"):
        pow(on(place, [1, 2, 3]), 2, 5)


UFUNCS = {
    "numpy.sin": lambda a: np.sin(a),
    "numpy.add": lambda a: np.add(np.ones(3), a),
    "numpy.equal": lambda a: np.equal(a, a),
    "numpy.matmul": lambda a: np.matmul(np.ones((3, 3)), a),
    "numpy.add.reduce": lambda a: np.sum(a),
    "numpy.maximum.accumulate": lambda a: np.maximum.accumulate(a),
    "numpy.multiply.outer": lambda a: np.multiply.outer(a, a),
    "numpy.add.at": lambda a: np.add.at(np.zeros(3), [0, 1, 2], a),
    "numpy.negative": lambda a: np.negative(np.ones(3), out=a),
}


@pytest.mark.parametrize("name", UFUNCS)
def test_ufuncs_are_refused_by_name(name, place):
    with refusal(name):
        UFUNCS[name](on(place, [1.0, 2.0, 3.0]))


def test_functions_that_convert_take_host_memory_and_name_to_host_for_devices(place):
    a = on(place, [1.0, 2.0, 3.0])
    if place == "cpu":
        assert np.mean(a) == 2.0 and np.dot(a, a) == 14.0
        np.testing.assert_array_equal(np.concatenate([a, a]), [1, 2, 3, 1, 2, 3])
    else:
        for function in (np.mean, np.asarray, np.cumsum):
            with pytest.raises(TypeError, match=r"to_host\(\)"):
                function(a)


def test_arrays_have_no_hash(place):
    """As NumPy's: `==` is no relation that a dictionary could ask."""
    a = on(place, [1, 2, 3])
    for use in (hash, lambda a: {a: 1}, lambda a: {a}):
        with pytest.raises(TypeError, match="unhashable type"):
            use(a)
    assert a in [a] and [a].index(a) == 0, "identity is asked first"


def test_the_truth_of_one_element_is_its_own(place):
    for shape in ((), (1,), (1, 1, 1)):
        assert bool(numptx.full(shape, 2.0, device=place)) is True
        assert bool(numptx.full(shape, 0, device=place)) is False
    with pytest.raises(ValueError, match=r"more than one element is ambiguous.*to_host\(\)"):
        bool(on(place, [1, 2]))
    with pytest.raises(ValueError, match="empty array is ambiguous.*size > 0"):
        bool(numptx.zeros(0, device=place))


def test_numbers_of_one_element(place):
    one = on(place, 3)
    assert (int(one), float(one), complex(one), operator.index(one), math.sqrt(one)) == (3, 3.0, 3 + 0j, 3, math.sqrt(3))
    for convert in (int, float, complex):
        with pytest.raises(ValueError, match="size 1"):
            convert(on(place, [1, 2]))
    for array in (on(place, 3.0), on(place, [3])):
        with pytest.raises(TypeError, match="integer arrays of rank 0"):
            operator.index(array)


def test_iteration_gives_views_and_moves_nothing(place):
    x = np.arange(6.0).reshape(3, 2)
    a = on(place, x)
    before = numptx.memory_stats()["transferred_bytes"]
    rows = list(a)
    assert len(a) == 3 and [row.shape for row in rows] == [(2,)] * 3 and all(type(row) is numptx.Array for row in rows)
    assert [element.shape for element in rows[0]] == [(), ()]
    assert list(numptx.zeros((0, 3), device=place)) == []
    first, second, third = a
    assert numptx.memory_stats()["transferred_bytes"] == before or place == "cpu"
    np.testing.assert_array_equal(third.to_host(), x[2])
    for view, row in zip(reversed(a), x[::-1], strict=True):
        np.testing.assert_array_equal(view.to_host(), row)
    assert list(reversed(numptx.zeros((0, 3), device=place))) == []
    second[...] = -1
    np.testing.assert_array_equal(a[1].to_host(), [-1, -1])
    for use in (iter, reversed):
        with pytest.raises(TypeError, match="iteration over a 0-d array"):
            use(a[0, 0])


def same_text(array, x):
    """NumPy's text, with our name and the dtype always."""
    expected = repr(x)
    if "dtype=" not in expected:
        expected = f"{expected[:-1]}, dtype={x.dtype})"
    squeezed = lambda text: re.sub(r"\s+", "", text)
    return squeezed(repr(array)) == squeezed(expected.replace("array(", "numptx.Array(", 1))


@pytest.mark.parametrize(
    "x",
    [
        np.array(1.5),
        np.array(True),
        np.arange(3),
        np.arange(6.0).reshape(2, 3),
        np.array([[1 + 2j, -0.5j]], np.complex64),
        np.array([np.nan, np.inf, -0.0, 1e-300]),
        np.array([True, False]),
        np.zeros(0),
        np.zeros((0, 3), np.int8),
        np.zeros((2, 0), np.float32),
        np.arange(24, dtype=np.uint8).reshape(2, 3, 4)[:, ::-1, ::2],
        np.arange(5000.0),
        np.linspace(0, 1, 40),
        np.linspace(0, 1, 40, dtype=np.float32),
    ],
    ids=lambda x: f"{x.dtype}{list(x.shape)}",
)
def test_host_arrays_show_their_values_as_numpy_does(x):
    array = numptx.asarray(x)
    if x.size > 1000 and "shape=" not in repr(x):
        pytest.skip("this NumPy does not tell the shape of what it shortens")
    assert same_text(array, x), repr(array)
    assert max(map(len, repr(array).splitlines())) <= 80


def test_further_lines_stand_below_the_first():
    assert repr(numptx.asarray(np.ones((2, 2), np.float32))) == (
        "numptx.Array([[1., 1.],\n" "              [1., 1.]], dtype=float32)"
    )
    with np.printoptions(precision=2):
        assert repr(numptx.asarray(np.array([1 / 3]))) == "numptx.Array([0.33], dtype=float64)"


def test_device_arrays_show_place_dtype_and_shape_and_move_nothing(place):
    if place == "cpu":
        pytest.skip("host memory shows its values")
    a = numptx.asarray(np.ones((2, 3), np.float32), device=place)
    before = numptx.memory_stats()["transferred_bytes"]
    assert repr(a) == str(a) == f"<numptx.Array float32[2, 3] on {place}>"
    assert numptx.memory_stats()["transferred_bytes"] == before


def test_closed_arrays_say_so(place):
    a = on(place, [1.0])
    a.close()
    assert repr(a) == f"<numptx.Array float64[1] on {place}, closed>"


def test_formats_of_one_element_are_its_own(place):
    one = on(place, 1.25)
    assert (f"{one:.3f}", f"{one}", f"{on(place, 7):04d}") == ("1.250", "1.25", "0007")
    many = on(place, [1.0, 2.0])
    assert f"{many}" == str(many)
    with pytest.raises(TypeError, match="unsupported format string"):
        f"{many:.3f}"
