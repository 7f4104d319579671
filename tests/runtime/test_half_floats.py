"""`float16` at the boundary: which numbers and arrays are taken, what comes back, and how other libraries see it."""

import math
import pathlib

import numpy as np
import pytest

import numptx

SOURCE = '''"""Halves."""

import numpy as np

SCALE = np.float16(0.1)


#numptx export scaled(float16, float16[:])
def scaled(a, x):
    return a * x

#numptx export number(float16)
def number(a):
    return a * a

#numptx export either(float16[:])
#numptx export either(float32[:])
def either(x):
    return x.itemsize
'''


@pytest.fixture(scope="module")
def halves(workshop):
    return workshop.pair(SOURCE, "halves")[0]


def test_numbers_of_python_are_rounded_once(halves):
    result = halves.number(1 + 2**-11 + 2**-30)
    assert type(result) is np.float16 and result == np.float16(1 + 2**-10) ** 2
    assert math.isnan(halves.number(math.nan)) and halves.number(math.inf) == math.inf
    assert halves.number(3) == 9 and halves.number(np.float16(300)) == np.inf


@pytest.mark.parametrize("number", [1e6, -65520.0, np.float32(1), np.float64(1) * 1j, "1"])
def test_other_numbers_are_refused(number, halves):
    with pytest.raises(TypeError):
        halves.number(number)


def test_arrays_are_those_of_the_export(halves):
    x = np.arange(5).astype(np.float16)
    result = halves.scaled(0.1, x[::-1])
    assert result.dtype == np.float16
    np.testing.assert_array_equal(result, np.float16(0.1) * x[::-1])
    assert halves.either(x) == 2 and halves.either(x.astype(np.float32)) == 4
    for other in (np.float32, np.int16, np.uint16):
        with pytest.raises(TypeError, match="float16"):
            halves.scaled(0.1, x.astype(other))


def test_arrays_of_other_libraries(halves):
    x = numptx.asarray(np.arange(4).astype(np.float16))
    result = halves.scaled(2.0, x)
    assert type(result) is numptx.Array and result.dtype == np.float16
    np.testing.assert_array_equal(np.from_dlpack(result), [0, 2, 4, 6])
    assert memoryview(result).format == "e" and bytes(memoryview(result)) == result.to_host().tobytes()
    np.testing.assert_array_equal(numptx.full(3, 0.1, "float16").to_host(), np.full(3, 0.1, np.float16))


def test_hints_name_it(workshop):
    source = """import numpy as np


def hinted(x: np.float16, y: np.ndarray[tuple[int], np.dtype[np.float16]]):
    return y - x
"""
    x = np.arange(5).astype(np.float16)
    np.testing.assert_array_equal(workshop.pair(source, "hinted_halves")[0].hinted(np.float16(1), x), x - np.float16(1))


def test_the_stub_and_the_header_name_it(halves):
    path = pathlib.Path(halves.__file__)
    stub = next(path.parent.glob("halves*.pyi")).read_text()
    assert "np.float16" in stub and "NDArray[np.float16]" in stub
    header = next(path.parent.glob("halves*.h")).read_text()
    assert "numptx_float16 a_" in header
