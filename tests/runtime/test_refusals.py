"""The `TypeError` of a call that fits no overload: which argument, what it got, what would fit, and what to pass instead where something would be lost."""

import numpy as np
import pytest

import numptx
from other_libraries import Exporter

PROGRAM = """
#numptx export np_sc(int32, float32, uint8)
def np_sc(n, a, k):
    return n * k + a

#numptx export scaled(float64[:], float64)
#numptx export scaled(float32[:], float64)
#numptx export scaled(float64[:,:], int8)
def scaled(x, by):
    return x * by

#numptx export half(float)
def half(x):
    return x / 2

#numptx export pair((int, (float64[:], bool)), complex64)
def pair(p, z):
    return p[1][0] * z

#numptx export laid_out(float64[:,3] order(C))
def laid_out(x):
    return x + 1

#numptx export turned(complex128[:])
def turned(z):
    return z * 1j

#numptx export reduced(float64[:], str)
def reduced(x, how):
    if how == "sum":
        return x.sum()
    return x.max()

#numptx export optional(float64[:], int?, int?)
def optional(x, first=0, last=1):
    return x[first] + last

#numptx export nothing()
def nothing():
    return 1
"""
X = np.zeros(3)


def refusal(call):
    with pytest.raises(TypeError) as refused:
        call()
    return str(refused.value).split("\n")


MISFITS = [
    (lambda m: m.np_sc(2**31, 2.0, 3), ["np_sc() argument 1 `n`: 2147483648 does not fit int32"]),
    (lambda m: m.np_sc(1, 1e300, 3), ["np_sc() argument 2 `a`: 1e+300 does not fit float32"]),
    (lambda m: m.np_sc(1, k=256, a=2.0), ["np_sc() argument 3 `k`: 256 does not fit uint8"]),
    (lambda m: m.np_sc(-(2**31) - 1, 2.0, -1), ["np_sc() argument 1 `n`: -2147483649 does not fit int32", "np_sc() argument 3 `k`: -1 does not fit uint8"]),
    (lambda m: m.np_sc(np.int64(1), 2.0, 3), ["np_sc() argument 1 `n`: np.int64(1) does not fit int32"]),
    (lambda m: m.np_sc(1.5, None, "x"), ["np_sc() argument 1 `n`: 1.5 does not fit int32", "np_sc() argument 2 `a`: None does not fit float32", "np_sc() argument 3 `k`: 'x' does not fit uint8"]),
    (lambda m: m.np_sc(10**5000, 2.0, 3), ["np_sc() argument 1 `n`: int beyond 64 bits does not fit int32"]),
    (lambda m: m.np_sc(np.zeros(1, int), 2.0, 3), ["np_sc() argument 1 `n`: int64[:] {shape (1,)} does not fit int32"]),
    (lambda m: m.half(numptx.asarray(X)), ["half() argument 1 `x`: float64[:] does not fit float"]),
    (lambda m: m.pair((1.5, (X, True)), 1j), ["pair() argument 1 `p[0]`: 1.5 does not fit int"]),
    (lambda m: m.pair((1, (X, 1)), 1j), ["pair() argument 1 `p[1][1]`: 1 does not fit bool"]),
    (lambda m: m.pair((1, X), 1j), ["pair() argument 1 `p[1]`: float64[:] {shape (3,)} does not fit (float64[:], bool)"]),
    (lambda m: m.pair((1, (X, True), 2), 1e300j), ["pair() argument 1 `p`: (int, (float64[:] {shape (3,)}, bool), int) does not fit (int, (float64[:], bool))", "pair() argument 2 `z`: 1e+300j does not fit complex64"]),
    (lambda m: m.laid_out(np.zeros((3, 2)).T), ["laid_out() argument 1 `x`: float64[:, :] {shape (2, 3), order F} does not fit float64[:, 3] order(C)"]),
    (lambda m: m.laid_out(np.zeros((2, 4))), ["laid_out() argument 1 `x`: float64[:, :] {shape (2, 4)} does not fit float64[:, 3] order(C)"]),
    (lambda m: m.reduced(X, 3), ['reduced() argument 2 `how`: 3 does not fit "sum" of reduced(float64[:], "sum")']),
    (lambda m: m.optional(X, 0.5), ["optional() argument 2 `first`: 0.5 does not fit int of optional(float64[:], int)"]),
]


@pytest.mark.parametrize("case", range(len(MISFITS)))
def test_each_argument_that_does_not_fit_is_named_with_what_would(compiled, case):
    call, expected = MISFITS[case]
    lines = refusal(lambda: call(compiled))
    assert lines[: len(expected)] == expected
    assert lines[len(expected)].startswith(expected[0].split("(")[0] + "() got (") and "; it accepts" in lines[len(expected)]


