"""Operands of SciPy's elementwise functions: computed in float64, with the results' dtypes and memory that ufuncs give."""
import numpy as np


def wide(x):
    """An array of float64, or one number."""
    if isinstance(x, np.ndarray):
        if x.ndim == 0:
            return np.float64(x[()])
        return x if x.dtype == np.float64 else x.astype(np.float64)
    return np.float64(x)


def is_float32(x):
    if is_python(x):
        return False
    return x.dtype == np.float32


def place_in_single(x):
    """What an operand is to a ufunc whose first loop is that of float32: 0 is too wide, 1 and 2 are Python's numbers, 3 are integers that fit."""
    if is_python(x):
        if isinstance(x, bool):
            return 3
        return 1 if isinstance(x, int) else 2
    if x.dtype == np.float32:
        return 4
    fits = x.dtype == np.bool_ or x.dtype == np.int8 or x.dtype == np.int16 or x.dtype == np.uint8 or x.dtype == np.uint16
    return 3 if fits else 0


def fit_single(x, y):
    one, other = place_in_single(x), place_in_single(y)
    if one == 0 or other == 0:
        return False
    if one == 4 or other == 4:
        return True
    # A Python float beside small integers is a float64.
    return one != 2 and other != 2 and (one == 3 or other == 3)


def rounded(y, is_single):
    if not is_single:
        return y
    return y.astype(np.float32) if isinstance(y, np.ndarray) else np.float32(y)


def where_one(condition, x, y):
    """Of numbers a number."""
    if isinstance(condition, np.ndarray):
        return np.where(condition, x, y)
    return np.float64(x) if condition else np.float64(y)


def polynomial(coefficients, x):
    """By Horner's rule, the highest power first."""
    total = coefficients[0] * x + coefficients[1]
    for coefficient in coefficients[2:]:
        total = total * x + coefficient
    return total


def in_memory_of(values, like):
    """A vector in the shape and the order of memory of what a ufunc gave."""
    result = np.empty_like(like)
    result[...] = values.reshape(like.shape)
    return result


def each(f, x):
    """f of each element: one thread's work each."""
    if not isinstance(x, np.ndarray):
        return f(x)
    flat = x.reshape(-1)
    found = np.empty(flat.shape[0], np.float64)
    for k in range(flat.shape[0]):
        found[k] = f(flat[k])
    return in_memory_of(found, np.positive(x))


def each_of_two(f, x, y):
    """f of the elements of two operands."""
    if not isinstance(x, np.ndarray) and not isinstance(y, np.ndarray):
        return f(x, y)
    like = x + y
    found = np.empty(like.size, np.float64)
    if not isinstance(x, np.ndarray):
        second = y.reshape(-1)
        for k in range(found.shape[0]):
            found[k] = f(x, second[k])
    elif not isinstance(y, np.ndarray):
        first = x.reshape(-1)
        for k in range(found.shape[0]):
            found[k] = f(first[k], y)
    else:
        first = np.broadcast_to(x, like.shape).reshape(-1)
        second = np.broadcast_to(y, like.shape).reshape(-1)
        for k in range(found.shape[0]):
            found[k] = f(first[k], second[k])
    return in_memory_of(found, like)


def each_of_three(f, x, y, z):
    """f of the elements of three operands."""
    if not (isinstance(x, np.ndarray) or isinstance(y, np.ndarray) or isinstance(z, np.ndarray)):
        return f(x, y, z)
    like = x + y + z
    first = np.broadcast_to(x, like.shape).reshape(-1)
    second = np.broadcast_to(y, like.shape).reshape(-1)
    third = np.broadcast_to(z, like.shape).reshape(-1)
    found = np.empty(like.size, np.float64)
    for k in range(found.shape[0]):
        found[k] = f(first[k], second[k], third[k])
    return in_memory_of(found, like)
