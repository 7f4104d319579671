"""Histograms. Sources of the numbers of bins: NumPy's page of `numpy.histogram_bin_edges`, which names Scott (1979), Freedman and Diaconis (1981), Doane
(1976) and Sturges (1926)."""
import numpy as np


def histogram_ends(a, range):
    if range is not None:
        first = range[0] + 0.0
        last = range[1] + 0.0
        if first > last:
            raise ValueError("max must be larger than min in range parameter.")
        if not (np.isfinite(first) and np.isfinite(last)):
            raise ValueError(f"supplied range of [{range[0]}, {range[1]}] is not finite")
    elif a.size == 0:
        first = 0.0
        last = 1.0
    else:
        first = float(np.min(a))
        last = float(np.max(a))
        if not (np.isfinite(first) and np.isfinite(last)):
            raise ValueError(f"autodetected range of [{first}, {last}] is not finite")
    if first == last:
        first = first - 0.5
        last = last + 0.5
    return first, last


def histogram_edges(a, first, last, bins, range):
    if a.dtype == np.float32 and range is None:
        edges = np.linspace(np.float32(first), np.float32(last), bins + 1)
    else:
        edges = np.linspace(first, last, bins + 1, dtype=np.float32 if a.dtype == np.float32 else np.float64)
    # Edges that are far apart are not looked at: that would be waited for.
    smallest = 1e-6 if a.dtype == np.float32 else 1e-15
    if not (last - first) / bins > smallest * max(abs(first), abs(last)) + 1e-37:
        if np.any(edges[:-1] >= edges[1:]):
            raise ValueError(f"Too many bins for data range. Cannot create {bins} finite-sized bins.")
    return edges


def is_integer(n):
    if isinstance(n, np.generic):
        return n.dtype.kind == "i" or n.dtype.kind == "u"
    return isinstance(n, int)


def given_edges(bins):
    """Edges that the caller gives."""
    edges = np.array(bins) if isinstance(bins, (list, tuple)) else bins
    if not isinstance(edges, np.ndarray) or edges.ndim == 0 or edges.dtype.kind == "c":
        refuse("`bins` must be an integer, a string, or an array of edges", "write `bins=10`, or `bins=np.linspace(0.0, 1.0, 11)`")
    if edges.ndim != 1:
        raise ValueError("`bins` must be 1d, when an array")
    if np.any(edges[:-1] > edges[1:]):
        raise ValueError("`bins` must increase monotonically, when an array")
    return edges


def width_of_bins(x, bins):
    n = float(x.shape[0])
    spread = float(np.ptp(x)) if x.dtype.kind == "f" else float(np.max(x)) - float(np.min(x))
    if bins == "sqrt":
        return spread / np.sqrt(n)
    if bins == "rice":
        return spread / (2.0 * n ** (1.0 / 3))
    if bins == "sturges":
        return spread / (np.log2(n) + 1.0)
    if bins == "scott":
        return float((24.0 * np.pi ** 0.5 / n) ** (1.0 / 3.0) * np.std(x))
    if bins == "doane":
        return width_by_doane(x, n, spread)
    if bins == "fd" or bins == "auto":
        ordered = sorted_last(x.copy())
        width = 2.0 * float(quantile_of(ordered, 0.75, "linear") - quantile_of(ordered, 0.25, "linear")) * n ** (-1.0 / 3.0)
        if bins == "fd":
            return width
        return min(max(width, spread / np.sqrt(n) / 2), spread / (np.log2(n) + 1.0))
    refuse("`bins` must name a rule: `'auto'`, `'fd'`, `'doane'`, `'scott'`, `'rice'`, `'sturges'` or `'sqrt'`", "write `bins='doane'`, or a number")


def width_by_doane(x, n, spread):
    width = 0.0
    if n > 2:
        deviation = np.std(x)
        if deviation > 0.0:
            skewness = float(np.mean(((x - np.mean(x)) / deviation) ** 3))
            width = spread / (1.0 + np.log2(n) + np.log2(1.0 + abs(skewness) / np.sqrt(6.0 * (n - 2) / ((n + 1.0) * (n + 3)))))
    return width


def bins_by_rule(a, first, last, bins, range):
    """How many bins a rule gives, of the elements within the range."""
    x = a if range is None else a[(a >= first) & (a <= last)]
    n = 1
    if x.shape[0] > 0:
        width = float(width_of_bins(x, bins))
        if a.dtype.kind != "f":
            width = max(width, 1.0) if width > 0.0 else width
        if width > 0.0:
            n = int(np.ceil((last - first) / width))
    return n


