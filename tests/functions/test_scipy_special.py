"""SciPy's special functions: values of 50 digits, what SciPy gives at special places, dtypes, layouts, and identities between them; beside SciPy where it is installed."""

from pathlib import Path

import numpy as np
import pytest

import comparison
import compilation
import table

ROWS = {row["name"].removeprefix("scipy.special."): row for row in table.of_class("library") if row["name"].startswith("scipy.special.")}
# Of arrays and an axis; they have tests of their own.
OVER_AXES = {"softmax", "log_softmax", "logsumexp"}
# Functions with zeros are as exact as their amplitudes are, which these are below.
WAVES = {name: 1e-2 for name in ("j0", "j1", "y0", "y1", "jv", "yv", "yn", "airy_0", "airy_1", "airy_2", "airy_3")}
WAVES |= {f"eval_{name}": 1e-2 for name in ("legendre", "chebyt", "chebyu", "hermite", "hermitenorm", "laguerre", "genlaguerre")}


def read_values():
    """Name → its arguments, exact values, and arguments and values of special places."""
    values = {}
    for line in Path(__file__).with_name("special_values.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        name, *arguments, sort, value = line.split()
        exact, special = values.setdefault(name, ([], []))
        (exact if sort == "=" else special).append((*map(float, arguments), float(value)))
    return {name: tuple(np.array(rows).T for rows in pair) for name, pair in values.items()}


VALUES = read_values()
NAMES = sorted(VALUES)


def has_whole_order(name):
    """They stay in double precision."""
    return name.startswith(("spherical", "eval_")) or name in ("yn", "kn")


def own_name(name):
    """`spherical_jn` of `spherical_jn_slope`, `zeta` of `zeta_of_two`, `airy` of `airy_0`, its first result."""
    return "airy" if name.startswith("airy") else name.removesuffix("_slope").removesuffix("_of_two")


def row_of(name):
    return ROWS[own_name(name)]


def function(name):
    """One function of a file, of arrays and of numbers."""
    n = len(VALUES[name][0]) - 1
    own = own_name(name)
    first = "int" if has_whole_order(own) else "float"
    exports = [f"{first}64[:]", f"{first}64[:,:]", "int" if first == "int" else "float"], ["float64[:]", "float32[:,:]", "float"]
    if first == "float":
        exports[0][1] = "float32[:,:]"
    lines = [f"#numptx export {name}({', '.join([a, *[b] * (n - 1)])})" for a, b in zip(*exports)]
    parameters = ", ".join(f"x{k}" for k in range(n))
    more = ", derivative=True" if name.endswith("_slope") else ""
    which = f"[{name[-1]}]" if own == "airy" else ""
    return "\n".join([*lines, f"def {name}({parameters}):", f"    return special.{own}({parameters}{more}){which}", "", ""])


GROUPS = [NAMES[k::12] for k in range(12)]
# The functions of one file are the sample that runs everywhere.
EACH = [name if name in GROUPS[0] else pytest.param(name, marks=pytest.mark.long) for name in NAMES]


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """Name → the compiled function: a file holds several."""
    files = {}

    def find(name):
        group = next(k for k, names in enumerate(GROUPS) if name in names)
        if group not in files:
            path = tmp_path_factory.mktemp("special") / f"special_{group}.py"
            path.write_text("from scipy import special\n\n" + "".join(map(function, GROUPS[group])))
            files[group] = compilation.load_compiled(compilation.compile_file(path, path.parent))
        return getattr(files[group], name)

    return find


def test_every_function_has_values():
    assert {own_name(name) for name in NAMES} | OVER_AXES == set(ROWS)
    assert all(len(VALUES[name][0]) > 1 and VALUES[name][0].shape[1] > 2 for name in NAMES)


def given(name, points):
    *arguments, values = points
    if has_whole_order(name):
        arguments[0] = arguments[0].astype(np.int64)
    return arguments, values


def errors(name, found, expected):
    """Relative ones; of waves those of their amplitude."""
    with np.errstate(all="ignore"):
        error = np.abs(found - expected) / np.maximum(np.abs(expected), WAVES.get(name, 0.0))
    return np.where((found == expected) | (np.isnan(found) & np.isnan(expected)), 0.0, np.nan_to_num(error, nan=np.inf))


@pytest.mark.parametrize("name", EACH)
def test_values(compiled, name):
    arguments, expected = given(name, VALUES[name][0])
    found = compiled(name)(*arguments)
    error = errors(name, found, expected)
    worst = int(np.argmax(error))
    bound = max(row_of(name)["ulp"], 2) * np.finfo(float).eps
    assert bound < 2e-11, "a row that promises less than SciPy's users expect"
    assert error[worst] <= bound, f"{[a[worst] for a in arguments]}: {found[worst]!r}, exactly {expected[worst]!r}"


@pytest.mark.parametrize("name", EACH)
def test_special_places(compiled, name):
    arguments, expected = given(name, VALUES[name][1])
    found = compiled(name)(*arguments)
    error = errors(name, found, expected)
    # Zeros of products have SciPy's sign where there is one of mathematics.
    has_sign = not name.startswith(("spherical", "eval_", "beta", "binom"))
    zeros = (found == 0) & (expected == 0) & (np.signbit(found) != np.signbit(expected))
    wrong = (error > 1e-12) | (zeros & has_sign)
    assert not wrong.any(), [(*(float(a[k]) for a in arguments), float(found[k]), float(expected[k])) for k in np.flatnonzero(wrong)]


@pytest.mark.parametrize("name", EACH)
def test_numbers_of_python_give_numbers_of_numpy(compiled, name):
    arguments, _ = given(name, VALUES[name][0])
    vector = compiled(name)(*arguments)
    for k in range(0, len(vector), max(len(vector) // 4, 1)):
        found = compiled(name)(*(a[k].item() for a in arguments))
        assert type(found) is (np.ndarray if name == "polygamma" else np.float64)
        assert errors(name, np.asarray(found), vector[k]) <= max(row_of(name)["ulp"], 2) * np.finfo(float).eps


@pytest.mark.parametrize("name", EACH)
def test_single_precision(compiled, name):
    """It is that of double precision, rounded; spherical Bessel functions stay wide."""
    arguments, _ = given(name, VALUES[name][0])
    narrow = [a.astype(np.float32) if a.dtype == np.float64 else a for a in arguments]
    expected = compiled(name)(*(a.astype(np.float64) if a.dtype == np.float32 else a for a in narrow))
    found = compiled(name)(*(a.reshape(1, -1) for a in narrow))
    is_wide = has_whole_order(name) or name == "factorial"
    assert found.dtype == (np.float64 if is_wide else np.float32) and found.shape == (1, len(expected))
    with np.errstate(over="ignore", under="ignore"):
        expected = expected.astype(np.float64 if has_whole_order(name) else np.float32).astype(np.float64)
    is_normal = np.abs(expected) > 1e-37
    # NumPy's sinc is computed in single precision.
    assert np.all(errors(name, found[0].astype(np.float64), expected)[is_normal] <= (3e-6 if name == "sinc" else 3e-7))


MORE = """
import numpy as np
import scipy.special
import scipy.special as sc
from scipy import special
from scipy.special import erf, gammaln as log_of_gamma, psi


#numptx export imports(float64)
def imports(x):
    from scipy.special import jn
    return scipy.special.gamma(x), sc.erfc(x), special.ndtr(x), erf(x), log_of_gamma(x), psi(x), jn(2, x)


#numptx export in_a_loop(float64[:], int)
def in_a_loop(x, n):
    y = np.empty((len(x), n))
    for i in range(len(x)):
        for k in range(n):
            y[i, k] = special.jv(k, x[i]) + special.erf(x[i]) * special.gammainc(k + 1, x[i])
    return y


#numptx export as_value(float64[:])
def as_value(x):
    def twice(f, v):
        return f(f(v))
    return twice(special.expit, x)


#numptx export first_wide(bool[:])
#numptx export first_wide(int8[:])
#numptx export first_wide(uint16[:])
#numptx export first_wide(int32[:])
#numptx export first_wide(int64[:])
#numptx export first_wide(float32[:])
#numptx export first_wide(float32)
#numptx export first_wide(int8)
#numptx export first_wide(int)
#numptx export first_wide(bool)
def first_wide(x):
    return special.gamma(x), special.zeta(x), special.j1(x)


#numptx export first_narrow(bool[:])
#numptx export first_narrow(int8[:])
#numptx export first_narrow(uint16[:])
#numptx export first_narrow(int32[:])
#numptx export first_narrow(int64[:])
#numptx export first_narrow(float32[:])
#numptx export first_narrow(float32)
#numptx export first_narrow(int8)
#numptx export first_narrow(int)
#numptx export first_narrow(bool)
def first_narrow(x):
    return special.erfinv(x), special.entr(x), special.ndtri(x)


#numptx export of_two(int8[:], float32[:])
#numptx export of_two(int32[:], float32[:])
#numptx export of_two(int, float32[:])
#numptx export of_two(float, float32[:])
#numptx export of_two(float, int8[:])
#numptx export of_two(int, int8[:])
#numptx export of_two(int, int)
#numptx export of_two(int, float32)
def of_two(x, y):
    return special.jv(x, y), special.gammainc(x, y), special.comb(x, y), special.betainc(x, 2, y)


#numptx export shapes(float64[:,:], float64[:,:])
#numptx export shapes(float64[:,:], float64[:])
#numptx export shapes(float64[:], float64[:,:])
#numptx export shapes(float64[:,:], float64)
#numptx export shapes(float64, float64[:,:])
def shapes(x, y):
    return special.xlogy(x, y), special.gammainc(x, y), special.betainc(x, y, 0.25)


#numptx export layouts(float64[:,:])
#numptx export layouts(float64[:,:,:])
def layouts(x):
    return special.erf(x), special.zeta(x), special.jv(1.5, x)


#numptx export zero_dimensional(float64[:])
def zero_dimensional(x):
    a = np.array(x[0])
    return special.erf(a), special.jv(a, a), special.spherical_jn(2, a), special.factorial(a), special.polygamma(1, a), special.softmax(a), special.logsumexp(a)


#numptx export lists(float)
def lists(x):
    return special.erf([x, 2.0]), special.jv([0, 1], x), special.logsumexp([x, 1])


#numptx export choose(float64[:])
def choose(n):
    return special.comb(n, 2), special.comb(n, 2, repetition=True), special.comb(n, 3, exact=False), special.perm(n, 2), special.factorial(n, exact=False)


#numptx export sums(float64[:,:])
#numptx export sums(float32[:,:])
def sums(x):
    whole = special.softmax(x), special.log_softmax(x), special.logsumexp(x)
    rows = special.softmax(x, axis=1), special.log_softmax(x, axis=-1), special.logsumexp(x, axis=1), special.logsumexp(x, 0, keepdims=True)
    return whole, rows, special.logsumexp(x, axis=(0, 1), return_sign=True)


#numptx export weighted(float64[:,:], float64[:,:])
#numptx export weighted(float64[:,:], int64[:])
#numptx export weighted(float32[:,:], float32[:,:])
def weighted(x, b):
    return special.logsumexp(x, axis=1, b=b), special.logsumexp(x, axis=0, b=b, return_sign=True), special.logsumexp(x, b=b, keepdims=True, return_sign=True)


#numptx export of_rows(float64[:,:])
def of_rows(x):
    return special.logsumexp(x, axis=1)


#numptx export of_integers(int64[:])
def of_integers(n):
    return special.softmax(n), special.log_softmax(n), special.logsumexp(n)
"""


@pytest.fixture(scope="module")
def more(tmp_path_factory):
    path = tmp_path_factory.mktemp("special") / "more_of_special.py"
    path.write_text(MORE)
    return compilation.load_compiled(compilation.compile_file(path, path.parent))


@pytest.fixture(scope="module")
def plain():
    pytest.importorskip("scipy")
    scope = {}
    exec(MORE, scope)
    return scope


def test_forms_of_imports(more):
    expected = 1.329340388179137, 0.0004069520174449589, 0.9937903346742240, 0.9995930479825550, 0.2846828704729192, 0.7031566406452432, 0.4460590584396172
    np.testing.assert_allclose(more.imports(2.5), expected, rtol=1e-13)


@pytest.mark.parametrize("header, line", [("", "from scipy import special as here"), ("import scipy\n", "here = scipy.special")], ids=str)
def test_imports_of_functions_alone(tmp_path, header, line):
    path = tmp_path / "alone.py"
    path.write_text(f"{header}\n#numptx export f(float64)\ndef f(x):\n    def g(v):\n        {line}\n        return here.erf(v)\n    return g(x)\n")
    assert compilation.load_compiled(compilation.compile_file(path, tmp_path)).f(0.5) == pytest.approx(0.5204998778130465, rel=1e-15)


@pytest.mark.long
def test_calls_in_loops_over_elements(more, compiled):
    x = np.linspace(0.1, 9.0, 7)
    found, orders = more.in_a_loop(x, 4), np.arange(4.0)
    wide, grid = np.broadcast_arrays(x[:, None], orders)
    parts = compiled("jv")(grid.ravel(), wide.ravel()) + compiled("erf")(wide.ravel()) * compiled("gammainc")(grid.ravel() + 1, wide.ravel())
    np.testing.assert_allclose(found.ravel(), parts, rtol=1e-12)


def test_functions_are_values(more):
    x = np.linspace(-3, 3, 5)
    once = 1 / (1 + np.exp(-x))
    np.testing.assert_allclose(more.as_value(x), 1 / (1 + np.exp(-once)), rtol=1e-15)


# Of each argument: the dtype that SciPy's loops give, where the one of float64 stands first, and where that of float32 does.
OF_ONE = {
    "bool[:]": (np.zeros(2, np.bool_), "d", "f"), "int8[:]": (np.ones(2, np.int8), "d", "f"), "uint16[:]": (np.ones(2, np.uint16), "d", "f"),
    "int32[:]": (np.ones(2, np.int32), "d", "d"), "int64[:]": (np.ones(2, np.int64), "d", "d"), "float32[:]": (np.ones(2, np.float32), "f", "f"),
    "float32": (np.float32(1), "f", "f"), "int8": (np.int8(1), "d", "f"), "int": (1, "d", "d"), "bool": (True, "d", "f"),
}  # fmt: skip


@pytest.mark.parametrize("kind", OF_ONE)
def test_dtypes_of_one_operand(more, kind):
    x, wide, narrow = OF_ONE[kind]
    for function, dtype in (more.first_wide, wide), (more.first_narrow, narrow):
        for found in function(x):
            assert found.dtype == np.dtype(dtype) and isinstance(found, np.ndarray) == (kind[-1] == "]")


SMALL, SINGLE = np.ones(2, np.int8), np.ones(2, np.float32)
# The dtypes of jv, gammainc, comb and betainc.
OF_TWO = [
    (SMALL, SINGLE, "fdff"), (np.ones(2, np.int32), SINGLE, "dddd"), (2, SINGLE, "fddf"), (2.0, SINGLE, "fddf"),
    (2.0, SMALL, "dddd"), (2, SMALL, "fddf"), (2, 1, "dddd"), (2, np.float32(1), "fddf"),
]  # fmt: skip


@pytest.mark.parametrize("k", range(len(OF_TWO)))
def test_dtypes_of_several_operands(more, k):
    x, y, expected = OF_TWO[k]
    assert "".join(found.dtype.char for found in more.of_two(x, y)) == expected


@pytest.mark.long
@pytest.mark.parametrize("shapes", [((3, 4), (3, 4)), ((3, 4), (4,)), ((4,), (3, 4)), ((3, 1), (1, 4)), ((3, 4), ()), ((), (3, 4)), ((0, 4), (4,))], ids=str)
def test_operands_are_broadcast(more, compiled, shapes):
    random = np.random.default_rng(1)
    x, y = (random.random(shape) * 5 + 0.1 if shape else 2.5 for shape in shapes)
    wide, other = (a.ravel() for a in np.broadcast_arrays(x, y))
    expected = compiled("xlogy")(wide, other), compiled("gammainc")(wide, other), compiled("betainc")(wide, other, np.full(wide.shape, 0.25))
    for found, values in zip(more.shapes(x, y), expected, strict=True):
        assert found.shape == np.broadcast_shapes(*shapes)
        np.testing.assert_allclose(found.ravel(), values, rtol=1e-13)


def test_shapes_that_do_not_fit_raise(more):
    with pytest.raises(ValueError, match="could not be broadcast"):
        more.shapes(np.ones((3, 4)), np.ones(3))


@pytest.mark.long
def test_results_have_the_memory_of_ufuncs(more, compiled):
    x = np.random.default_rng(2).random((4, 6)) * 4 + 1.1
    deep = np.random.default_rng(3).random((2, 3, 4)) + 1.5
    for given in (*table.layouts(x.ravel()).values(), deep, np.asfortranarray(deep), deep.transpose(1, 0, 2), deep[:, ::-1, ::2]):
        flat = given.ravel()
        expected = compiled("erf")(flat), compiled("zeta")(flat), compiled("jv")(np.full(flat.shape, 1.5), flat)
        for found, values in zip(more.layouts(given), expected, strict=True):
            wanted = np.positive(given)
            wanted[...] = values.reshape(given.shape)
            comparison.assert_same(found, wanted, tolerance=1e-13)


def test_arrays_without_axes_become_numbers(more):
    found = more.zero_dimensional(np.array([2.0]))
    assert [type(v) is np.ndarray for v in found] == [False, False, False, True, True, False, False]
    assert all(v.shape == () and v.dtype == np.float64 for v in found)
    np.testing.assert_allclose([float(v) for v in found], [0.9953222650189527, 0.3528340286156377, 0.1984479490571411, 2.0, 0.6449340668482264, 1.0, 2.0], rtol=1e-13)


def test_lists_become_arrays(more):
    error, waves, total = more.lists(0.5)
    np.testing.assert_allclose(error, [0.5204998778130465, 0.9953222650189527], rtol=1e-14)
    np.testing.assert_allclose(waves, [0.9384698072408130, 0.2422684576748739], rtol=1e-13)
    assert total == pytest.approx(1.474076984180107, rel=1e-14)


def test_choices(more):
    n = np.array([0.0, 1, 2, 5, 10])
    expected = [0, 0, 1, 10, 45], [0, 1, 3, 15, 55], [0, 0, 0, 10, 120], [0, 0, 2, 20, 90], [1, 1, 2, 120, 3628800]
    for found, values in zip(more.choose(n), expected, strict=True):
        np.testing.assert_allclose(found, values, rtol=1e-15)


def sums_of_numpy(x):
    """By definition, in double precision."""
    x = x.astype(np.float64)

    def of(axis, keep=False):
        with np.errstate(divide="ignore"):
            return np.log(np.sum(np.exp(x), axis=axis, keepdims=keep))

    def share(axis):
        return np.exp(x) / np.sum(np.exp(x), axis=axis, keepdims=True)

    with np.errstate(divide="ignore"):
        return (share(None), np.log(share(None)), of(None)), (share(1), np.log(share(1)), of(1), of(0, True)), (of((0, 1)), np.float64(1.0))


def leaves(value):
    return [leaf for v in value for leaf in leaves(v)] if isinstance(value, tuple) else [value]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_sums_of_exponentials(more, dtype):
    x = (np.random.default_rng(4).normal(size=(3, 5)) * 4).astype(dtype)
    x[1, 2] = -np.inf
    for found, expected in zip(leaves(more.sums(x)), leaves(sums_of_numpy(x)), strict=True):
        assert found.dtype == dtype and found.shape == expected.shape and isinstance(found, np.ndarray) == isinstance(expected, np.ndarray)
        np.testing.assert_allclose(found, expected, rtol=1e-14 if dtype == "float64" else 1e-5, atol=1e-15 if dtype == "float64" else 1e-6)


def test_sums_of_large_and_infinite_exponents(more):
    inf, nan = np.inf, np.nan
    rows = np.array([[1000.0, 1000.0], [-inf, -inf], [inf, 1.0], [inf, -inf], [nan, 1.0], [-1e5, -1e5], [1.0, 40.0]])
    expected = [1000 + np.log(2), -inf, inf, inf, nan, -1e5 + np.log(2), 40 + np.log1p(np.exp(-39))]
    np.testing.assert_array_equal(more.sums(rows)[1][2], expected)
    softmax = [[0.5, 0.5], [nan, nan], [nan, nan], [nan, nan], [nan, nan], [0.5, 0.5], [np.exp(-39) / (1 + np.exp(-39)), 1.0]]
    np.testing.assert_allclose(more.sums(rows)[1][0], softmax, rtol=1e-15)
    np.testing.assert_array_equal(more.sums(rows[2:3])[1][1], [[nan, -inf]])


def test_empty_sums(more):
    with pytest.raises(ValueError, match="zero-size array"):
        more.sums(np.zeros((0, 3)))
    assert more.of_rows(np.zeros((2, 0))).tolist() == [-np.inf, -np.inf]
    assert more.of_rows(np.zeros((0, 2))).shape == (0,)


def test_weighted_sums(more):
    x, b = np.array([[1.0, 2.0], [3.0, np.nan]]), np.array([[1.0, -2.0], [0.5, 0.0]])
    rows, (columns, signs), (total, sign) = more.weighted(x, b)
    e = np.exp
    np.testing.assert_allclose(rows, [np.nan, 3 + np.log(0.5)], rtol=1e-15)
    np.testing.assert_allclose(columns, np.log([e(1) + 0.5 * e(3), 2 * e(2)]), rtol=1e-15)
    assert signs.tolist() == [1.0, -1.0]
    np.testing.assert_allclose(total, [[np.log(abs(e(1) - 2 * e(2) + 0.5 * e(3)))]], rtol=1e-13)
    assert sign.tolist() == [[-1.0]]
    assert more.weighted(x, np.array([1, 2]))[0].dtype == np.float64
    narrow = more.weighted(x.astype(np.float32), b.astype(np.float32))
    assert {leaf.dtype for leaf in leaves(narrow)} == {np.dtype(np.float32)}


def test_sums_of_integers(more):
    softmax, logarithms, total = more.of_integers(np.array([1, 2]))
    np.testing.assert_allclose(softmax, [0.2689414213699951, 0.7310585786300049], rtol=1e-15)
    np.testing.assert_allclose(logarithms, np.log(softmax), rtol=1e-14)
    assert total == pytest.approx(2.313261687518223, rel=1e-15)


@pytest.mark.long
def test_identities(compiled):
    """Between functions that are computed in different ways, at points where no value is written down."""
    random = np.random.default_rng(5)
    v, x = random.random(400) * 20 + 0.01, random.random(400) * 60 + 0.05
    f = {name: compiled(name) for name in NAMES}
    with np.errstate(all="ignore"):
        wronskian = f["jv"](v + 1, x) * f["yv"](v, x) - f["jv"](v, x) * f["yv"](v + 1, x)
        np.testing.assert_allclose(wronskian * np.pi * x / 2, 1.0, rtol=1e-11)
        modified = f["ive"](v, x) * f["kve"](v + 1, x) + f["ive"](v + 1, x) * f["kve"](v, x)
        np.testing.assert_allclose(modified * x, 1.0, rtol=1e-12)
        n = np.floor(v)
        np.testing.assert_allclose(f["jv"](-n, x), (-1) ** n * f["jv"](n, x), rtol=1e-12, atol=1e-15)
        half = n + 0.5
        scale = np.sqrt(np.pi / (2 * x))
        np.testing.assert_allclose(scale * f["jv"](half, x), f["spherical_jn"](n.astype(int), x), rtol=1e-10, atol=1e-14)
        np.testing.assert_allclose(f["gammainc"](v, x) + f["gammaincc"](v, x), 1.0, rtol=1e-14)
        step = np.exp(v * np.log(x) - x - f["gammaln"](v + 1))
        np.testing.assert_allclose(f["gammaincc"](v + 1, x), f["gammaincc"](v, x) + step, rtol=1e-11)
        share = random.random(400)
        np.testing.assert_allclose(f["betainc"](v, x, share), f["betaincc"](x, v, 1 - share), rtol=1e-9)
        np.testing.assert_allclose(f["gamma"](v / 4) * f["gamma"](1 - v / 4) * np.sin(np.pi * v / 4), np.pi, rtol=1e-11)
        np.testing.assert_allclose(f["digamma"](v + 1) - f["digamma"](v), 1 / v, rtol=1e-12)
        np.testing.assert_allclose(f["erf"](f["erfinv"](2 * share - 1)), 2 * share - 1, rtol=1e-14)
        np.testing.assert_allclose(f["ndtr"](f["ndtri"](share)), share, rtol=1e-13)
        np.testing.assert_allclose(f["zeta_of_two"](v + 1.1, x) - f["zeta_of_two"](v + 1.1, x + 1), x ** -(v + 1.1), rtol=1e-11)


@pytest.mark.long
def test_orders_without_an_expansion_have_no_value(compiled):
    """Rather than a wrong one."""
    found = compiled("jv")(np.array([2e6, 2e6, 2e6]), np.array([1.0, 2.1e6, 1e14]))
    assert found[0] == 0 and np.isnan(found[1]) and abs(found[2]) < 1e-6


@pytest.mark.parametrize("name", EACH)
def test_scipy_gives_the_same(compiled, name):
    special = pytest.importorskip("scipy.special")
    arguments, _ = given(name, VALUES[name][0])
    keywords = {"derivative": True} if name.endswith("_slope") else {}
    with np.errstate(all="ignore"):
        expected = getattr(special, own_name(name))(*arguments, **keywords)
    expected = expected[int(name[-1])] if name.startswith("airy") else expected
    found = compiled(name)(*arguments)
    # SciPy's kl_div subtracts numbers as large as its arguments.
    rounding = 4 * np.finfo(float).eps * np.maximum(*np.abs(arguments)) if name == "kl_div" else 0.0
    assert np.all((errors(name, found, expected) < 1e-9) | (np.abs(found - expected) <= rounding))


CALLS = {
    "imports": (2.5,), "as_value": (np.linspace(-3, 3, 5),), "shapes": (np.ones((2, 3)), np.full(3, 2.5)), "lists": (0.5,),
    "choose": (np.array([0.0, 1, 2, 5, 10]),), "sums": (np.arange(6.0).reshape(2, 3),), "weighted": (np.arange(6.0).reshape(2, 3), np.ones((2, 3))),
    "of_integers": (np.arange(3),), "zero_dimensional": (np.array([2.0]),), "of_two": (2, SINGLE), "first_narrow": (SMALL,),
}  # fmt: skip


def is_scipy_newer():
    try:
        import scipy
    except ImportError:
        return False
    return tuple(int(part) for part in scipy.__version__.split(".")[:2]) >= (1, 18)


SCIPY_ROUNDS_MORE = is_scipy_newer()


@pytest.mark.parametrize("name", CALLS)
def test_scipy_gives_the_same_kinds(more, plain, name):
    found, expected = leaves(getattr(more, name)(*CALLS[name])), leaves(plain[name](*CALLS[name]))
    for ours, theirs in zip(found, expected, strict=True):
        # From SciPy 1.18 on gammainc rounds to float32 what it gave as float64 before.
        assert ours.dtype == theirs.dtype or (SCIPY_ROUNDS_MORE and ours.dtype == np.float64)
        assert type(ours) is type(theirs) and ours.shape == theirs.shape
        np.testing.assert_allclose(ours, theirs, rtol=1e-6 if theirs.dtype == np.float32 else 1e-12)
