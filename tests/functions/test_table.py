"""Every row of the table against NumPy: its loops, and its values for every dtype and layout."""

import re

import numpy as np
import pytest

import comparison
import sample
import table
from compilation import ROOT

MAPS = table.of_class("map")
UFUNCS = [row for row in MAPS if isinstance(getattr(np, table.short(row)), np.ufunc)]
REDUCTIONS = table.of_class("reduce")
EXAMPLES = table.examples()
BY_NAME = {row["name"]: row for row in table.rows()}


def test_every_row_has_a_test():
    """Counted, so that none is left out where tests are a sample of all: in this file, or in a program that is compared with Python."""
    paths = [*(ROOT / "tests/corpus").rglob("*.py"), ROOT / "tests/functions/test_special.py"]
    words = set(re.findall(r"\w+", "\n".join(path.read_text() for path in paths)))
    tested = {row["name"] for row in (*MAPS, *REDUCTIONS, *EXAMPLES)}
    assert not {name for name in BY_NAME if name not in tested and name.rpartition(".")[2] not in words}


@pytest.fixture
def pair(workshop, pytestconfig):
    """`pair(row)`: `(compiled module, plain module)` of the source of a row's group; `pair(text)` of another source."""
    flags, sources = sample.halves(pytestconfig), table.sources(pytestconfig.getoption("--quick"))
    return lambda of: workshop.pair(of, "examples", flags) if isinstance(of, str) else workshop.pair(sources[of["name"]], "rows", flags)


def same_kind(result, expected):
    assert type(result) is type(expected), f"{type(result).__name__} where NumPy gives {type(expected).__name__}"
    assert result.dtype == expected.dtype and result.shape == expected.shape
    if isinstance(expected, np.ndarray):
        assert comparison.significant_strides(result) == comparison.significant_strides(expected)


def check(row, result, expected, where):
    results, wanted = (result, expected) if isinstance(expected, tuple) else ((result,), (expected,))
    for found, value in zip(results, wanted, strict=True):
        same_kind(found, value)
        if value.dtype.kind not in "fc":
            np.testing.assert_array_equal(found, value, err_msg=where)
            continue
        bound = row["complex_ulp"] if value.dtype.kind == "c" else row["ulp"]
        distance = table.ulp_distance(found, value)
        # NumPy's own error is of the same size.
        assert distance <= 2 * bound, f"{where}: {distance} ULP, the row says {bound}\n{found!r}\nNumPy: {value!r}"


def operands(row, character):
    first = table.special(character)
    if row["n_inputs"] == 1:
        return [first]
    other = table.special(table.second(row, character))
    if row["name"] == "numpy.power" and other.dtype.kind == "i":
        other = np.where(other < 0, 3, other).astype(other.dtype)
    return [first, other]


@pytest.mark.parametrize("row", MAPS, ids=table.short)
def test_elementwise(row, pair):
    compiled, plain = pair(row)
    ours, numpys = getattr(compiled, table.short(row)), getattr(plain, table.short(row))
    for character in row["dtypes"]:
        vectors = operands(row, character)
        cases = {name: [table.layouts(v)[name] for v in vectors] for name in table.layouts(vectors[0])}
        if len(vectors) == 2:
            column, line = vectors[0].reshape(-1, 1), vectors[1].reshape(1, -1)
            cases["all pairs"] = [column, line]
            cases["mixed layouts"] = [table.layouts(vectors[0])["fortran"], table.layouts(vectors[1])["row"]]
        for name, arguments in cases.items():
            with np.errstate(all="ignore"):
                expected = numpys(*arguments)
            check(row, ours(*arguments), expected, f"{row['name']} of {character}, {name}")


@pytest.mark.parametrize("row", MAPS, ids=table.short)
def test_single_elements(row, pair):
    compiled, plain = pair(row)
    name = f"{table.short(row)}_scalar"
    for character in set(row["dtypes"]) & set("ldD"):
        vectors = operands(row, character)
        for k in range(0, 24, 3):
            arguments = [v[k:].reshape(1, -1) for v in vectors]
            with np.errstate(all="ignore"):
                expected = getattr(plain, name)(*arguments)
            check(row, getattr(compiled, name)(*arguments), expected, f"{row['name']} of {arguments}")


