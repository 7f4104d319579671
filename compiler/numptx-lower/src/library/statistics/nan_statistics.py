"""Statistics of arrays in which nans stand for what is missing."""
import numpy as np


def numbers(a, where):
    """Which elements count."""
    if a.dtype.kind == "f" or a.dtype.kind == "c":
        return ~np.isnan(a) & where
    return where


def numpy_nanmean(a, axis=None, dtype=None, out=None, keepdims=False, where=True):
    return np.mean(a, axis=axis, dtype=dtype, out=out, keepdims=keepdims, where=numbers(a, where))


def numpy_nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True):
    if a.dtype.kind != "f" and a.dtype.kind != "c":
        return np.var(a, axis=axis, dtype=dtype, out=out, ddof=ddof, keepdims=keepdims, where=where)
    return delivered(variance_of_numbers(a, axis, dtype, ddof, keepdims, where), out)


def variance_of_numbers(a, axis, dtype, ddof, keepdims, where):
    counted = numbers(a, where)
    variance = np.var(a, axis=axis, dtype=dtype, ddof=ddof, keepdims=keepdims, where=counted)
    count = np.sum(counted, axis=axis, keepdims=keepdims)
    if isinstance(variance, np.ndarray):
        return np.where(count > ddof, variance, np.nan)
    return variance if count > ddof else variance.dtype.type(np.nan)


def numpy_nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True):
    deviation = np.sqrt(numpy_nanvar(a, axis, dtype, None, ddof, keepdims, where))
    return delivered(deviation, out)


def positions_of(a, axis):
    """An array in which some element along an axis is a number."""
    missing = np.isnan(a)
    if a.size > 0:
        if np.any(np.all(missing, axis=axis)):
            raise ValueError("All-NaN slice encountered")
    return missing


def numpy_nanargmax(a, axis=None, out=None, keepdims=False):
    if a.dtype.kind != "f":
        return np.argmax(a, axis=axis, out=out, keepdims=keepdims)
    return np.argmax(np.where(positions_of(a, axis), -np.inf, a), axis=axis, out=out, keepdims=keepdims)


def numpy_nanargmin(a, axis=None, out=None, keepdims=False):
    if a.dtype.kind != "f":
        return np.argmin(a, axis=axis, out=out, keepdims=keepdims)
    return np.argmin(np.where(positions_of(a, axis), np.inf, a), axis=axis, out=out, keepdims=keepdims)
