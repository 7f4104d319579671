"""`reduce`, `accumulate` and `reduceat` of ufuncs that no reducer computes. Rows, along the axis that is gone through, are combined in order, as NumPy
does; a few ufuncs have forms that take all rows at once."""
import numpy as np


def ufunc_reduce(function, name, kind, array, axes, keepdims, initial, mask, out):
    rows = axes_first(array, axes).astype(kind, copy=False)
    if mask is not None:
        mask = axes_first(np.broadcast_to(mask, array.shape), axes)
    result = combined(function, name, kind, rows, mask, initial)
    if keepdims:
        result = np.asarray(result)
        for axis in axes:
            result = np.expand_dims(result, axis)
    if out is None:
        return result
    return written_to(out, result, name)


def written_to(out, result, name):
    if out.ndim != result.ndim:
        refuse("`out` has another number of axes than the result", "pass an array of the result's shape, or assign the result: `out[...] = result`")
    if out.shape != result.shape:
        raise ValueError(f"operands could not be broadcast together: `out` of {name} has another shape than the result")
    out[...] = result
    return out


def axes_first(array, axes):
    """The array with some axes as one, which is the first."""
    if len(axes) == 1:
        return np.moveaxis(array, axes[0], 0)
    moved = np.moveaxis(array, axes, tuple(range(len(axes))))
    n = 1
    for k in range(len(axes)):
        n *= moved.shape[k]
    return moved.reshape((n,) + moved.shape[len(axes):])


def combined(function, name, kind, rows, mask, initial):
    if initial is None and rows.shape[0] == 0:
        raise ValueError(f"zero-size array to reduction operation {name} which has no identity")
    if name == "subtract":
        return difference(kind, rows, mask, initial)
    if mask is None and name == "hypot":
        return length(rows, initial)
    if mask is None and (name == "logaddexp" or name == "logaddexp2"):
        return logarithm_of_sum(name, rows, initial)
    if mask is None and name == "gcd":
        return common_divisor(rows, initial)
    return in_order(function, kind, rows, mask, initial)


def in_order(function, kind, rows, mask, initial):
    if rows.ndim == 1:
        return numbers_in_order(function, kind, rows, mask, initial)
    first = 0
    if initial is None:
        total = rows[0].copy()
        first = 1
    else:
        total = np.full(rows.shape[1:], initial, kind)
    for i in range(first, rows.shape[0]):
        if mask is None:
            total = function(total, rows[i], dtype=kind)
        else:
            total = np.where(mask[i], function(total, rows[i], dtype=kind), total)
    return total


def numbers_in_order(function, kind, rows, mask, initial):
    first = 0
    if initial is None:
        total = rows[0]
        first = 1
    else:
        total = initial
    for i in range(first, rows.shape[0]):
        if mask is None:
            total = function(total, rows[i], dtype=kind)
        elif mask[i]:
            total = function(total, rows[i], dtype=kind)
    return total


def difference(kind, rows, mask, initial):
    """`x - y` is `x + (-y)` for every x and y."""
    if initial is None:
        return np.sum(np.concatenate((rows[:1], -rows[1:])), axis=0, dtype=kind)
    if mask is None:
        return np.sum(-rows, axis=0, dtype=kind, initial=initial)
    return np.sum(-rows, axis=0, dtype=kind, initial=initial, where=mask)


def length(rows, initial):
    """The square root of the sum of squares, of quotients by the largest magnitude, so that none overflows; infinite beside a nan, too."""
    size = np.abs(rows)
    largest = np.max(size, axis=0, initial=0.0)
    if initial is not None:
        largest = np.maximum(largest, np.abs(initial))
    ordinary = np.where((largest > 0) & (largest < np.inf), largest, 1)
    quotients = size / ordinary
    total = np.sum(quotients * quotients, axis=0)
    infinite = np.any(np.isinf(rows), axis=0)
    if initial is not None:
        first = initial / ordinary
        total = total + first * first
        infinite = infinite | np.isinf(initial)
    return np.where(infinite, np.inf, ordinary * np.sqrt(total)).astype(rows.dtype)[()]


def logarithm_of_sum(name, rows, initial):
    """The largest plus the logarithm of the sum of powers of the distances from it, none of which overflows."""
    largest = np.max(rows, axis=0, initial=-np.inf)
    if initial is not None:
        largest = np.maximum(largest, initial)
    ordinary = np.where(np.isfinite(largest), largest, 0).astype(rows.dtype)[()]
    if name == "logaddexp":
        total = np.sum(np.exp(rows - ordinary), axis=0)
        if initial is not None:
            total = total + np.exp(initial - ordinary)
        return ordinary + np.log(total)
    total = np.sum(np.exp2(rows - ordinary), axis=0)
    if initial is not None:
        total = total + np.exp2(initial - ordinary)
    return ordinary + np.log2(total)