@pytest.mark.parametrize("row", UFUNCS, ids=table.short)
def test_loops_are_numpys(row):
    """The dtypes that a row accepts, and its results' dtypes, are those of NumPy's ufunc."""
    ufunc = getattr(np, table.short(row))
    assert (ufunc.nin, ufunc.nout) == (row["n_inputs"], row["n_outputs"])
    for character in table.DTYPES:
        given = [np.dtype(character), np.dtype(table.second(row, character))][: ufunc.nin]
        try:
            resolved = ufunc.resolve_dtypes((*given, *[None] * ufunc.nout))
            computes = not any(d.char == "e" for d in resolved[ufunc.nin :])
        except TypeError:
            computes = False
        assert computes == (character in row["dtypes"]), f"{row['name']} of {character}"


@pytest.fixture
def forms(pytestconfig):
    """`forms(row, character)`: the suffixes of a reduction's functions that take a dtype."""
    quick = pytestconfig.getoption("--quick")
    return lambda row, character: [suffix for suffix in table.REDUCTIONS if character in table.reduced(row, suffix, quick)]


@pytest.mark.parametrize("row", REDUCTIONS, ids=table.short)
def test_reductions(row, pair, forms):
    compiled, plain = pair(row)
    for character in row["dtypes"]:
        vector = table.special(character)
        if vector.dtype.kind in "fc":
            magnitude = np.abs(vector)
            vector = np.where((magnitude < 1e10) & (magnitude > 1e-10), vector, 1.25).astype(vector.dtype)
        for suffix in forms(row, character):
            name = table.short(row) + suffix
            for layout, array in table.layouts(vector).items():
                compare_reduction(getattr(compiled, name), getattr(plain, name), array, f"{name} of {character}, {layout}")


def compare_reduction(ours, numpys, array, where):
    try:
        with np.errstate(all="ignore"):
            expected = numpys(array)
    except ValueError as error:
        with pytest.raises(ValueError, match=str(error)[:40]):
            ours(array)
        return
    result = ours(array)
    if isinstance(expected, int):
        assert result == expected, where
        return
    same_kind(result, expected)
    if expected.dtype.kind not in "fc":
        np.testing.assert_array_equal(result, expected, err_msg=where)
        return
    # Another order of the same sum: the bound is relative to the sum of magnitudes.
    scale = np.sum(np.abs(array), dtype=np.float64) if "prod" not in where else np.abs(expected)
    error = np.abs(result.astype(np.complex128) - expected)
    assert np.all(error <= 32 * np.finfo(expected.dtype).eps * scale), where


@pytest.mark.parametrize("name", ["max", "min", "argmax", "argmin", "any", "all"])
def test_reductions_of_special_values(name, pair, forms):
    """NaN and infinities: the result is NumPy's, wherever they stand."""
    row = BY_NAME[f"numpy.{name}"]
    compiled, plain = pair(row)
    for character in "fd":
        for suffix in forms(row, character):
            for array in table.layouts(table.special(character)).values():
                if array.size == 0:
                    continue
                with np.errstate(all="ignore"):
                    expected = getattr(plain, name + suffix)(array)
                np.testing.assert_array_equal(getattr(compiled, name + suffix)(array), expected)


@pytest.mark.parametrize("k", range(len(EXAMPLES)), ids=lambda k: EXAMPLES[k]["name"])
def test_examples(k, pair):
    compiled, plain = pair(table.example_source())
    x, y = np.array([0.5, 2.0, -1.0, 4.0]), np.arange(12.0).reshape(3, 4)
    expected = getattr(plain, f"example_{k}")(x, y)
    result = getattr(compiled, f"example_{k}")(x, y)
    comparison.assert_same(result, expected)
    assert comparison.relations(result, (x, y)) == comparison.relations(expected, (x, y))
