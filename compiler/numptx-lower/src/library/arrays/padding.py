"""`numpy.pad`: a border around an array, made of numbers, of its edges, of statistics of its elements, or of its elements again."""
import numpy as np


def side_pair(pair):
    """What stands before and behind the array along one axis."""
    if not isinstance(pair, (tuple, list)):
        return (pair, pair)
    if len(pair) == 1:
        return (pair[0], pair[0])
    if len(pair) != 2:
        refuse("a border has two sides along each axis", "write pairs: `np.pad(x, ((1, 2), (0, 1)))`")
    return (pair[0], pair[1])


def side_pairs(given, ndim):
    """A pair for each axis: given as one value, one pair, or a pair for each."""
    if not isinstance(given, (tuple, list)):
        if isinstance(given, np.ndarray):
            sides = np.broadcast_to(given, (ndim, 2))
            return tuple([(sides[k, 0], sides[k, 1]) for k in range(ndim)])
        return ((given, given),) * ndim
    if len(given) == 0:
        refuse("a border has two sides along each axis", "write pairs: `np.pad(x, ((1, 2), (0, 1)))`")
    if isinstance(given[0], (tuple, list)):
        if len(given) == 1:
            return (side_pair(given[0]),) * ndim
        if len(given) != ndim:
            refuse("there is another number of pairs than of axes", "write a pair for each axis: `np.pad(x, ((1, 2), (0, 1)))`")
        return tuple([side_pair(pair) for pair in given])
    return (side_pair(given),) * ndim


def side_widths(given, ndim):
    result = ()
    for before, behind in side_pairs(given, ndim):
        if not (is_one_index(before) and is_one_index(behind)):
            raise TypeError("`pad_width` must be of integral type.")
        if before < 0 or behind < 0:
            raise ValueError("index can't contain negative values")
        result = result + ((int(before), int(behind)),)
    return result


def bordered(x, axis, before, behind):
    """A new array with room along an axis, and a view of it with this axis first; the elements are in their places."""
    n = x.shape[axis]
    result = longer(x, axis, before + n + behind)
    rows = np.moveaxis(result, axis, 0)
    rows[before:before + n] = np.moveaxis(x, axis, 0)
    return result, rows


def numpys(value):
    """A number as NumPy's own: unsigned integers wrap around in it."""
    if not is_number(value) or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return np.int64(value)
    return np.float64(value) if isinstance(value, float) else np.complex128(value)


def with_number(x, widths, value):
    """A border of one number on all sides."""
    shape = tuple([before + n + behind for n, (before, behind) in zip(x.shape, widths)])
    result = like_of_shape(x, shape)
    result[...] = numpys(value)
    inner = result
    for axis, width in enumerate(widths):
        rows = np.moveaxis(inner, axis, 0)[width[0]:width[0] + x.shape[axis]]
        inner = np.moveaxis(rows, 0, axis)
    inner[...] = x
    return result


def with_numbers(x, axis, before, behind, first, last):
    result, rows = bordered(x, axis, before, behind)
    rows[:before] = numpys(first)
    rows[before + x.shape[axis]:] = numpys(last)
    return result


def with_ramps(x, axis, before, behind, first, last):
    """Evenly spaced values from the edges to numbers at the ends, as `linspace` makes them."""
    result, rows = bordered(x, axis, before, behind)
    n = x.shape[axis]
    rows[:before] = ramp(first, rows[before], before, rows)
    rows[before + n:] = ramp(last, rows[before + n - 1], behind, rows)[::-1]
    return result


def ramp(end, edge, width, rows):
    at = np.arange(width).astype(np.float64).reshape((width,) + (1,) * (rows.ndim - 1))
    edges = np.asarray(edge).astype(np.complex128) if rows.dtype.kind == "c" else np.asarray(edge).astype(np.float64)
    values = at * ((edges - end) / float(max(width, 1))) + end
    return np.floor(values).astype(rows.dtype) if rows.dtype.kind in "iu" else values.astype(rows.dtype)


def statistic(rows, mode):
    if mode == "maximum":
        return np.max(rows, axis=0)
    if mode == "minimum":
        return np.min(rows, axis=0)
    value = np.mean(rows, axis=0) if mode == "mean" else np.median(rows, axis=0)
    if rows.dtype.kind in "iu":
        value = np.round(value)
    return value.astype(rows.dtype)


