"""Medians and quantiles. Source of the methods: Hyndman and Fan, «Sample quantiles in statistical packages» (1996), and NumPy's page of `numpy.quantile`,
which names their formulas. Rows are sorted once; nans are last."""
import numpy as np


def as_rows(a, axis):
    """The elements that belong together along the last axis; a view where there is one."""
    if axis is None:
        return np.ravel(a)
    if not isinstance(axis, (tuple, list)):
        return np.moveaxis(a, axis, -1)
    if len(axis) == 0:
        return a[..., None]
    if len(axis) == 1:
        return np.moveaxis(a, axis[0], -1)
    n = 1
    for k in axis:
        n = n * a.shape[k]
    moved = np.moveaxis(a, tuple(axis), ends(len(axis)))
    return moved.reshape(moved.shape[:a.ndim - len(axis)] + (n,))


def with_axes(x, a, axis, keepdims):
    """A result with the axes that it lost, of extent 1, where they are to stay."""
    if not keepdims or a.ndim == 0:
        return np.asarray(x) if keepdims else x
    if axis is None:
        return np.expand_dims(x, ends(a.ndim))
    return np.expand_dims(x, tuple([k if k < 0 else k - a.ndim for k in (axis if isinstance(axis, (tuple, list)) else (axis,))]))


def delivered(x, out):
    """A result, or the array of the caller's that it is written to."""
    if out is None:
        return x
    if x.dtype.kind == "f" and out.dtype.kind != "f" and out.dtype.kind != "c":
        refuse("the result cannot be cast to the dtype of `out`", "make it of floats: `np.empty(n)`")
    if np.asarray(x).shape != out.shape:
        raise ValueError("output parameter for reduction operation has the wrong shape")
    out[...] = x
    return out


def assigned_to(x, out):
    """The same of functions that assign their result: `out` may have more elements."""
    if out is None:
        return x
    if x.dtype.kind == "f" and out.dtype.kind != "f" and out.dtype.kind != "c":
        refuse("the result cannot be cast to the dtype of `out`", "make it of floats: `np.empty(n)`")
    out[...] = x
    return out


def is_float(a):
    return a.dtype.kind == "f"


def numpy_median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    if axis is None or a.ndim == 1 and not isinstance(axis, (tuple, list)):
        x = few_sorted(np.ravel(a).copy()) if is_few(a) else selected_last(np.ravel(a).copy())
    else:
        x = selected_last(as_rows(a, axis).copy())
    return delivered(with_axes(middle_of(x), a, axis, keepdims), out)


