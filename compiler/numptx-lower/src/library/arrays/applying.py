"""Functions applied to parts of arrays: to vectors along an axis, over axes, to indices, to chosen elements, and to each element."""
import numpy as np


def numpy_apply_along_axis(func1d, axis, arr, *args):
    rows = np.moveaxis(arr, axis, -1)
    for n in rows.shape[:-1]:
        if n == 0:
            raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    # What the first vector gives says what shape and dtype all have.
    first = np.asarray(func1d(rows[(0,) * (arr.ndim - 1)], *args))
    if arr.ndim == 1:
        return first.copy()
    results = np.empty(rows.shape[:-1] + first.shape, first.dtype)
    results[(0,) * (arr.ndim - 1)] = first
    if arr.ndim == 2:
        for i in range(1, rows.shape[0]):
            results[i] = func1d(rows[i], *args)
    elif arr.ndim == 3:
        for j in range(1, rows.shape[1]):
            results[0, j] = func1d(rows[0, j], *args)
        for i in range(1, rows.shape[0]):
            for j in range(rows.shape[1]):
                results[i, j] = func1d(rows[i, j], *args)
    else:
        n_rows = 1
        for n in rows.shape[:-1]:
            n_rows = n_rows * n
        for k in range(1, n_rows):
            at = places_in(k, rows.shape[:-1], "C")
            results[at] = func1d(rows[at], *args)
    if first.ndim == 0:
        return results
    place = from_front(axis, arr.ndim)
    return np.moveaxis(results, ends(first.ndim), tuple([place + k for k in range(first.ndim)]))


def numpy_apply_over_axes(func, a, axes):
    result = a
    for axis in tuple(axes) if isinstance(axes, (tuple, list)) else (axes,):
        reduced = func(result, from_front(axis, a.ndim))
        if reduced.ndim != result.ndim:
            reduced = np.expand_dims(reduced, from_front(axis, a.ndim))
        if reduced.ndim != result.ndim:
            raise ValueError("function is not returning an array of the correct shape")
        result = reduced
    return result


def numpy_fromfunction(function, shape, dtype=float):
    extents = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    places_found = np.indices(extents, dtype=dtype)
    return function(*tuple([places_found[k] for k in range(len(extents))]))


def numpy_mask_indices(n, mask_func, k=0):
    chosen = mask_func(np.ones((n, n), np.int64), k)
    return np.nonzero(chosen != 0)


def numpy_piecewise(x, condlist, funclist, *args):
    if not isinstance(funclist, (list, tuple)):
        refuse("`funclist` must be a list of functions and numbers", "write `np.piecewise(x, [x < 0, x >= 0], [f, 1.0])`")
    conditions = condlist
    if not isinstance(condlist, (list, tuple)):
        conditions = (condlist,)
    elif len(condlist) > 0:
        if isinstance(condlist[0], (bool, int, np.generic)):
            conditions = (np.array(condlist),) if x.ndim > 0 else tuple(condlist)
    n, n_functions = len(conditions), len(funclist)
    if n_functions != n and n_functions != n + 1:
        raise ValueError(f"with {n} condition(s), either {n} or {n + 1} functions are expected")
    masks = ()
    rest = np.ones(x.shape, np.bool_)
    for condition in conditions:
        mask = np.broadcast_to(np.asarray(condition).astype(np.bool_), x.shape)
        masks = masks + (mask,)
        rest = rest & ~mask
    if n_functions == n + 1:
        masks = masks + (rest,)
    flat = np.ravel(x)
    result = np.zeros(flat.shape, x.dtype)
    for mask, function in zip(masks, funclist):
        chosen = np.flatnonzero(mask)
        if callable(function):
            if chosen.shape[0] > 0:
                result[chosen] = function(np.take(flat, chosen, mode="clip"), *args)
        else:
            result[chosen] = function
    return result.reshape(x.shape)


def vectorized(function, otypes, *args):
    """A function of single elements, which are numbers of Python; of what dtype its results are NumPy learns from the first elements, which are its own."""
    arrays = tuple([np.asarray(arg) for arg in args])
    shape = ()
    for array in arrays:
        shape = numpy_broadcast_shapes(shape, array.shape)
    vectors = tuple([np.ravel(np.broadcast_to(array, shape)) for array in arrays])
    n = vectors[0].shape[0]
    if len(otypes) > 0:
        dtypes = otypes
    else:
        if n == 0:
            raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
        first = function(*tuple([vector[0] for vector in vectors]))
        firsts = first if isinstance(first, tuple) else (first,)
        dtypes = tuple([np.asarray(member).dtype for member in firsts])
    if len(dtypes) == 1:
        result = np.empty(n, dtypes[0])
        for i in range(n):
            result[i] = function(*tuple([vector[i].item() for vector in vectors]))
        return in_order_of(arrays, result, shape)
    results = tuple([np.empty(n, dtype) for dtype in dtypes])
    for k, result in enumerate(results):
        for i in range(n):
            made = function(*tuple([vector[i].item() for vector in vectors]))
            result[i] = made[k]
    return tuple([in_order_of(arrays, result, shape) for result in results])


def in_order_of(arrays, elements, shape):
    """Elements in C order as an array of the memory order that a ufunc of these arrays, each of them copied, gives to its result."""
    if len(shape) < 2:
        return elements.reshape(shape)
    like = np.logical_not(corner(arrays[0]).copy(order="K"))
    for array in arrays[1:]:
        like = np.equal(like, corner(array).copy(order="K"))
    result = np.empty_like(like, dtype=elements.dtype, shape=shape)
    result[...] = elements.reshape(shape)
    return result
