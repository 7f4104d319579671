"""Elementwise rows and examples of rows against NumPy: their loops, and their values for every dtype and layout."""

import re

import numpy as np
import pytest

import comparison
import table
from compilation import ROOT

MAPS = table.of_class("map")
UFUNCS = [row for row in MAPS if isinstance(getattr(np, table.short(row)), np.ufunc)]
EXAMPLES = table.examples()
BY_NAME = {row["name"]: row for row in table.rows()}


def test_every_row_has_a_test():
    """Counted, so that none is left out where tests are a sample of all: in this folder, or in a program that is compared with Python."""
    named = ("special", "scipy", "shapes", "statistics", "calculus", "signals", "scipy_special")
    own = [*(ROOT / f"tests/functions/test_{name}.py" for name in named), ROOT / "tests/functions/special_values.txt"]
    paths = [*(ROOT / "tests/corpus").rglob("*.py"), *own]
    words = set(re.findall(r"\w+", "\n".join(path.read_text() for path in paths)))
    tested = {row["name"] for row in (*MAPS, *table.of_class("reduce"), *EXAMPLES)}
    assert not {name for name in BY_NAME if name not in tested and name.rpartition(".")[2] not in words}


def check(row, result, expected, where):
    results, wanted = (result, expected) if isinstance(expected, tuple) else ((result,), (expected,))
    for found, value in zip(results, wanted, strict=True):
        table.same_kind(found, value)
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
    for character in set(row["dtypes"]) & set("ledD"):
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
            ufunc.resolve_dtypes((*given, *[None] * ufunc.nout))
            computes = True
        except TypeError:
            computes = False
        assert computes == (character in row["dtypes"]), f"{row['name']} of {character}"


@pytest.mark.parametrize("k", range(len(EXAMPLES)), ids=lambda k: EXAMPLES[k]["name"])
def test_examples(k, pair):
    compiled, plain = pair(table.example_source())
    x, y = np.array([0.5, 2.0, -1.0, 4.0]), np.arange(12.0).reshape(3, 4)
    expected = getattr(plain, f"example_{k}")(x, y)
    result = getattr(compiled, f"example_{k}")(x, y)
    comparison.assert_same(result, expected)
    assert comparison.relations(result, (x, y)) == comparison.relations(expected, (x, y))
