"""Sorting and searching. The runtime sorts. What it does not sort on a device a network of exchanges does, each step of which is one pass over all
elements: Batcher, «Sorting networks and their applications» (1968), with the first step of each merge flipped, so that lengths need not be powers
of two. What is given to a function here to be sorted is its own: it may be written."""
import numpy as np


def before(x, y):
    """Whether x comes before y; nans are last. Of complex numbers the real parts decide first; those with a nan in one part are last in this order:
    the imaginary part, the real part, both."""
    if x.dtype == np.complex64 or x.dtype == np.complex128:
        a, b, c, d = x.real, x.imag, y.real, y.imag
        imaginary = (b < d) | ((d != d) & (b == b))
        unequal = np.where(a < c, (b == b) | (d != d), np.where(a > c, (b == b) & (d != d), c != c))
        return np.where((a == c) | ((a != a) & (c != c)), imaginary, unequal)
    if x.dtype.kind == "f":
        return (x < y) | ((y != y) & (x == x))
    return x < y


def exchanged(x, n, mask):
    place = np.arange(n)
    partner = place ^ mask
    other = np.take(x, partner, axis=-1, mode="clip")
    moves = np.where(place < partner, before(other, x), before(x, other))
    return np.where(moves & (partner < n), other, x)


def few_sorted(x):
    """Few elements, each of which rises to its place: a point of a kernel does that alone."""
    for last in range(x.shape[0] - 1, 0, -1):
        for k in range(last):
            low, high = x[k], x[k + 1]
            if before(high, low):
                x[k] = high
                x[k + 1] = low
    return x


def sorted_last(x):
    if not runtime_sorts(x):
        x = network_sorted(x)
    return x


def network_sorted(x):
    n = x.shape[-1]
    width = 1
    while width < n:
        x = exchanged(x, n, 2 * width - 1)
        step = width // 2
        while step > 0:
            x = exchanged(x, n, step)
            step = step // 2
        width = 2 * width
    return x


def numpy_sort(a, axis=-1, kind=None, stable=None):
    if axis is None or a.ndim == 1:
        return few_sorted(np.ravel(a).copy()) if is_few(a) else sorted_last(np.ravel(a).copy())
    result = np.empty_like(a)
    result[...] = np.moveaxis(sorted_last(np.moveaxis(a, axis, -1).copy()), -1, axis)
    return result


def ndarray_sort(a, axis=-1, kind=None, stable=None):
    a[...] = numpy_sort(a, axis)


def numpy_argsort(a, axis=-1, kind=None, stable=None):
    if axis is None:
        return argsorted_last(np.ravel(a).copy())
    if a.ndim == 1:
        return argsorted_last(a.copy())
    result = np.empty(a.shape, np.int64)
    result[...] = np.moveaxis(argsorted_last(np.moveaxis(a, axis, -1).copy()), -1, axis)
    return result


def argsorted_last(x):
    order = np.empty(x.shape, np.int64)
    if not runtime_argsorts(x, order):
        order = network_argsorted(x)
    return order


def network_argsorted(x):
    n = x.shape[-1]
    order = np.zeros(x.shape, np.int64) + np.arange(n)
    width = 1
    while width < n:
        x, order = both_exchanged(x, order, n, 2 * width - 1)
        step = width // 2
        while step > 0:
            x, order = both_exchanged(x, order, n, step)
            step = step // 2
        width = 2 * width
    return order


def both_exchanged(x, order, n, mask):
    place = np.arange(n)
    partner = place ^ mask
    other = np.take(x, partner, axis=-1, mode="clip")
    other_order = np.take(order, partner, axis=-1, mode="clip")
    equal = ~before(other, x) & ~before(x, other)
    first = before(other, x) | (equal & (other_order < order))
    moves = np.where(place < partner, first, ~first) & (partner < n)
    return np.where(moves, other, x), np.where(moves, other_order, order)


def selected_last(x):
    """The rows with one or two elements in the middle where they stand in order, and a nan at the end, if there is one."""
    if not runtime_selects(x):
        x = network_sorted(x)
    return x


def first_ones(x, equal_nan):
    """Which elements of a sorted vector are others than those before them; nans are one where they are equal."""
    first = np.ones(x.shape, np.bool_)
    first[1:] = x[1:] != x[:-1]
    if equal_nan and x.dtype.kind in "fc":
        first[1:] &= (x[1:] == x[1:]) | (x[:-1] == x[:-1])
    return first


