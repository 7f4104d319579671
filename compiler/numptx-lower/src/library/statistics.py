"""Statistics, histograms and interpolation."""
import numpy as np


def numpy_average(a, axis=None, weights=None, keepdims=False):
    if weights is None:
        return np.mean(a, axis=axis, keepdims=keepdims)
    if weights.ndim != a.ndim:
        refuse("`weights` must have the shape of `a`", "give them axes: `np.average(x, weights=w[:, None] + 0 * x)`")
    total = np.sum(weights, axis=axis, keepdims=keepdims)
    if np.any(total == 0):
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    return np.sum(a * weights, axis=axis, keepdims=keepdims) / total


def variables(m, rowvar):
    if m.ndim > 2 or m.ndim == 0:
        refuse("an array of one axis or of two is taken", "take one matrix: `np.cov(x[0])`")
    if m.dtype == np.complex64 or m.dtype == np.complex128:
        refuse("complex numbers are not supported", "compute it of the parts: `np.cov(z.real)`")
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


def numpy_cov(m, rowvar=True, bias=False, ddof=None):
    x = variables(m, rowvar)
    n_lost = (0 if bias else 1) if ddof is None else ddof
    c = covariances(x, n_lost)
    if m.ndim == 1:
        return np.array(c[0, 0])
    if c.shape[0] == 1:
        raise NotImplementedError("numpy.cov of a matrix that holds one variable: pass a vector")
    return c


def numpy_corrcoef(x, rowvar=True):
    c = covariances(variables(x, rowvar), 1)
    if x.ndim == 1:
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
    if values.dtype == np.complex64 or values.dtype == np.complex128 or values.dtype == np.bool_:
        refuse("a histogram is of real numbers", "take a part: `np.histogram(z.real, 10)`")
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
    elif weights.dtype == np.complex64 or weights.dtype == np.complex128:
        refuse("complex weights are not supported", "count the parts: `np.histogram(x, 10, weights=z.real)`")
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
    if x.ndim != 1:
        refuse("an array of one axis is taken", "ravel it first: `np.bincount(x.ravel())`")
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
    if xp.ndim != 1 or fp.ndim != 1:
        refuse("`xp` and `fp` must have one axis", "take one row: `np.interp(x, xp[0], fp[0])`")
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
