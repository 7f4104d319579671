"""Means, covariances, counts and interpolation."""
import numpy as np


def is_inexact(a):
    return a.dtype == np.float32 or a.dtype == np.float64 or a.dtype == np.complex64 or a.dtype == np.complex128


def numpy_average(a, axis=None, weights=None, returned=False, keepdims=False):
    if weights is None:
        return mean_and_count(a, axis, returned, keepdims)
    weights = weights_like(a, weights, axis)
    product = a * weights if is_inexact(a) else a.astype(np.float64) * weights
    total = np.sum(weights, axis=axis, dtype=product.dtype, keepdims=keepdims)
    if np.any(total == 0):
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    mean = np.sum(product, axis=axis, keepdims=keepdims) / total
    return (mean, total) if returned else mean


def mean_and_count(a, axis, returned, keepdims):
    mean = np.mean(a, axis=axis, keepdims=keepdims)
    if not returned:
        return mean
    if mean.ndim == 0:
        return mean, mean.dtype.type(a.size)
    return mean, np.full(mean.shape, a.size / mean.size, mean.dtype)


def weights_like(a, weights, axis):
    """A weight for each element; weights along some axes are repeated over the others."""
    if weights.ndim == a.ndim:
        if weights.shape != a.shape:
            if axis is None:
                raise TypeError("Axis must be specified when shapes of a and weights differ.")
            raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
        return weights
    axes = () if axis is None else tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)
    if weights.ndim != len(axes):
        refuse("`weights` must have the shape of `a`, or the axes that `axis` names", "give them axes: `np.average(x, weights=w[:, None] + 0 * x)`")
    moved = np.moveaxis(a, axes, ends(len(axes)))
    if weights.shape != moved.shape[a.ndim - len(axes):]:
        raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
    return np.moveaxis(np.broadcast_to(weights, moved.shape), ends(len(axes)), axes)


def in_doubles(a):
    """The dtype of statistics, which are computed in doubles."""
    return np.complex128 if a.dtype.kind == "c" else np.float64


def variables(m, rowvar, dtype):
    x = m.astype(dtype, order="C")
    if m.ndim == 1:
        return x[None, :]
    if not rowvar:
        return x.T
    return x


def all_variables(m, y, rowvar, dtype):
    x = variables(m, rowvar, dtype)
    if y is None:
        return x
    if not rowvar and y.ndim == 2:
        other = y if y.shape[0] == 1 else y.T
    else:
        other = variables(y, True, dtype)
    joined = np.concatenate((x, other.astype(dtype)), axis=0)
    # Of no variables in the first matrix NumPy gives none of the second one, too.
    return joined if m.ndim == 1 else joined[:joined.shape[0] * min(x.shape[0], 1)]


def dtype_of_covariances(m, y, dtype):
    if dtype is not None:
        if dtype == np.float32 or dtype == np.float64 or dtype == np.complex64 or dtype == np.complex128:
            return dtype
        refuse("`dtype` must be one of floats or complex numbers", "write `dtype=np.float64`")
    if y is not None and y.dtype.kind == "c":
        return np.complex128
    return in_doubles(m)


def checked_weights(w, n, is_frequency):
    w = w.astype(np.float64)
    if is_frequency:
        if not np.all(w == np.rint(w)):
            raise TypeError("fweights must be integer")
        if w.shape[0] != n:
            raise RuntimeError("incompatible numbers of samples and fweights")
        if np.any(w < 0):
            raise ValueError("fweights cannot be negative")
        return w
    if w.shape[0] != n:
        raise RuntimeError("incompatible numbers of samples and aweights")
    if np.any(w < 0):
        raise ValueError("aweights cannot be negative")
    return w


def covariances(x, n_lost, fweights, aweights):
    n = x.shape[1]
    if fweights is None and aweights is None:
        left = float(n - n_lost)
        centred = x - np.mean(x, axis=1)[:, None]
        c = centred @ np.conjugate(centred.T) if x.dtype.kind == "c" else centred @ centred.T
        return (c * (1.0 / np.float64(max(left, 0.0)))).astype(x.dtype)
    if fweights is None:
        w = checked_weights(aweights, n, False)
    elif aweights is None:
        w = checked_weights(fweights, n, True)
    else:
        w = checked_weights(fweights, n, True) * checked_weights(aweights, n, False)
    total = np.sum(w)
    if total == 0:
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    if n_lost == 0:
        left = total
    elif aweights is None:
        left = total - n_lost
    else:
        left = total - n_lost * np.sum(w * aweights) / total
    centred = x - (np.sum(x * w, axis=1) / total)[:, None]
    c = centred @ np.conjugate((centred * w).T) if x.dtype.kind == "c" else centred @ (centred * w).T
    return (c * (1.0 / np.maximum(left, 0.0))).astype(x.dtype)


