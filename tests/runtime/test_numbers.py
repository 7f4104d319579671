"""Numbers of Python and of NumPy in exports, each by its own rules."""

import math

import numpy as np
import pytest

SOURCE = '''"""Numbers."""

#numptx export of_python(float, float)
def of_python(a, b):
    return a / b

#numptx export of_numpy(float64, float64)
def of_numpy(a, b):
    return a / b

#numptx export mean(float64[:])
def mean(x):
    s = 0.0
    for v in x:
        s += v
    return s / len(x)
'''


@pytest.fixture(scope="module")
def numbers(workshop):
    return workshop.pair(SOURCE, "numbers")[0]


@pytest.mark.parametrize("number", [float, np.float64])
def test_the_export_tells_whose_number_it_is(number, numbers):
    assert type(numbers.of_python(number(1), number(2))) is float
    assert type(numbers.of_numpy(number(1), number(2))) is np.float64
    with pytest.raises(ZeroDivisionError):
        numbers.of_python(number(1), number(0))
    assert numbers.of_numpy(number(1), number(0)) == math.inf


def test_what_a_loop_without_iterations_starts_with_is_numpy_s(numbers):
    """Python raises ZeroDivisionError here, as docs/language.md says."""
    assert math.isnan(numbers.mean(np.empty(0)))
    assert numbers.mean(np.array([1.0, 2.0])) == 1.5
