"""Arrays with elements added, left out, repeated up to a size, or cut off at their ends."""
import numpy as np


def numpy_append(arr, values, axis=None):
    if axis is None:
        return np.concatenate((np.ravel(arr), np.ravel(values)))
    return np.concatenate((arr, values), axis=axis)


def is_one_index(obj):
    """Whether an index is one integer."""
    if isinstance(obj, (bool, np.bool_)):
        return False
    return isinstance(obj, (int, np.integer))


def index_array(obj):
    """Indices, or a mask, as a vector."""
    if isinstance(obj, (list, tuple)):
        if len(obj) == 0:
            return np.zeros(0, np.int64)
        return np.array(obj)
    return np.asarray(obj)


def place_along(obj, axis, n, most):
    """One index counted from the front; as an index of what is inserted it may be one behind the last."""
    if obj < -n or obj >= most:
        raise IndexError(f"index {obj} is out of bounds for axis {axis} with size {n}")
    k = int(obj)
    return k + n if k < 0 else k


def from_front(axis, ndim):
    return axis + ndim if axis < 0 else axis


def like_of_shape(x, shape, dtype=None):
    """A new array in F order where x is in F order and not in C order, else in C order: what has elements along one axis only is in both."""
    n_wide = 0
    for n in x.shape:
        if n > 1:
            n_wide += 1
    if x.ndim == 1 or x.size == 0 or n_wide < 2:
        return np.empty(shape, x.dtype if dtype is None else dtype)
    return np.empty_like(x, dtype=dtype, order="A", shape=shape)


def longer(x, axis, n):
    """A new array like x with another extent along an axis."""
    return like_of_shape(x, x.shape[:axis] + (n,) + x.shape[axis + 1:])


def numpy_delete(arr, obj, axis=None):
    if axis is None:
        return deleted(np.ravel(arr), obj, 0)
    if arr.ndim == 0:
        refuse("an array without axes has no elements to delete", "give it an axis: `np.atleast_1d(x)`")
    return deleted(arr, obj, from_front(axis, arr.ndim))


def deleted(x, obj, axis):
    n = x.shape[axis]
    if is_one_index(obj):
        return without_row(x, place_along(obj, axis, n, n), axis)
    indices = index_array(obj)
    if indices.ndim != 1:
        indices = np.ravel(indices)
    if indices.dtype.kind in "iu":
        if indices.shape[0] == 1:
            return without_row(x, place_along(int(indices[0]), axis, n, n), axis)
    if indices.dtype == np.bool_:
        if indices.shape[0] != n:
            raise ValueError(f"boolean array argument obj to delete must be one dimensional and match the axis length of {n}")
        kept = ~indices
    else:
        if indices.dtype.kind not in "iu":
            refuse("`obj` must be integers or bools", "convert it: `obj.astype(np.int64)`")
        kept = np.ones(n, np.bool_)
        kept[indices] = False
    if axis == 0:
        return x[kept]
    if axis == 1:
        return x[:, kept]
    if axis == 2:
        return x[:, :, kept]
    refuse("elements are deleted along the first three axes", "move the axis to the front: `np.moveaxis(x, axis, 0)`")


def without_slice(arr, obj, axis=None):
    """`np.delete` of a slice."""
    array = np.asarray(arr)
    x = np.ravel(array) if axis is None else array
    along = 0 if axis is None else from_front(axis, array.ndim)
    n = x.shape[along]
    kept = np.ones(n, np.bool_)
    kept[obj] = False
    places = np.flatnonzero(kept)
    result = longer(x, along, places.shape[0])
    rows = np.moveaxis(result, along, 0)
    rows[...] = np.take(np.moveaxis(x, along, 0), places, axis=0, mode="clip")
    return result


def with_slice_inserted(arr, obj, values, axis=None):
    """`np.insert` before the rows of a slice."""
    array = np.asarray(arr)
    x = np.ravel(array) if axis is None else array
    along = 0 if axis is None else from_front(axis, array.ndim)
    return with_inserted(x, np.arange(x.shape[along])[obj], values, along)


def without_row(x, k, axis):
    result = longer(x, axis, x.shape[axis] - 1)
    rows, old = np.moveaxis(result, axis, 0), np.moveaxis(x, axis, 0)
    rows[:k] = old[:k]
    rows[k:] = old[k + 1:]
    return result


def numpy_insert(arr, obj, values, axis=None):
    if axis is None:
        return with_inserted(np.ravel(arr), obj, values, 0)
    if arr.ndim == 0:
        refuse("an array without axes takes no further elements", "give it an axis: `np.atleast_1d(x)`")
    return with_inserted(arr, obj, values, from_front(axis, arr.ndim))


def new_values(values, dtype, ndim):
    """What is inserted in the array's dtype, with at least so many axes."""
    if isinstance(values, (list, tuple)):
        x = np.array(values, dtype=dtype)
    elif is_number(values):
        x = held(values, dtype)
    else:
        x = np.asarray(values).astype(dtype, copy=False)
    return x[(None,) * (ndim - x.ndim)]