def equal_bins(a, bins, range):
    """The first edge, the last one, and the number of bins of equal width."""
    if isinstance(bins, str):
        first, last = histogram_ends(a, range)
        return first, last, bins_by_rule(a, first, last, bins, range)
    if bins < 1:
        raise ValueError("`bins` must be positive, when an integer")
    first, last = histogram_ends(a, range)
    return first, last, int(bins)


def has_equal_bins(bins):
    if isinstance(bins, str):
        return True
    return not isinstance(bins, (np.ndarray, list, tuple)) and is_integer(bins)


def flat_weights(a, weights, bins):
    if weights is None:
        return None
    if isinstance(bins, str):
        refuse("a rule for the number of bins does not take `weights`", "write the number of bins: `bins=10`")
    if weights.shape != a.shape:
        raise ValueError("weights should have the same shape as a.")
    return np.ravel(weights)


def numpy_histogram_bin_edges(a, bins=10, range=None, weights=None):
    values = np.ravel(a)
    flat_weights(a, weights, bins)
    if not has_equal_bins(bins):
        return given_edges(bins)
    first, last, n = equal_bins(values, bins, range)
    return histogram_edges(values, first, last, n, range)


def numpy_histogram(a, bins=10, range=None, density=None, weights=None):
    values = np.ravel(a)
    w = flat_weights(a, weights, bins)
    if has_equal_bins(bins):
        first, last, n = equal_bins(values, bins, range)
        edges = histogram_edges(values, first, last, n, range)
        counts = counts_of_equal(values, edges, first, last, n, range is not None, w)
    else:
        edges = given_edges(bins)
        counts = counts_between(values, edges, w)
    if density:
        return counts / (edges[1:] - edges[:-1]).astype(np.float64) / np.sum(counts), edges
    return counts, edges


def counts_of_equal(values, edges, first, last, n, is_limited, w):
    if values.dtype == np.float32:
        first = np.float32(first)
        last = np.float32(last)
    scaled = (values - first) / (last - first) * n
    k = np.minimum(np.maximum(scaled.astype(np.int64), 0), n - 1)
    k = k - (values < np.take(edges, k, mode="clip"))
    k = k + ((values >= np.take(edges, k + 1, mode="clip")) & (k != n - 1))
    # What lies outside of the range counts as nothing, in a bin at the end.
    k = np.minimum(np.maximum(k, 0), n - 1)
    is_within = (values >= first) & (values <= last) if is_limited else None
    return counted_in(k, n, is_within, w)


def counts_between(values, edges, w):
    n = max(edges.shape[0] - 1, 0)
    if edges.shape[0] < 2:
        return np.zeros(n, np.int64 if w is None else w.dtype)
    k = places(edges, values, True) - 1
    last = edges[-1]
    k = np.minimum(np.maximum(k, 0), n - 1)
    return counted_in(k, n, (values >= edges[0]) & (values <= last), w)


def counted_in(k, n, is_within, w):
    """How much there is in each of n bins."""
    if w is None:
        counts = np.zeros(n, np.int64)
        if is_within is None:
            add_within(counts, k, 1)
        else:
            add_within(counts, k, is_within.astype(np.int64))
        return counts
    if is_within is not None:
        w = np.where(is_within, w, np.zeros(1, w.dtype))
    if w.dtype.kind == "c":
        return (summed_in(k, n, w.real) + 1j * summed_in(k, n, w.imag)).astype(w.dtype, copy=False)
    return summed_in(k, n, w).astype(w.dtype, copy=False)


def summed_in(k, n, w):
    sums = np.zeros(n, np.float64)
    add_weights(sums, k, w)
    return sums


def columns_of(sample, bins):
    """The coordinates of a sample of points, a vector each."""
    if isinstance(sample, (list, tuple)):
        columns = same_dtype_of(tuple([np.asarray(x) for x in sample]))
        for x in columns:
            if x.ndim != 1:
                refuse("`sample` must be a matrix, a row for each point, or a list of vectors", "write `np.histogramdd((x, y, z))`")
            if x.shape[0] != columns[0].shape[0]:
                raise ValueError("setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 dimensions.")
        return columns
    if sample.ndim == 1:
        return (sample,)
    if sample.ndim != 2:
        refuse("`sample` must be a matrix, a row for each point, or a list of vectors", "write `np.histogramdd((x, y, z))`")
    if is_known(sample.shape[1]):
        return tuple([sample[:, k] for k in range(sample.shape[1])])
    if not isinstance(bins, (list, tuple)):
        refuse("how many coordinates points have must be known when compiling", "pass bins for each, `np.histogramdd(x, (10, 10))`, or a list of vectors: `np.histogramdd((x[:, 0], x[:, 1]))`")
    if sample.shape[1] != len(bins):
        raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
    return tuple([sample[:, k] for k in range(len(bins))])


