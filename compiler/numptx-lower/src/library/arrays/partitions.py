"""Partitions, sorts by several keys, and sorted complex numbers. What is partitioned is sorted: that is a partition at every place."""
import numpy as np


def check_places(kth, n):
    """Places are counted from the front or from the end, and exist."""
    if isinstance(kth, (tuple, list)):
        for k in kth:
            check_places(k, n)
    elif isinstance(kth, np.ndarray):
        if kth.dtype.kind not in "iu":
            refuse("`kth` must be integers", "convert it: `kth.astype(np.int64)`")
        counted = np.ravel(np.where(kth < 0, kth + n, kth))
        wrong = (counted < 0) | (counted >= n)
        if np.any(wrong):
            raise ValueError(f"kth(={int(counted[np.argmax(wrong)])}) out of bounds ({n})")
    else:
        if not is_one_index(kth):
            refuse("`kth` must be integers", "write `np.partition(x, 3)`, or several: `np.partition(x, (3, 5))`")
        k = int(kth) + n if kth < 0 else int(kth)
        if k < 0 or k >= n:
            raise ValueError(f"kth(={k}) out of bounds ({n})")


def partitioned_length(a, axis):
    if axis is None:
        return a.size
    if a.ndim == 0:
        refuse("an array without axes has no elements to partition", "give it an axis: `np.atleast_1d(x)`")
    return a.shape[axis]


def numpy_partition(a, kth, axis=-1, kind="introselect"):
    check_places(kth, partitioned_length(a, axis))
    return numpy_sort(a, axis)


def numpy_argpartition(a, kth, axis=-1, kind="introselect"):
    check_places(kth, partitioned_length(a, axis))
    return numpy_argsort(a, axis)


def ndarray_partition(a, kth, axis=-1, kind="introselect"):
    a[...] = numpy_partition(a, kth, axis)


def numpy_sort_complex(a):
    if a.ndim == 0:
        refuse("an array without axes is not sorted", "give it an axis: `np.atleast_1d(x)`")
    ordered = numpy_sort(a)
    if a.dtype.kind == "c":
        return ordered
    if a.dtype.itemsize < 4 and a.dtype.kind in "iu":
        return ordered.astype(np.complex64)
    return ordered.astype(np.complex128)


def numpy_lexsort(keys, axis=-1):
    if isinstance(keys, (tuple, list)):
        if len(keys) == 0:
            raise TypeError("need sequence of keys with len > 0 in lexsort")
        arrays = tuple([np.asarray(key) for key in keys])
        for key in arrays[1:]:
            if key.ndim != arrays[0].ndim:
                raise ValueError("all keys need to be the same shape")
            if key.shape != arrays[0].shape:
                raise ValueError("all keys need to be the same shape")
        if arrays[0].ndim == 0:
            refuse("keys without axes are not sorted", "give them an axis: `np.atleast_1d(x)`")
        order = numpy_argsort(arrays[0], axis)
        for key in arrays[1:]:
            order = reordered(key, order, axis)
        return order
    if keys.ndim < 2:
        refuse("`keys` must be several arrays of one shape", "write a tuple: `np.lexsort((second, first))`")
    if keys.shape[0] == 0:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    order = numpy_argsort(keys[0], axis)
    for n in range(1, keys.shape[0]):
        order = reordered(keys[n], order, axis)
    return order


def reordered(key, order, axis):
    """An order that sorts by a key, and by what it sorted before where that is equal."""
    if key.ndim == 1:
        return np.take(order, argsorted_last(np.take(key, order, mode="clip")), mode="clip")
    steps = numpy_argsort(np.take_along_axis(key, order, axis), axis)
    return np.take_along_axis(order, steps, axis)