def numpy_unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, equal_nan=True, sorted=True):
    if axis is not None and ar.ndim > 1:
        return unique_rows(ar, axis, return_index, return_inverse, return_counts)
    if not (return_index or return_inverse or return_counts):
        x = sorted_last(np.ravel(ar).copy())
        return x[first_ones(x, equal_nan)]
    order = argsorted_last(np.ravel(ar).copy())
    x = np.take(np.ravel(ar), order, mode="clip")
    first = first_ones(x, equal_nan)
    starts = np.flatnonzero(first)
    values = np.take(x, starts, mode="clip")
    return with_places((values,), order, first, starts, ar.shape, return_index, return_inverse, return_counts)


def with_places(result, order, first, starts, shape, return_index, return_inverse, return_counts):
    """Behind what is different: where each stands first, where each element went, and how often each occurs."""
    if return_index:
        result = result + (np.take(order, starts, mode="clip"),)
    if return_inverse:
        inverse = np.empty(order.shape, np.int64)
        np.put(inverse, order, np.cumsum(first) - 1, mode="clip")
        result = result + (np.reshape(inverse, shape),)
    if return_counts:
        counts = np.empty(starts.shape, np.int64)
        counts[:-1] = starts[1:] - starts[:-1]
        counts[-1:] = order.shape[0] - starts[-1:]
        result = result + (counts,)
    return result if len(result) > 1 else result[0]


def unique_rows(ar, axis, return_index, return_inverse, return_counts):
    """Different parts along an axis, in the order of their elements, the first ones first; a nan is another one than any."""
    moved_rows = np.moveaxis(ar, axis, 0)
    n, width = moved_rows.shape[0], 1
    for extent in moved_rows.shape[1:]:
        width = width * extent
    rows = np.reshape(moved_rows, (n, width))
    order = np.arange(n)
    for k in range(width - 1, -1, -1):
        column = np.take(rows[:, k], order, mode="clip")
        order = np.take(order, argsorted_last(column), mode="clip")
    ordered = rows[order]
    first = np.ones(n, np.bool_)
    first[1:] = np.any(ordered[1:] != ordered[:-1], axis=1)
    starts = np.flatnonzero(first)
    values = np.reshape(ordered[starts], (starts.shape[0],) + moved_rows.shape[1:])
    values = np.moveaxis(values, 0, axis)
    return with_places((values,), order, first, starts, (n,), return_index, return_inverse, return_counts)


def places(a, v, right):
    """How many elements of a sorted vector come before each value, those equal to it included if `right`. They are compared as what both make together."""
    values = np.ravel(v)
    if a.dtype == values.dtype:
        found = places_of_values(a, values, right)
    else:
        vectors = same_dtype_of((a, values))
        found = places_of_values(vectors[0], vectors[1], right)
    return np.reshape(found, v.shape)


def places_of_values(a, values, right):
    """Each value halves the vector for itself."""
    found = np.zeros(values.shape, np.int64)
    if a.shape[0] > 0:
        for k in range(values.shape[0]):
            low, high = np.int64(0), np.int64(a.shape[0])
            while low < high:
                middle = (low + high) // 2
                element = np.take(a, middle, mode="clip")
                if ~before(values[k], element) if right else before(element, values[k]):
                    low = middle + 1
                else:
                    high = middle
            found[k] = low
    return found


def searched(a, v, right):
    if v.ndim == 0:
        return places(a, v.reshape(1), right)[0]
    return places(a, v, right)


def numpy_searchsorted(a, v, side="left", sorter=None):
    if sorter is None:
        return searched(a, v, side == "right")
    if sorter.shape[0] != a.shape[0]:
        raise ValueError("sorter.size must equal a.size")
    if np.any((sorter < 0) | (sorter >= a.shape[0])):
        raise ValueError("Sorter index out of range.")
    return searched(np.take(a, sorter, mode="clip"), v, side == "right")


def numpy_digitize(x, bins, right=False):
    falls = np.any(bins[1:] < bins[:-1])
    if falls and np.any(bins[1:] > bins[:-1]):
        raise ValueError("bins must be monotonically increasing or decreasing")
    k = searched(np.where(falls, bins[::-1], bins), x, not right)
    return k * (1 - 2 * np.int64(falls)) + bins.shape[0] * np.int64(falls)