def with_inserted(x, obj, values, axis):
    n = x.shape[axis]
    given = new_values(values, x.dtype, x.ndim)
    if is_one_index(obj):
        return with_run(x, place_along(obj, axis, n, n + 1), np.moveaxis(given, 0, axis), axis)
    indices = index_array(obj)
    if indices.dtype == np.bool_:
        if indices.ndim != 1:
            raise ValueError("boolean array argument obj to insert must be one dimensional")
        indices = np.flatnonzero(indices)
    if indices.ndim == 0:
        return with_run(x, place_along(int(indices), axis, n, n + 1), np.moveaxis(given, 0, axis), axis)
    if indices.ndim != 1:
        raise ValueError("index array argument obj to insert must be one dimensional or scalar")
    if indices.dtype.kind not in "iu":
        refuse("`obj` must be integers or bools", "convert it: `obj.astype(np.int64)`")
    if indices.shape[0] == 1:
        k = int(indices[0])
        if k < -n or k > n:
            raise IndexError(f"index [{k}] is out of bounds for axis {axis} with size {n}")
        return with_run(x, k + n if k < 0 else k, given, axis)
    return with_rows(x, indices.astype(np.int64), given, axis)


def as_assigned(given, ndim, shape):
    """Without axes in front that the array has not, as an assignment takes it: they have one element each."""
    for n in given.shape[:given.ndim - ndim]:
        if n != 1:
            raise ValueError(f"could not broadcast input array from shape {given.shape} into shape {shape}")
    return given[(0,) * (given.ndim - ndim)]


def with_run(x, k, given, axis):
    """Rows inserted next to each other before row k."""
    n, more = x.shape[axis], given.shape[axis]
    values = as_assigned(given, x.ndim, x.shape[:axis] + (more,) + x.shape[axis + 1:])
    result = longer(x, axis, n + more)
    rows, old = np.moveaxis(result, axis, 0), np.moveaxis(x, axis, 0)
    rows[:k] = old[:k]
    rows[k:k + more] = np.moveaxis(values, axis, 0)
    rows[k + more:] = old[k:]
    return result


def with_rows(x, indices, given, axis):
    """Rows inserted before rows, several before one in their order."""
    n, more = x.shape[axis], indices.shape[0]
    before_rows = np.where(indices < 0, indices + n, indices)
    order = np.argsort(before_rows, kind="stable")
    behind = np.empty(more, np.int64)
    behind[order] = np.take(before_rows, order, mode="clip") + np.arange(more)
    is_old = np.ones(n + more, np.bool_)
    is_old[behind] = False
    shape = x.shape[:axis] + (more,) + x.shape[axis + 1:]
    wanted = np.broadcast_to(as_assigned(given, x.ndim, shape), shape)
    result = longer(x, axis, n + more)
    rows = np.moveaxis(result, axis, 0)
    rows[behind] = np.moveaxis(wanted, axis, 0)
    rows[np.flatnonzero(is_old)] = np.moveaxis(x, axis, 0)
    return result


def numpy_resize(a, new_shape):
    shape = tuple(new_shape) if isinstance(new_shape, (tuple, list)) else (new_shape,)
    size = 1
    for n in shape:
        if n < 0:
            raise ValueError("all elements of `new_shape` must be non-negative")
        size = size * n
    flat = np.ravel(a)
    if flat.shape[0] == 0:
        return np.zeros(shape, a.dtype)
    return np.take(flat, np.arange(size) % flat.shape[0], mode="clip").reshape(shape)


def numpy_trim_zeros(filt, trim="fb", axis=None):
    if not isinstance(filt, np.ndarray):
        refuse("lists are not trimmed", "make an array of it: `np.trim_zeros(np.array(values))`")
    axes = given_axes(filt, None, axis)
    is_set = filt != 0
    if not np.any(is_set):
        for axis in axes:
            filt = cut(filt, axis, 0)
        return filt
    for axis in axes:
        rows = np.moveaxis(is_set, axis, 0).reshape(is_set.shape[axis], -1)
        used = np.any(rows, axis=1)
        n = used.shape[0]
        first = int(np.argmax(used)) if "f" in trim or "F" in trim else 0
        last = n - int(np.argmax(used[::-1])) if "b" in trim or "B" in trim else n
        filt = np.moveaxis(np.moveaxis(filt, axis, 0)[first:last], 0, axis)
    return filt


def repeated_each(a, repeats, axis):
    """Each element, or each part along an axis, as often as its own number says."""
    if repeats.dtype.kind not in "biu":
        refuse("`repeats` must be integers", "convert them: `repeats.astype(np.int64)`")
    x = np.ravel(a) if axis is None else a
    along = 0 if axis is None else from_front(axis, a.ndim)
    if along >= x.ndim or along < 0:
        refuse("there are fewer axes", "count axes from 0: `np.repeat(x, n, axis=0)`")
    n, given = x.shape[along], repeats.shape[0]
    if given != n and given != 1:
        raise ValueError(f"operands could not be broadcast together with shape ({n},) ({given},)")
    counts = np.broadcast_to(repeats, (n,)).astype(np.int64)
    if np.any(counts < 0):
        raise ValueError("repeats may not contain negative values.")
    last_places = np.cumsum(counts)
    total = int(last_places[-1]) if n > 0 else 0
    return np.take(x, np.searchsorted(last_places, np.arange(total), "right"), axis=along, mode="clip")