def common_divisor(rows, initial):
    """Of halves, until one is left."""
    if initial is not None:
        rows = np.concatenate((np.full((1,) + rows.shape[1:], initial, rows.dtype), rows))
    while rows.shape[0] > 1:
        half = rows.shape[0] // 2
        rows = np.concatenate((np.gcd(rows[:half], rows[half:2 * half]), rows[2 * half:]))
    return rows[0]


def ufunc_accumulate(function, name, kind, array, axis, out):
    rows = np.moveaxis(array, axis, 0).astype(kind, copy=False)
    result = np.empty_like(array, dtype=kind) if out is None else out
    if result.shape != array.shape:
        raise ValueError("provided out is the wrong size for the accumulation.")
    steps = np.moveaxis(result, axis, 0)
    if name == "subtract":
        steps[...] = np.add.accumulate(np.concatenate((rows[:1], -rows[1:])), dtype=kind)
    elif name == "fmax" or name == "fmin":
        steps[...] = extremes_so_far(name, rows)
    else:
        if out is not None:
            rows = rows.copy()
        running(function, kind, rows, steps)
    return result


def running(function, kind, rows, steps):
    if rows.shape[0] == 0:
        return
    if rows.ndim == 1:
        total = rows[0]
        steps[0] = total
        for i in range(1, rows.shape[0]):
            total = function(total, rows[i], dtype=kind)
            steps[i] = total
    else:
        steps[0] = rows[0]
        for i in range(1, rows.shape[0]):
            steps[i] = function(steps[i - 1], rows[i], dtype=kind)


def extremes_so_far(name, rows):
    """The extremes of the elements that are not nan; nan where there was none yet."""
    if rows.dtype != np.float32 and rows.dtype != np.float64:
        return np.maximum.accumulate(rows) if name == "fmax" else np.minimum.accumulate(rows)
    nan = np.isnan(rows)
    none_yet = np.logical_and.accumulate(nan)
    if name == "fmax":
        extremes = np.maximum.accumulate(np.where(nan, rows.dtype.type(-np.inf), rows))
    else:
        extremes = np.minimum.accumulate(np.where(nan, rows.dtype.type(np.inf), rows))
    return np.where(none_yet, rows.dtype.type(np.nan), extremes)


def ufunc_reduceat(function, name, kind, array, axis, indices, out):
    rows = np.moveaxis(array, axis, 0).astype(kind, copy=False)
    n, m = rows.shape[0], indices.shape[0]
    for i in range(m):
        if not 0 <= indices[i] < n:
            raise IndexError(f"index {indices[i]} out-of-bounds in {name}.reduceat [0, {n})")
    shape = array.shape[:axis] + (m,) + array.shape[axis + 1:]
    if array.ndim < 3:
        result = np.empty(shape, kind)
    else:
        result = np.empty_like(order_of_parts(array, axis, indices), dtype=kind, shape=shape)
    parts = np.moveaxis(result, axis, 0)
    for i in range(m):
        start = indices[i]
        stop = indices[i + 1] if i + 1 < m else n
        if start + 1 < stop:
            parts[i] = function.reduce(rows[start:stop], axis=0, dtype=kind)
        else:
            parts[i] = rows[start]
    return result if out is None else written_to(out, result, name)


def order_of_parts(array, axis, indices):
    """A small array in the order that NumPy's iterator over the array, without the axis, and the indices, along it, gives to results."""
    parts = np.moveaxis(np.moveaxis(corner(array), axis, 0)[:1], 0, axis)
    return np.equal(parts, indices[:2].reshape((1,) * axis + (-1,) + (1,) * (array.ndim - axis - 1)))


def corner(array):
    """The first two elements along each axis: they lie as the whole array does."""
    for _ in array.shape:
        array = np.moveaxis(array[:2], 0, -1)
    return array


def applied_at(function, array, indices):
    """Elements replaced by what a function of one operand makes of them, as often as an index names them."""
    times = np.zeros(array.shape, np.int64)
    if isinstance(indices, np.ndarray) and indices.dtype == np.bool_:
        times[indices] = 1
    else:
        np.add.at(times, indices, 1)
    if function(array).dtype != array.dtype:
        refuse("the function gives another dtype than the array's", "write `x[k] = f(x[k])`")
    for k in range(np.max(times, initial=0)):
        array[...] = np.where(times > k, function(array), array)