def middle_of(x):
    n = x.shape[-1]
    if n == 0:
        return np.mean(x, axis=-1)
    middle = np.mean(x[..., (n - 1) // 2:n // 2 + 1], axis=-1)
    last = x[..., -1]
    if is_float(x):
        return np.where(last != last, last, middle) if x.ndim > 1 else np.add(middle, last * 0 if np.isnan(last) else 0)
    return middle


def numpy_nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    if not is_float(a):
        return assigned_to(numpy_median(a, axis, None, False, keepdims), out)
    rows = sorted_last(as_rows(a, axis).copy())
    n = rows.shape[-1]
    if n == 0:
        middle = np.mean(rows, axis=-1)
    elif rows.ndim == 1:
        count = int(np.sum(rows == rows))
        low = rows[max(count - 1, 0) // 2]
        high = rows[min(count // 2, n - 1)]
        middle = low if count % 2 == 1 else (low + high) / 2
    else:
        count = np.sum(rows == rows, axis=-1)[..., None]
        low = np.take_along_axis(rows, np.maximum(count - 1, 0) // 2, axis=-1)
        high = np.take_along_axis(rows, np.minimum(count // 2, n - 1), axis=-1)
        middle = np.where(count % 2 == 1, low, (low + high) / 2)[..., 0]
    return assigned_to(with_axes(middle, a, axis, keepdims), out)


def place_of(n, q, method):
    """Where a quantile stands among n sorted elements; a whole number of methods that choose an element."""
    if method == "linear":
        return (n - 1) * q
    if method == "lower":
        return np.floor((n - 1) * q)
    if method == "higher":
        return np.ceil((n - 1) * q)
    if method == "nearest":
        return np.rint((n - 1) * q)
    if method == "midpoint":
        return 0.5 * (np.floor((n - 1) * q) + np.ceil((n - 1) * q))
    if method == "inverted_cdf":
        return np.maximum(np.ceil(n * q - 1), 0)
    if method == "averaged_inverted_cdf":
        return n * q - 1
    if method == "closest_observation":
        place = n * q - 1 - 0.5
        below = np.floor(place)
        return np.maximum(below + 1 - ((place == below) & (below % 2 == 1)), 0)
    if method == "interpolated_inverted_cdf":
        return between(n, q, 0, 1)
    if method == "hazen":
        return between(n, q, 0.5, 0.5)
    if method == "weibull":
        return between(n, q, 0, 0)
    if method == "median_unbiased":
        return between(n, q, 1 / 3.0, 1 / 3.0)
    return between(n, q, 3 / 8.0, 3 / 8.0)


def between(n, q, alpha, beta):
    return n * q + (alpha + q * (1 - alpha - beta)) - 1


def chooses(method):
    """Whether a method gives elements, and never numbers between them."""
    return method == "lower" or method == "higher" or method == "nearest" or method == "inverted_cdf" or method == "closest_observation"


def share_of(place, below, method):
    """How far a quantile is from the element below to the one above."""
    share = place - below
    if method == "averaged_inverted_cdf":
        return 1.0 - 0.5 * (share == 0)
    if method == "midpoint":
        return 0.5 * (place % 1 != 0)
    return share


def weighed(low, high, share):
    """Between two elements, from the nearer one."""
    apart = high - low
    if isinstance(share, np.ndarray):
        return np.where(share >= 0.5, high - apart * (1 - share), low + apart * share)
    return high - apart * (1 - share) if share >= 0.5 else low + apart * share


def as_index(place, last):
    """Elements before the first one are the first one, those behind the last one the last."""
    if isinstance(place, np.ndarray):
        return np.minimum(np.maximum(place, 0), last).astype(np.int64)
    return int(min(max(place, 0), last))


def chosen_of(rows, k):
    """The elements at indices of sorted rows, the axes of the indices first."""
    if not isinstance(k, np.ndarray):
        return rows[k] if rows.ndim == 1 else rows[..., k]
    if rows.ndim == 1:
        return np.take(rows, k, mode="clip")
    return indices_first(np.take(rows, np.ravel(k), axis=-1, mode="clip"), k.shape)


def indices_first(found, shape):
    """What was found for each index stands along the last axis; the indices have this shape."""
    return np.ascontiguousarray(np.moveaxis(found, -1, 0)).reshape(shape + found.shape[:-1])


def is_of_ints(q):
    if isinstance(q, (np.ndarray, np.generic)):
        return q.dtype.kind == "i" or q.dtype.kind == "u" or q.dtype.kind == "b"
    return isinstance(q, int)


def quantile_of(rows, q, method):
    """Of sorted rows that are not empty."""
    n = rows.shape[-1]
    place = place_of(n, q, method)
    if chooses(method) or method == "linear" and is_of_ints(q):
        found = chosen_of(rows, as_index(place, n - 1))
        if isinstance(found, np.ndarray):
            found = found.copy()
    else:
        below = np.floor(place)
        low = chosen_of(rows, as_index(below, n - 1))
        high = chosen_of(rows, as_index(below + 1, n - 1))
        share = share_of(place, np.minimum(np.maximum(below, 0), n - 1), method)
        if isinstance(share, np.ndarray):
            share = share.astype(place.dtype)
            if rows.ndim > 1:
                share = share.reshape(share.shape + (1,) * (rows.ndim - 1))
            found = weighed(low, high, share)
        elif isinstance(q, (float, int)) and not isinstance(q, np.generic):
            found = weighed(low, high, float(share))
        else:
            found = weighed(low, high, place.dtype.type(share))
    if not is_float(rows):
        return found
    if isinstance(found, np.ndarray):
        last = rows[..., -1]
        return np.where(np.isnan(last), np.nan, found)
    return found.dtype.type(np.nan) if np.isnan(rows[-1]) else found


def as_fraction(q, percent):
    """The quantiles as numbers or an array."""
    given = np.array(q) if isinstance(q, (list, tuple)) else q
    if isinstance(given, np.ndarray):
        if given.ndim > 2:
            raise ValueError("q must be a scalar or 1d")
        number = given[()] if given.ndim == 0 else given
    else:
        number = given
    return number / 100 if percent else number


def check_fraction(q, percent):
    if not np.all((q >= 0) & (q <= 1)):
        if percent:
            raise ValueError("Percentiles must be in the range [0, 100]")
        raise ValueError("Quantiles must be in the range [0, 1]")


def quantiles(a, q, axis, out, method, keepdims, weights, percent):
    if isinstance(q, str) or q is None:
        refuse("`q` must be a number, or an array or a list of numbers", "write a number: `np.quantile(x, 0.5)`")
    fraction = as_fraction(q, percent)
    if not isinstance(fraction, (np.ndarray, np.generic, float, int)) or isinstance(fraction, np.ndarray) and fraction.dtype.kind == "c":
        refuse("`q` must be a number, or an array or a list of numbers", "write a number: `np.quantile(x, 0.5)`")
    check_fraction(fraction, percent)
    if weights is not None:
        if method != "inverted_cdf":
            raise ValueError("Only method 'inverted_cdf' supports weights. Got: " + method + ".")
        found = weighted_quantile(a, fraction, axis, weights)
    else:
        rows = as_rows(a, axis)
        if rows.shape[-1] == 0:
            raise IndexError("index -1 is out of bounds for axis 0 with size 0")
        if is_few(a) and rows.ndim == 1:
            found = quantile_of(few_sorted(rows.copy()), fraction, method)
        else:
            found = quantile_of(sorted_last(rows.copy()), fraction, method)
    return delivered(with_axes(found, a, axis, keepdims), out)


def weighted_quantile(a, q, axis, weights):
    every = weights_like(a, weights, axis)
    if np.any(every < 0):
        raise ValueError("Weights must be non-negative.")
    rows = as_rows(a, axis)
    n = rows.shape[-1]
    if n == 0:
        raise IndexError("index -1 is out of bounds for axis 0 with size 0")
    order = argsorted_last(rows.copy())
    values = np.take_along_axis(rows, order, axis=-1)
    sums = np.cumsum(np.take_along_axis(as_rows(every, axis), order, axis=-1), axis=-1, dtype=np.float64)
    shares = sums / sums[..., -1:]
    if np.any(np.isnan(shares[..., -1:])):
        raise ValueError("Weights included NaN, inf or were all zero.")
    # What weighs nothing is never the first element whose share reaches a quantile.
    shares = np.where(shares == 0, -1.0, shares)
    if isinstance(q, np.ndarray):
        if q.dtype == np.float32:
            shares = shares.astype(np.float32)
        reached = np.sum(shares[..., None, :] < np.ravel(q)[:, None], axis=-1)
        found = np.take_along_axis(values, np.minimum(reached, n - 1), axis=-1)
        if values.dtype.kind == "f":
            found = np.where(np.isnan(values[..., -1:]), np.nan, found)
        return indices_first(found, q.shape)
    if isinstance(q, np.float32):
        shares = shares.astype(np.float32)
    if rows.ndim == 1:
        found = values[min(int(np.sum(shares < q)), n - 1)]
        return np.asarray(found.dtype.type(np.nan) if np.isnan(values[-1]) else found) if values.dtype.kind == "f" else np.asarray(found)
    reached = np.sum(shares < q, axis=-1)[..., None]
    found = np.take_along_axis(values, np.minimum(reached, n - 1), axis=-1)[..., 0]
    return np.where(np.isnan(values[..., -1]), np.nan, found) if values.dtype.kind == "f" else found


def numpy_quantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, weights=None):
    return quantiles(a, q, axis, out, method, keepdims, weights, False)


def numpy_percentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, weights=None):
    return quantiles(a, q, axis, out, method, keepdims, weights, True)


def quantile_of_numbers(rows, q, method):
    """Of sorted rows of floats, in each of which nans behind the numbers do not count."""
    if rows.ndim == 1:
        count = int(np.sum(rows == rows))
        return quantile_of(rows[:max(count, 1)], q, method)
    # Each row has a length of its own.
    if isinstance(q, np.ndarray):
        # NumPy goes from row to row, and then moves the axes of the quantiles.
        found = of_lengths(rows, np.ravel(q), method, False).reshape(rows.shape[:-1] + q.shape)
        return np.moveaxis(found, ends(q.ndim), tuple([k for k in range(q.ndim)]))
    return of_lengths(rows, np.full(1, q), method, not isinstance(q, np.generic))[..., 0]


def of_lengths(rows, q, method, is_weak):
    count = np.sum(rows == rows, axis=-1)[..., None]
    last = np.maximum(count - 1, 0)
    n = count if is_of_ints(q) else count.astype(q.dtype)
    place = place_of(n, q, method)
    if chooses(method) or method == "linear" and is_of_ints(q):
        return np.take_along_axis(rows, as_index(place, last), axis=-1)
    below = np.floor(place)
    low = np.take_along_axis(rows, as_index(below, last), axis=-1)
    high = np.take_along_axis(rows, as_index(below + 1, last), axis=-1)
    share = share_of(place, np.minimum(np.maximum(below, 0), last), method)
    # A number of Python does not decide on the dtype.
    return weighed(low, high, share.astype(rows.dtype if is_weak else place.dtype))


def nan_quantiles(a, q, axis, method, keepdims, percent):
    if not is_float(a):
        return quantiles(a, q, axis, None, method, keepdims, None, percent)
    if isinstance(q, str) or q is None:
        refuse("`q` must be a number, or an array or a list of numbers", "write a number: `np.nanquantile(x, 0.5)`")
    fraction = as_fraction(q, percent)
    if not isinstance(fraction, (np.ndarray, np.generic, float, int)) or isinstance(fraction, np.ndarray) and fraction.dtype.kind == "c":
        refuse("`q` must be a number, or an array or a list of numbers", "write a number: `np.nanquantile(x, 0.5)`")
    check_fraction(fraction, percent)
    rows = as_rows(a, axis)
    if isinstance(fraction, np.ndarray):
        if a.size == 0:
            raise NotImplementedError("quantiles of no elements: test `x.size` first")
        found = quantile_of_numbers(sorted_last(rows.copy()), fraction, method)
    else:
        # Of nothing there is no quantile.
        wide = np.full(rows.shape[:-1] + (1,), np.nan, rows.dtype) if rows.shape[-1] == 0 else rows.copy()
        found = quantile_of_numbers(sorted_last(wide), fraction, method)
    return with_axes(found, a, axis, keepdims)


def numpy_nanquantile(a, q, axis=None, overwrite_input=False, method="linear", keepdims=False):
    return nan_quantiles(a, q, axis, method, keepdims, False)


def numpy_nanpercentile(a, q, axis=None, overwrite_input=False, method="linear", keepdims=False):
    return nan_quantiles(a, q, axis, method, keepdims, True)
