"""Sums of products of a signal and a shifted one."""
import numpy as np


def windows_of(x, n):
    """Each stretch of n neighbours."""
    return np.lib.stride_tricks.sliding_window_view(x, n)


def padded_with_zeros(x, before, after):
    result = np.zeros(before + x.shape[0] + after, x.dtype)
    result[before:before + x.shape[0]] = x
    return result


def slid(x, v, mode):
    """The sums of products of v, the shorter one, with the elements of x beside which it stands, from left to right."""
    n, m = x.shape[0], v.shape[0]
    if mode == "valid":
        return summed(windows_of(x, m) * v, x.dtype)
    before = m - 1 if mode == "full" else m // 2
    wide = padded_with_zeros(x, before, m - 1 if mode == "full" else m - 1 - before)
    # What stands beside nothing does not count, even where it is infinite.
    k = np.arange(wide.shape[0] - m + 1)[:, None] + np.arange(m)
    return summed(np.where((k >= before) & (k < before + n), windows_of(wide, m) * v, np.zeros(1, x.dtype)), x.dtype)


def summed(products, dtype):
    return np.any(products, axis=-1) if dtype.kind == "b" else np.sum(products, axis=-1, dtype=dtype)


def numpy_convolve(a, v, mode="full"):
    first, second = as_vector(a), as_vector(v)
    if first.shape[0] == 0:
        raise ValueError("a cannot be empty")
    if second.shape[0] == 0:
        raise ValueError("v cannot be empty")
    dtype = common_dtype(first, second)
    first, second = first.astype(dtype), second.astype(dtype)
    if second.shape[0] > first.shape[0]:
        first, second = second, first
    return slid(first, second[::-1], mode)


def numpy_correlate(a, v, mode="valid"):
    first, second = as_vector(a), as_vector(v)
    if first.shape[0] == 0:
        raise ValueError("first array argument cannot be empty")
    if second.shape[0] == 0:
        raise ValueError("second array argument cannot be empty")
    dtype = common_dtype(first, second)
    first = first.astype(dtype)
    second = np.conjugate(second.astype(dtype)) if dtype.kind == "c" else second.astype(dtype)
    if second.shape[0] <= first.shape[0]:
        result = slid(first, second, mode)
    else:
        result = slid(second, first, mode)[::-1].copy()
    return result
