"""Whether arrays are equal or close, as one answer or element by element."""
import numpy as np


def is_number(value):
    """Whether a value is a number of Python, which follows the dtype of what it meets."""
    return isinstance(value, (bool, int, float, complex)) and not isinstance(value, np.generic)


def as_numbers(value):
    """A number as it is, anything else as an array."""
    if is_number(value) or isinstance(value, np.generic):
        return value
    return np.asarray(value)


def as_inexact(value):
    """The same of floats or complex numbers, so that a difference to it is one."""
    if is_number(value):
        return float(value) if isinstance(value, int) else value
    if value.dtype.kind in "fc":
        return value
    return value * 1.0


def numpy_isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    x, y = as_numbers(a), as_inexact(as_numbers(b))
    relative, absolute = as_numbers(rtol), as_numbers(atol)
    close = np.less_equal(np.abs(x - y), absolute + relative * np.abs(y)) & np.isfinite(y) | np.equal(x, y)
    if equal_nan:
        return close | (np.isnan(x) & np.isnan(y))
    return close


def numpy_allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    return bool(np.all(numpy_isclose(a, b, rtol, atol, equal_nan)))


def numpy_array_equal(a1, a2, equal_nan=False):
    if a1.ndim != a2.ndim:
        return False
    if a1.shape != a2.shape:
        return False
    if equal_nan and a1.dtype.kind in "fc" and a2.dtype.kind in "fc":
        return bool(np.all((a1 == a2) | (np.isnan(a1) & np.isnan(a2))))
    return bool(np.all(a1 == a2))


def are_broadcast(first, second):
    """Whether two shapes have one that both are broadcast to."""
    n = min(len(first), len(second))
    fit = True
    for i, j in zip(first[len(first) - n:], second[len(second) - n:]):
        fit = fit and (i == j or i == 1 or j == 1)
    return fit


def numpy_array_equiv(a1, a2):
    if not are_broadcast(a1.shape, a2.shape):
        return False
    return bool(np.all(a1 == a2))


def numpy_real_if_close(a, tol=100):
    if a.dtype.kind != "c":
        return a
    least = float(np.finfo(a.dtype).eps) * tol if tol > 1 else float(tol)
    if np.all(np.absolute(a.imag) < least):
        return a.real
    return a