def with_statistics(x, axis, before, behind, mode, first, last):
    """`first`, `last`: of how many elements at the edges, or `None` of all."""
    n = x.shape[axis]
    n_first = n if first is None else min(first, n)
    n_last = n if last is None else min(last, n)
    if mode in ("maximum", "minimum") and (n_first == 0 or n_last == 0):
        raise ValueError("stat_length of 0 yields no value for padding")
    result, rows = bordered(x, axis, before, behind)
    own = np.moveaxis(x, axis, 0)
    rows[:before] = statistic(own[:n_first], mode)
    rows[before + n:] = statistic(own[n - n_last:], mode)
    return result


def with_elements(x, axis, before, behind, mode):
    """Elements again: those at the edges, or all of them forwards or backwards, in period after period."""
    n = x.shape[axis]
    at = np.arange(before + n + behind) - before
    if mode == "edge":
        k = np.clip(at, 0, n - 1)
    elif mode == "wrap":
        k = at % n
    elif mode == "symmetric":
        k = at % (2 * n)
        k = np.minimum(k, 2 * n - 1 - k)
    else:
        k = at % max(2 * n - 2, 1)
        k = np.minimum(k, 2 * n - 2 - k)
    result = longer(x, axis, before + n + behind)
    rows = np.moveaxis(result, axis, 0)
    rows[...] = np.moveaxis(x, axis, 0)[k]
    return result


def with_odd_reflections(x, axis, before, behind, overlap):
    """Elements reflected at the edge elements, in place and value, as far as there are some, again and again. `overlap`: 1 where the edge is repeated."""
    n = x.shape[axis]
    result, rows = bordered(x, axis, before, behind)
    period = max(n - 1 + overlap, 1)
    left, right, total = before, behind, before + n + behind
    while left > 0 or right > 0:
        length = (total - left - right - 1 + overlap) // period * period
        if left > 0:
            size = min(length, left)
            mirrored = rows[left + 1 - overlap:left + 1 - overlap + size][::-1]
            rows[left - size:left] = 2 * rows[left] - mirrored
            left = left - size
        if right > 0:
            size = min(length, right)
            stop = total - right
            mirrored = rows[stop - 1 + overlap - size:stop - 1 + overlap][::-1]
            rows[stop:stop + size] = 2 * rows[stop - 1] - mirrored
            right = right - size
    return result


def check_of_mode(value, name, mode, fits):
    if value is not None and not fits:
        refuse(f"`{name}` is not of this `mode`", "leave it out")


def numpy_pad(array, pad_width, mode="constant", constant_values=None, end_values=None, stat_length=None, reflect_type=None):
    is_statistic = mode in ("maximum", "mean", "median", "minimum")
    is_reflected = mode in ("reflect", "symmetric")
    check_of_mode(constant_values, "constant_values", mode, mode == "constant")
    check_of_mode(end_values, "end_values", mode, mode == "linear_ramp")
    check_of_mode(stat_length, "stat_length", mode, is_statistic)
    check_of_mode(reflect_type, "reflect_type", mode, is_reflected)
    widths = side_widths(pad_width, array.ndim)
    if mode == "constant":
        numbers = side_pairs(0 if constant_values is None else constant_values, array.ndim)
    elif mode == "linear_ramp":
        numbers = side_pairs(0 if end_values is None else end_values, array.ndim)
    else:
        numbers = side_pairs(stat_length, array.ndim)
    if array.ndim == 0:
        return array.copy()
    if mode == "constant" and not isinstance(constant_values, (tuple, list, np.ndarray)):
        return with_number(array, widths, 0 if constant_values is None else constant_values)
    result = array
    if mode != "constant" and mode != "empty":
        for axis, width in enumerate(widths):
            if array.shape[axis] == 0 and (width[0] > 0 or width[1] > 0):
                raise ValueError(f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'")
        if array.size == 0:
            for axis, width in enumerate(widths):
                result = with_numbers(result, axis, width[0], width[1], 0, 0)
            return result
    for axis, width in enumerate(widths):
        before, behind = width
        first, last = numbers[axis]
        if mode == "constant":
            result = with_numbers(result, axis, before, behind, first, last)
        elif mode == "empty":
            result = bordered(result, axis, before, behind)[0]
        elif mode == "linear_ramp":
            result = with_ramps(result, axis, before, behind, first, last)
        elif is_statistic:
            result = with_statistics(result, axis, before, behind, mode, first, last)
        elif is_reflected and reflect_type is not None and reflect_type == "odd":
            if array.shape[axis] == 1:
                result = with_elements(result, axis, before, behind, "edge")
            else:
                result = with_odd_reflections(result, axis, before, behind, 1 if mode == "symmetric" else 0)
        else:
            result = with_elements(result, axis, before, behind, mode)
    return result