NEAREST = [
    # The dtype and rank of an array come before the value of a number.
    (lambda m: m.scaled(np.zeros((3, 3)), 300), "argument 2 `by`: 300 does not fit int8 of scaled(float64[:, :], int8)"),
    (lambda m: m.scaled(np.zeros(3, np.float32), "two"), "argument 2 `by`: 'two' does not fit float64 of scaled(float32[:], float64)"),
    (lambda m: m.scaled(np.zeros(3, int), 2.0), "argument 1 `x`: int64[:] {shape (3,)} does not fit float64[:] of scaled(float64[:], float64)"),
    (lambda m: m.scaled(np.zeros((3, 3), np.float32), 2.0), "argument 1 `x`: float32[:, :] {shape (3, 3)} does not fit float32[:] of scaled(float32[:], float64)"),
    (lambda m: m.scaled([1.0], 2.0), "argument 1 `x`: list does not fit float64[:] of scaled(float64[:], float64)"),
]


@pytest.mark.parametrize("case", range(len(NEAREST)))
def test_of_several_overloads_the_nearest_is_said_and_all_are_listed(compiled, case):
    call, expected = NEAREST[case]
    lines = refusal(lambda: call(compiled))
    assert lines[0] == f"scaled() {expected}"
    assert lines[-4].endswith("it accepts one of")
    assert lines[-3:] == ["    scaled(float64[:], float64)", "    scaled(float32[:], float64)", "    scaled(float64[:, :], int8)"]


COUNTS = [
    (lambda m: m.np_sc(1, 2.0), "np_sc() got no argument 3 `k`"),
    (lambda m: m.np_sc(1, k=2), "np_sc() got no argument 2 `a`"),
    (lambda m: m.np_sc(), "np_sc() got no argument 1 `n`"),
    (lambda m: m.np_sc(1, 2.0, 3, 4), "np_sc() takes at most 3 arguments, got 4"),
    (lambda m: m.np_sc(1, 2.0, m=3), "np_sc() has no parameter `m`"),
    (lambda m: m.np_sc(1, 2.0, n=3), "np_sc() got argument 1 `n` twice, by its position and by its name"),
    (lambda m: m.optional(X, last=2), "optional() got no argument 2 `first`"),
    (lambda m: m.optional(X, 1, 2, 3), "optional() takes at most 3 arguments, got 4"),
    (lambda m: m.nothing(1), "nothing() takes at most 0 arguments, got 1"),
    (lambda m: m.nothing(x=1), "nothing() has no parameter `x`"),
]


@pytest.mark.parametrize("case", range(len(COUNTS)))
def test_what_is_missing_or_too_much_is_named(compiled, case):
    call, expected = COUNTS[case]
    assert refusal(lambda: call(compiled))[0] == expected


def test_more_arguments_than_fit_on_the_stack(workshop):
    names = [f"x{i}" for i in range(20)]
    many = workshop.pair(f"#numptx export many({', '.join(['float64'] * 20)})\ndef many({', '.join(names)}):\n    return {' + '.join(names)}\n")[0].many
    given = [1.0] * 20
    given[17] = "x"
    assert refusal(lambda: many(*given))[0] == "many() argument 18 `x17`: 'x' does not fit float64"


def test_arrays_of_other_libraries_say_what_they_are(compiled):
    class Tensor(Exporter):
        dtype, shape = "library.int32", (2, 3)

    lines = refusal(lambda: compiled.scaled(Tensor(np.zeros((2, 3), np.int32)), 2.0))
    assert "argument 1 `x`: Tensor {library.int32, shape (2, 3)} does not fit float64[:]" in lines[0]


def test_what_raises_in_an_argument_that_is_asked_again_stays_quiet(compiled):
    """The second argument is not reached where the first does not fit; it is, for the error."""

    class Broken:
        def __float__(self):
            raise ZeroDivisionError("mine")

        def __repr__(self):
            raise ZeroDivisionError("mine")

    assert refusal(lambda: compiled.scaled("x", Broken()))[0].startswith("scaled() argument 1 `x`: 'x' does not fit")

    class Ends(Broken):
        def __float__(self):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compiled.scaled("x", Ends())


# What is more than its elements.


class Quantity(np.ndarray):
    """As Astropy's."""

    unit = property(lambda self: "m")
    to_value = lambda self, unit: np.asarray(self)


class Tagged(np.ndarray):
    """Somebody's subclass, which means more by its elements."""


class Measured:
    """As Pint's: no subclass, an array inside."""

    units = "m"
    m_as = lambda self, units: X


class Sparse:
    """As SciPy's."""

    nnz = 1
    toarray = lambda self: X


class Series:
    """As pandas'."""

    index = property(lambda self: "abc")
    to_numpy = lambda self: X

    def __array__(self, dtype=None, copy=None):
        return X