def numpy_cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, dtype=None):
    x = all_variables(m, y, rowvar, dtype_of_covariances(m, y, dtype))
    n_lost = (0 if bias else 1) if ddof is None else ddof
    if n_lost != int(n_lost):
        raise ValueError("ddof must be integer")
    c = covariances(x, n_lost, fweights, aweights)
    if m.ndim == 1 and y is None:
        # A product of a complex number and its conjugate may be rounded to one with an imaginary part.
        return np.array(c[0, 0].real).astype(c.dtype) if c.dtype.kind == "c" else np.array(c[0, 0])
    if is_known(c.shape[0]):
        return np.array(c[0, 0]) if c.shape[0] == 1 else c
    if c.shape[0] == 1:
        raise NotImplementedError("numpy.cov of a matrix that holds one variable: pass a vector")
    return c


def numpy_corrcoef(x, y=None, rowvar=True, dtype=None):
    c = covariances(all_variables(x, y, rowvar, dtype_of_covariances(x, y, dtype)), 1, None, None)
    if x.ndim == 1 and y is None:
        return c[0, 0] / c[0, 0]
    if is_known(c.shape[0]):
        return c[0, 0] / c[0, 0] if c.shape[0] == 1 else correlations(c)
    if c.shape[0] == 1:
        raise NotImplementedError("numpy.corrcoef of a matrix that holds one variable: pass a vector")
    return correlations(c)


def correlations(c):
    deviations = np.sqrt(np.diagonal(c).real)
    scaled = c / deviations[:, None] / deviations[None, :]
    if c.dtype.kind == "c":
        clipped = np.empty(scaled.shape, scaled.dtype)
        clipped.real = np.clip(scaled.real, -1, 1)
        clipped.imag = np.clip(scaled.imag, -1, 1)
        return clipped
    return np.clip(scaled, -1, 1)


def add_weights(sums, k, w):
    # Indices are in range. Many that meet in an element are added up in chunks; few in the order of `np.add.at`.
    n = k.shape[0]
    last = sums.shape[0] - 1
    if n < 8 * (last + 2):
        add_within(sums, k, w.astype(np.float64))
    else:
        for i in range(n):
            sums[min(max(int(k[i]), 0), last)] += w[i]


def numpy_bincount(x, weights=None, minlength=0):
    n = minlength
    if x.size > 0:
        least = int(np.min(x))
        n = max(n, int(np.max(x)) + 1)
        if least < 0:
            raise ValueError("'list' argument must have no negative elements")
    if weights is None:
        counts = np.zeros(n, np.int64)
        add_within(counts, x, 1)
        return counts
    if weights.shape[0] != x.shape[0]:
        raise ValueError("The weights and list don't have the same length.")
    sums = np.zeros(n, np.float64)
    add_weights(sums, x, weights)
    return sums


def numpy_interp(x, xp, fp, left=None, right=None, period=None):
    # NumPy computes in doubles, whatever it is given.
    given = x.astype(np.float64, copy=False)
    grid = xp.astype(np.float64, copy=False)
    values = fp.astype(in_doubles(fp), copy=False)
    if period is not None:
        if period == 0:
            raise ValueError("period must be a non-zero value")
        if grid.shape[0] != values.shape[0]:
            raise ValueError("fp and xp are not of the same length")
        length = np.abs(np.float64(period))
        given = given % length
        grid = grid % length
        order = argsorted_last(grid.copy())
        grid = np.take(grid, order, mode="clip")
        values = np.take(values, order, mode="clip")
        grid = np.concatenate((grid[-1:] - length, grid, grid[:1] + length))
        values = np.concatenate((values[-1:], values, values[:1]))
        left, right = None, None
    if x.ndim == 0:
        return interpolated(given.reshape(1), grid, values, left, right)[0]
    return interpolated(given, grid, values, left, right)


def interpolated(x, xp, fp, left, right):
    n = xp.shape[0]
    if n == 0:
        raise ValueError("array of sample points is empty")
    if n != fp.shape[0]:
        raise ValueError("fp and xp are not of the same length.")
    k = np.maximum(np.minimum(places(xp, x, True) - 1, n - 2), 0)
    x0 = np.take(xp, k, mode="clip")
    x1 = np.take(xp, k + 1, mode="clip")
    y0 = np.take(fp, k, mode="clip")
    y1 = np.take(fp, k + 1, mode="clip")
    y = np.where(x == x1, y1, (y1 - y0) / np.where(x1 == x0, 1.0, x1 - x0) * (x - x0) + y0)
    below = fp[0] if left is None else left
    above = fp[-1] if right is None else right
    y = np.where(x < xp[0], below, np.where(x > xp[-1], above, y))
    return np.where(np.isnan(x), x, y)
