"""Indices of grids, diagonals and triangles, and values at even distances."""
import numpy as np


def numpy_shape(a):
    return a.shape


def numpy_ndim(a):
    return a.ndim


def numpy_size(a, axis=None):
    if axis is None:
        return a.size
    count = 1
    for k in axis if isinstance(axis, (tuple, list)) else (axis,):
        count = count * a.shape[k]
    return count


def refuse_broadcast(shapes, first, second):
    for i, shape in enumerate(shapes):
        if i == first:
            raise ValueError(f"shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg {i} with shape {shape} and arg {second} with shape {shapes[second]}.")


def numpy_broadcast_shapes(*args):
    shapes = tuple([tuple(given) if isinstance(given, (tuple, list)) else (given,) for given in args])
    longest = 0
    for shape in shapes:
        longest = max(longest, len(shape))
        for n in shape:
            if not isinstance(n, (int, np.integer)):
                refuse("a shape is an int or a tuple of ints", "write `np.broadcast_shapes(y.shape, (3, 1))`")
            if n < 0:
                raise ValueError("negative dimensions are not allowed")
    # Of each extent, which argument has it.
    result, owners = (1,) * longest, (0,) * longest
    for k, shape in enumerate(shapes):
        extents, of = (), ()
        for n, m, owner in zip(result, (1,) * (longest - len(shape)) + shape, owners):
            if n != m and n != 1 and m != 1:
                refuse_broadcast(shapes, owner, k)
            extents = extents + (m if n == 1 else n,)
            of = of + (k if n == 1 else owner,)
        result, owners = extents, of
    return result


def numpy_ix_(*args):
    result = ()
    for k, given in enumerate(args):
        x = index_array(given)
        if x.ndim != 1:
            raise ValueError("Cross index must be 1 dimensional")
        if x.dtype == np.bool_:
            x = np.flatnonzero(x)
        result = result + (x.reshape((1,) * k + (x.shape[0],) + (1,) * (len(args) - k - 1)),)
    return result


def numpy_diag_indices(n, ndim=2):
    return (np.arange(n),) * ndim


def numpy_diag_indices_from(arr):
    if arr.ndim < 2:
        raise ValueError("input array must be at least 2-d")
    for n in arr.shape[1:]:
        if n != arr.shape[0]:
            raise ValueError("All dimensions of input must be of equal length")
    return (np.arange(arr.shape[0]),) * arr.ndim


def chosen_places(mask):
    """Rows and columns where a matrix is true."""
    k, width = np.flatnonzero(mask), max(mask.shape[1], 1)
    return k // width, k % width


def numpy_tril_indices(n, k=0, m=None):
    return chosen_places(np.tri(n, m, k, dtype=bool))


def numpy_triu_indices(n, k=0, m=None):
    return chosen_places(~np.tri(n, m, k - 1, dtype=bool))


def numpy_tril_indices_from(arr, k=0):
    if arr.ndim != 2:
        raise ValueError("input array must be 2-d")
    return numpy_tril_indices(arr.shape[0], k, arr.shape[1])


def numpy_triu_indices_from(arr, k=0):
    if arr.ndim != 2:
        raise ValueError("input array must be 2-d")
    return numpy_triu_indices(arr.shape[0], k, arr.shape[1])


def numpy_unravel_index(indices, shape, order="C"):
    extents = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    size = 1
    for n in extents:
        size = size * n
    if indices.ndim == 0:
        k = int(indices)
        if k < 0 or k >= size:
            raise ValueError(f"index {k} is out of bounds for array with size {size}")
        return places_in(np.int64(k), extents, order)
    wrong = (indices < 0) | (indices >= size)
    if np.any(wrong):
        k = int(np.ravel(indices)[np.argmax(wrong)])
        raise ValueError(f"index {k} is out of bounds for array with size {size}")
    return table_columns(places_in(indices.astype(np.int64), extents, order))


def places_in(rest, extents, order):
    """Indices along axes of places in an array's order."""
    last = len(extents) - 1
    numbered = tuple(enumerate(extents))
    parts = ()
    for k, n in numbered if order == "F" else numbered[::-1]:
        own = rest if k == (last if order == "F" else 0) else rest % max(n, 1)
        rest = rest // max(n, 1)
        parts = parts + (own,) if order == "F" else (own,) + parts
    return parts


def table_columns(parts):
    """Arrays of one shape in one table, a column each."""
    table = np.empty(parts[0].shape + (len(parts),), np.int64)
    for k, part in enumerate(parts):
        table[..., k] = part
    return tuple([table[..., k] for k in range(len(parts))])


def numpy_ravel_multi_index(multi_index, dims, mode="raise", order="C"):
    extents = tuple(dims) if isinstance(dims, (tuple, list)) else (dims,)
    if isinstance(multi_index, (tuple, list)):
        parts = tuple(multi_index)
        if len(parts) != len(extents):
            raise ValueError(f"parameter multi_index must be a sequence of length {len(extents)}")
    else:
        if multi_index.shape[0] != len(extents):
            raise ValueError(f"parameter multi_index must be a sequence of length {len(extents)}")
        parts = tuple([multi_index[k] for k in range(len(extents))])
    modes = tuple(mode) if isinstance(mode, (tuple, list)) else (mode,) * len(extents)
    if len(modes) != len(extents):
        refuse("`mode` must be one word, or one for each axis", "write `mode=\"wrap\"`")
    strides = ()
    size = 1
    for n in extents if order == "F" else extents[::-1]:
        strides = strides + (size,) if order == "F" else (size,) + strides
        size = size * n
    total = np.int64(0)
    for part, n, how, stride in zip(parts, extents, modes, strides):
        total = total + within_axis(part, n, how) * stride
    return total