MASKED = np.ma.masked_array([1.0, 2.0], [False, True])
RECORDS = np.zeros(3, dtype=[("a", "f8"), ("b", "i4")])
MATRIX = X.reshape(1, 3).view(np.matrix)
ADVICE = [
    (MASKED, "; pass x.filled(value), where the value is what masked elements count as"),
    (X.view(Quantity), "; pass x.to_value(unit), in the unit that the function expects"),
    (X.view(Tagged), "; pass x.view(numpy.ndarray) for the elements alone, without what the type adds to them"),
    (Measured(), "; pass x.m_as(units), in the units that the function expects"),
    (Sparse(), "; pass its parts, such as x.data and x.indices, or x.toarray() with the zeros between"),
    (Series(), "; pass x.to_numpy(), which has the elements by their position and no index"),
    (RECORDS, "; pass one field after the other, such as x['a']"),
    (RECORDS.view(np.recarray), "; pass one field after the other, such as x['a']"),
    (np.rec.array(X), "; pass numpy.asarray(x), which has the same elements"),
    (MATRIX, "; pass numpy.asarray(x), which has the same elements, whose operators work element by element"),
]


@pytest.mark.parametrize("case", range(len(ADVICE)), ids=lambda case: type(ADVICE[case][0]).__name__)
def test_no_advice_loses_anything_without_saying_so(compiled, case):
    array, advice = ADVICE[case]
    line = refusal(lambda: compiled.scaled(array, 2.0))[0]
    assert line.endswith(advice)


@pytest.mark.parametrize("array", [np.array([1, None]), np.zeros(3, "M8[s]"), np.array(["a"]), np.zeros(3, np.longdouble)], ids=lambda array: str(array.dtype))
def test_where_every_conversion_may_lose_something_none_is_advised(compiled, array):
    lines = refusal(lambda: compiled.scaled(array, 2.0))
    assert f"{array.dtype}[:]" in lines[0] and "pass" not in "".join(lines)


def test_a_field_of_records_says_what_is_wrong_with_it(compiled):
    lines = refusal(lambda: compiled.turned(np.zeros(3, dtype=[("a", "c16"), ("b", "f8")])["a"]))
    assert "complex128[:] {shape (3,), strided, strides of no whole elements} does not fit complex128[:]" in lines[0]


@pytest.mark.parametrize("shape", [(3, 0), (0, 2), (1, 1)])
def test_a_field_of_records_through_which_nobody_steps_is_taken(compiled, shape):
    field = np.ones((3, 3), dtype=[("a", "f8"), ("b", "f4")])["a"][: shape[0], : shape[1]]
    assert field.shape == shape and field.strides == (36, 12) and field.flags.aligned
    np.testing.assert_array_equal(compiled.scaled(field, 2), field * 2)


@pytest.mark.parametrize("element", [np.ma.masked, MASKED[1:].reshape(()), X[0:1].view(Quantity).reshape(()), X[0:1].view(Tagged).reshape(())], ids=lambda element: type(element).__name__)
def test_an_array_without_axes_that_is_more_than_its_element_is_no_number(compiled, element):
    for call in (lambda: compiled.half(element), lambda: compiled.scaled(X, element)):
        assert "; pass " in refusal(call)[0]


def test_asarray_takes_nothing_whose_elements_say_something_else():
    for array, words in ((MASKED, r"MaskedArray .*x\.filled\(value\)"), (Sparse(), r"Sparse .*x\.toarray\(\)"), (RECORDS, r"not supported by numptx: pass one field .*x\['a'\]")):
        with pytest.raises(TypeError, match=words):
            numptx.asarray(array)
    with pytest.raises(TypeError, match=r"x\.filled\(value\)"):
        numptx.asarray(np.zeros(2)).copy_from(MASKED)
    assert numptx.asarray(MASKED.filled(7.0)).to_host().tolist() == [1, 7]


@pytest.mark.parametrize("array", [MATRIX, np.rec.array(X), X.view(Tagged), Series()], ids=lambda array: type(array).__name__)
def test_asarray_takes_what_numpy_s_does(array):
    np.testing.assert_array_equal(numptx.asarray(array).to_host(), np.asarray(array))


def test_pandas_and_scipy_themselves(compiled):
    pandas = pytest.importorskip("pandas")
    assert "x.to_numpy()" in refusal(lambda: compiled.scaled(pandas.Series(X), 2.0))[0]
    assert "x.to_numpy()" in refusal(lambda: compiled.scaled(pandas.DataFrame({"a": X}), 2.0))[0]
    sparse = pytest.importorskip("scipy.sparse")
    for kind in (sparse.csr_array, sparse.coo_matrix):
        assert "x.toarray()" in refusal(lambda: compiled.scaled(kind(np.eye(3)), 2.0))[0]
        with pytest.raises(TypeError, match=r"x\.toarray\(\)"):
            numptx.asarray(kind(np.eye(3)))


def test_quantities_of_astropy_itself(compiled):
    units = pytest.importorskip("astropy.units")
    assert "x.to_value(unit)" in refusal(lambda: compiled.scaled(X * units.m, 2.0))[0]
    assert "x.to_value(unit)" in refusal(lambda: compiled.half(3.0 * units.m))[0]
