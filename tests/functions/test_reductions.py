"""Reductions of the table against NumPy: their values for every dtype, axis and layout."""

import numpy as np
import pytest

import table

REDUCTIONS = table.of_class("reduce")
BY_NAME = {row["name"]: row for row in REDUCTIONS}


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
            # Partial products of 16 bits that are subnormal are rounded by what they are, in NumPy's order.
            most = 1e2 if character == "e" else 1e10
            vector = np.where((magnitude < most) & (magnitude > 1 / most), vector, 1.25).astype(vector.dtype)
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
    table.same_kind(result, expected)
    if expected.dtype.kind not in "fc":
        np.testing.assert_array_equal(result, expected, err_msg=where)
        return
    # Another order of the same sum: the bound is relative to the sum of magnitudes.
    scale = np.sum(np.abs(array), dtype=np.float64) if "prod" not in where else np.abs(expected)
    with np.errstate(invalid="ignore"):
        error = np.abs(result.astype(np.complex128) - expected)
    assert np.all((result == expected) | (error <= 32 * np.finfo(expected.dtype).eps * scale)), where


@pytest.mark.parametrize("name", ["max", "min", "argmax", "argmin", "any", "all"])
def test_reductions_of_special_values(name, pair, forms):
    """NaN and infinities: the result is NumPy's, wherever they stand."""
    row = BY_NAME[f"numpy.{name}"]
    compiled, plain = pair(row)
    for character in "efd":
        for suffix in forms(row, character):
            for array in table.layouts(table.special(character)).values():
                if array.size == 0:
                    continue
                with np.errstate(all="ignore"):
                    expected = getattr(plain, name + suffix)(array)
                np.testing.assert_array_equal(getattr(compiled, name + suffix)(array), expected)