def same_dtype_of(vectors):
    whole = vectors[0][:0]
    for x in vectors[1:]:
        whole = np.concatenate((whole, x[:0]))
    return tuple([x.astype(whole.dtype, copy=False) for x in vectors])


def edges_along(x, axis, bins, range):
    """Edges of one coordinate."""
    if isinstance(bins, (np.ndarray, list, tuple)):
        edges = np.array(bins) if isinstance(bins, (list, tuple)) else bins
        if edges.ndim != 1:
            raise ValueError(f"`bins[{axis}]` must be a scalar or 1d array")
        if np.any(edges[:-1] > edges[1:]):
            raise ValueError(f"`bins[{axis}]` must be monotonically increasing, when an array")
        if edges.shape[0] < 2:
            raise NotImplementedError("a histogram without bins: give two edges at least")
        return edges
    if not is_integer(bins):
        refuse("`bins` must be integers or arrays of edges", "write `bins=10`, or `bins=(10, 20)`")
    if bins < 1:
        raise ValueError(f"`bins[{axis}]` must be positive, when an integer")
    first, last = histogram_ends(x, range)
    if x.dtype == np.float32 and range is None:
        return np.linspace(np.float32(first), np.float32(last), int(bins) + 1)
    return np.linspace(first, last, int(bins) + 1)


def numpy_histogramdd(sample, bins=10, range=None, density=None, weights=None):
    counts, edges = counts_of_points(columns_of(sample, bins), bins, range, density, weights)
    return counts, [e for e in edges]


def counts_of_points(columns, bins, range, density, weights):
    n_axes = len(columns)
    if isinstance(bins, (list, tuple)):
        if len(bins) != n_axes:
            raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
        each = tuple(bins)
    elif isinstance(bins, np.ndarray):
        refuse("`bins` must be an integer, or a list with one member a coordinate", "write `bins=(edges, edges)`")
    else:
        each = (bins,) * n_axes
    ranges = (None,) * n_axes if range is None else tuple(range)
    if len(ranges) != n_axes:
        raise ValueError("range argument must have one entry per dimension")
    edges, shape = (), ()
    for x, b, r in zip(columns, each, ranges):
        e = edges_along(x, len(edges), b, r)
        edges = edges + (e,)
        shape = shape + (e.shape[0] - 1,)
    # There is a bin more at both ends of each axis, for what lies beyond the edges.
    place = np.zeros(columns[0].shape, np.int64)
    n = 1
    for x, e, m in zip(columns, edges, shape):
        place = place * (m + 2) + places(e, x, True) - (x == e[-1])
        n = n * (m + 2)
    if weights is None:
        counts = counted_in(place, n, None, None).astype(np.float64)
    else:
        if weights.shape[0] != place.shape[0]:
            raise ValueError("The weights and list don't have the same length.")
        counts = summed_in(place, n, weights)
    counts = inner(counts.reshape(tuple([m + 2 for m in shape])), (1,) * n_axes, shape)
    if not density:
        return counts, edges
    scaled = counts
    for axis, e in enumerate(edges):
        scaled = scaled / (e[1:] - e[:-1]).reshape((1,) * axis + (e.shape[0] - 1,) + (1,) * (n_axes - 1 - axis))
    return scaled / np.sum(counts), edges


def numpy_histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    if x.shape[0] != y.shape[0]:
        raise ValueError("x and y must have the same length.")
    if isinstance(bins, (list, tuple)) and len(bins) != 2 and len(bins) != 1:
        both = np.array(bins)
        counts, edges = counts_of_points(same_dtype_of((x, y)), (both, both), range, density, weights)
    elif isinstance(bins, np.ndarray):
        if bins.shape[0] < 3:
            raise NotImplementedError("numpy.histogram2d of an array of one or two bins: write them as a list")
        counts, edges = counts_of_points(same_dtype_of((x, y)), (bins, bins), range, density, weights)
    else:
        counts, edges = counts_of_points(same_dtype_of((x, y)), bins, range, density, weights)
    return counts, edges[0], edges[1]