def within_axis(part, n, how):
    """Indices along one axis, those outside of it as the mode has them."""
    if is_one_index(part):
        k = np.int64(part)
    else:
        if np.asarray(part).dtype.kind not in "iu":
            refuse("indices must be integers", "convert them: `k.astype(np.int64)`")
        k = np.asarray(part).astype(np.int64)
    if how == "wrap":
        return k % max(n, 1)
    if how == "clip":
        return np.minimum(np.maximum(k, 0), n - 1)
    if how != "raise":
        refuse("`mode` must be `\"raise\"`, `\"wrap\"` or `\"clip\"`", "write `mode=\"wrap\"`")
    if np.any((k < 0) | (k >= n)):
        raise ValueError("invalid entry in coordinates array")
    return k


def numpy_diagflat(v, k=0):
    return np.diag(np.ravel(v), k)


def with_axes_in_front(x, ndim):
    return np.asarray(x)[(None,) * (ndim - np.ndim(x))]


def numpy_logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    if np.ndim(base) > 0:
        ndim = max(np.ndim(start), np.ndim(stop), np.ndim(base))
        start, stop = with_axes_in_front(start, ndim), with_axes_in_front(stop, ndim)
        base = np.expand_dims(with_axes_in_front(base, ndim), axis)
    values = np.power(base, np.linspace(start, stop, num, endpoint=endpoint, axis=axis))
    return values if dtype is None else values.astype(dtype)


def numpy_geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    if np.ndim(start) > 0 or np.ndim(stop) > 0:
        return geometric_between(np.asarray(start), np.asarray(stop), num, endpoint, dtype, axis)
    first, last = float(start), float(stop)
    if first == 0.0 or last == 0.0:
        raise ValueError("Geometric sequence cannot include zero")
    sign = -1.0 if first < 0.0 else 1.0
    first, last = first * sign, last * sign
    values = np.power(10.0, np.linspace(float(np.log10(first)), float(np.log10(last)), num, endpoint=endpoint, axis=axis))
    values[:1] = first
    if endpoint:
        values[1:][-1:] = last
    values = values * sign
    return values if dtype is None else values.astype(dtype)


def geometric_between(start, stop, num, endpoint, dtype, axis):
    """Between the elements of arrays, along a new axis."""
    if np.any(start == 0) or np.any(stop == 0):
        raise ValueError("Geometric sequence cannot include zero")
    kind = inexact_kind((np.zeros(1, start.dtype) + np.zeros(1, stop.dtype) + np.zeros(1, np.float64 if dtype is None else dtype)).dtype)
    sign = np.sign(start.astype(kind))
    first, last = start.astype(kind) / sign, stop.astype(kind) / sign
    values = np.power(10.0, np.linspace(np.log10(first), np.log10(last), num, endpoint=endpoint)).astype(kind, copy=False)
    values[:1] = first
    if endpoint:
        values[1:][-1:] = last
    values *= sign
    if axis != 0:
        values = np.moveaxis(values, 0, axis)
    return values if dtype is None else values.astype(dtype, copy=False)


def inexact_kind(kind):
    """The dtype in which values of a dtype are divided."""
    return kind if kind.kind == "f" or kind.kind == "c" else np.zeros(1, np.float64).dtype


def spaced_between(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    """`linspace` between the elements of arrays, along a new axis."""
    first = start if is_number(start) else np.asarray(start)
    last = stop if is_number(stop) else np.asarray(stop)
    if num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    if is_number(first):
        kind = inexact_kind((np.zeros(1, last.dtype) + first).dtype)
    elif is_number(last):
        kind = inexact_kind((np.zeros(1, first.dtype) + last).dtype)
    else:
        kind = inexact_kind(common_dtype(first, last))
    n = num - 1 if endpoint else num
    distance = np.subtract(np.asarray(last).astype(kind), np.asarray(first).astype(kind))
    at = np.arange(num).astype(kind).reshape((num,) + (1,) * distance.ndim)
    # Steps that are too small for a float are taken of the whole distance, as NumPy does.
    step = distance / max(n, 1)
    if n > 0 and np.any(step == 0):
        values = at / n * distance
    elif n > 0:
        values = at * step
    else:
        values = at * distance
    values += first
    if endpoint and num > 1:
        values[-1] = last
    if axis != 0:
        values = np.moveaxis(values, 0, axis)
    if dtype is not None:
        if np.zeros(1, dtype).dtype.kind in "iu":
            values = np.floor(values)
        values = values.astype(dtype, copy=False)
    if not retstep:
        return values
    return values, step if n > 0 else np.nan


def numpy_fromiter(iter, dtype, count=-1):
    if not isinstance(iter, (np.ndarray, list, tuple)):
        refuse("`iter` must be a generator expression, a list or an array", "write `np.fromiter((f(v) for v in x), float)`")
    values = np.array(iter, dtype=dtype)
    if values.ndim != 1:
        refuse("`iter` must give numbers", "make an array of rows: `np.array([f(v) for v in x])`")
    if count < 0:
        return values
    if count > values.shape[0]:
        raise ValueError(f"iterator too short: Expected {count} but iterator had only {values.shape[0]} items.")
    return values[:count].copy()
