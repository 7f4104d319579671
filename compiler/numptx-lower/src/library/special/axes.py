"""SciPy's sums of exponentials over axes: with the largest exponent taken out, as SciPy's pages define them."""
import numpy as np


def finite_or_zero(largest):
    """What is taken out of exponents: an infinity would leave no number."""
    if largest.dtype.kind != "f":
        return largest
    return np.where(np.isfinite(largest), largest, largest.dtype.type(0))


def scipy_special_softmax(x, axis=None):
    powers = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return powers / np.sum(powers, axis=axis, keepdims=True)


def scipy_special_log_softmax(x, axis=None):
    shifted = x - finite_or_zero(np.max(x, axis=axis, keepdims=True))
    return shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True))


def scipy_special_logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False):
    x = a if a.dtype.kind == "f" else a.astype(np.float64)
    if b is None:
        y, sign = log_of_sum(x, axis)
    else:
        y, sign = log_of_weighted_sum(x, axis, b)
        if not return_sign:
            y = np.where(sign < 0, y.dtype.type(np.nan), y)
    if not keepdims:
        # Over axes of one element each.
        y, sign = np.max(y, axis=axis), np.max(sign, axis=axis)
    return (y, sign) if return_sign else y


def log_of_sum(x, axis):
    """Elements as large as the largest one are counted, that those beside them are not lost in the sum."""
    largest = np.max(x, axis=axis, keepdims=True, initial=-np.inf)
    is_largest = x == largest
    n_largest = np.maximum(np.sum(is_largest, axis=axis, keepdims=True), 1).astype(x.dtype)
    others = np.where(is_largest, x.dtype.type(0), np.exp(x - finite_or_zero(largest)))
    rest = np.sum(others, axis=axis, keepdims=True) / n_largest
    y = np.log1p(rest) + np.log(n_largest) + largest
    return y, np.where(np.isnan(y), y, np.where(largest == -np.inf, x.dtype.type(0), x.dtype.type(1)))


def log_of_weighted_sum(x, axis, b):
    exponents = np.where(b == 0, x.dtype.type(-np.inf), x)
    shift = finite_or_zero(np.max(exponents, axis=axis, keepdims=True, initial=-np.inf))
    total = np.sum(b * np.exp(exponents - shift), axis=axis, keepdims=True)
    return np.log(np.abs(total)) + shift, np.sign(total)
