"""Statistics, histograms and interpolation."""
import numpy as np


def is_inexact(a):
    return a.dtype == np.float32 or a.dtype == np.float64 or a.dtype == np.complex64 or a.dtype == np.complex128


def numpy_average(a, axis=None, weights=None, returned=False, keepdims=False):
    if weights is None:
        return mean_and_count(a, axis, returned, keepdims)
    if weights.ndim != a.ndim:
        if weights.ndim != 1 or axis is None or isinstance(axis, (tuple, list)):
            refuse("`weights` must have the shape of `a`, or one axis beside an `axis`", "give them axes: `np.average(x, weights=w[:, None] + 0 * x)`")
        weights = along_axis(a, weights, axis)
    if weights.shape != a.shape:
        raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
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


def along_axis(a, weights, axis):
    moved = np.moveaxis(a, axis, -1)
    if weights.shape[0] != moved.shape[-1]:
        raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
    return np.moveaxis(np.broadcast_to(weights, moved.shape), -1, axis)


def variables(m, rowvar):
    x = m.astype(np.float64, order="C")
    if m.ndim == 1:
        return x[None, :]
    if not rowvar:
        return x.T
    return x


def covariances(x, n_lost):
    n = float(x.shape[1] - n_lost)
    centred = x - np.mean(x, axis=1)[:, None]
    return centred @ centred.T * (1.0 / np.float64(max(n, 0.0)))


def all_variables(m, y, rowvar):
    x = variables(m, rowvar)
    if y is None:
        return x
    if not rowvar and y.ndim == 2:
        other = y if y.shape[0] == 1 else y.T
    else:
        other = variables(y, True)
    joined = np.concatenate((x, other.astype(np.float64)), axis=0)
    # Of no variables in the first matrix NumPy gives none of the second one, too.
    return joined if m.ndim == 1 else joined[:joined.shape[0] * min(x.shape[0], 1)]


def numpy_cov(m, y=None, rowvar=True, bias=False, ddof=None):
    x = all_variables(m, y, rowvar)
    n_lost = (0 if bias else 1) if ddof is None else ddof
    if n_lost != int(n_lost):
        raise ValueError("ddof must be integer")
    c = covariances(x, n_lost)
    if m.ndim == 1 and y is None:
        return np.array(c[0, 0])
    if c.shape[0] == 1:
        raise NotImplementedError("numpy.cov of a matrix that holds one variable: pass a vector")
    return c


def numpy_corrcoef(x, y=None, rowvar=True):
    c = covariances(all_variables(x, y, rowvar), 1)
    if x.ndim == 1 and y is None:
        return c[0, 0] / c[0, 0]
    if c.shape[0] == 1:
        raise NotImplementedError("numpy.corrcoef of a matrix that holds one variable: pass a vector")
    deviations = np.sqrt(np.diagonal(c))
    return np.clip(c / deviations[:, None] / deviations[None, :], -1, 1)


def histogram_ends(a, range):
    if range is not None:
        first = range[0] + 0.0
        last = range[1] + 0.0
        if first > last:
            raise ValueError("max must be larger than min in range parameter.")
        if not (np.isfinite(first) and np.isfinite(last)):
            raise ValueError("supplied range is not finite")
    elif a.size == 0:
        first = 0.0
        last = 1.0
    else:
        first = float(np.min(a))
        last = float(np.max(a))
        if not (np.isfinite(first) and np.isfinite(last)):
            raise ValueError("autodetected range is not finite")
    if first == last:
        first = first - 0.5
        last = last + 0.5
    return first, last


def histogram_edges(a, first, last, bins):
    if a.dtype == np.float32:
        return np.linspace(first, last, bins + 1, dtype=np.float32)
    return np.linspace(first, last, bins + 1)


def numpy_histogram_bin_edges(a, bins=10, range=None):
    values = np.ravel(a)
    first, last = histogram_ends(values, range)
    return histogram_edges(values, first, last, bins)


def numpy_histogram(a, bins=10, range=None, density=None, weights=None):
    values = np.ravel(a)
    if bins < 1:
        raise ValueError("`bins` must be positive, when an integer")
    first, last = histogram_ends(values, range)
    edges = histogram_edges(values, first, last, bins)
    if values.dtype == np.float32:
        first = np.float32(first)
        last = np.float32(last)
    if weights is not None:
        w = np.ravel(weights)
        if w.shape[0] != values.shape[0]:
            raise ValueError("weights should have the same shape as a.")
    scaled = (values - first) / (last - first) * bins
    k = np.minimum(np.maximum(scaled.astype(np.int64), 0), bins - 1)
    k = k - (values < np.take(edges, k, mode="clip"))
    k = k + ((values >= np.take(edges, k + 1, mode="clip")) & (k != bins - 1))
    # What lies outside of the range counts as nothing, in a bin at the end.
    k = np.minimum(np.maximum(k, 0), bins - 1)
    if weights is None:
        counts = np.zeros(bins, np.int64)
        if range is None:
            add_within(counts, k, 1)
        else:
            add_within(counts, k, ((values >= first) & (values <= last)).astype(np.int64))
    else:
        counts = np.zeros(bins, np.float64)
        if range is not None:
            w = np.where((values >= first) & (values <= last), w, np.zeros(1, w.dtype))
        add_weights(counts, k, w)
        counts = counts.astype(weights.dtype, copy=False)
    if density:
        return counts / (edges[1:] - edges[:-1]).astype(np.float64) / np.sum(counts), edges
    return counts, edges


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


def numpy_interp(x, xp, fp, left=None, right=None):
    # NumPy computes in doubles, whatever it is given.
    given = x.astype(np.float64, copy=False)
    grid = xp.astype(np.float64, copy=False)
    values = fp
    if fp.dtype == np.complex64:
        values = fp.astype(np.complex128)
    elif fp.dtype != np.complex128:
        values = fp.astype(np.float64, copy=False)
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
