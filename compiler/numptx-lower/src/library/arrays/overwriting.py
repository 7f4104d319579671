"""Writes under a mask, with NumPy's rules of what may be cast to what. Everything is read before anything is written."""
import numpy as np


def is_python(value):
    return isinstance(value, (bool, int, float, complex)) and not isinstance(value, np.generic)


def rank_of(kind):
    """Kinds in the order in which a cast to the same kind may go."""
    if kind == "b":
        return 0
    if kind == "u":
        return 1
    if kind == "i":
        return 2
    return 3 if kind == "f" else 4


def is_safe(value, to):
    """Whether no element of an array, or scalar of NumPy, changes in another dtype: whether that is what both become together."""
    return np.where(True, value, np.zeros(1, to)).dtype == to


def may_be_cast(value, to, casting):
    if casting == "unsafe":
        return True
    if casting == "safe":
        return is_safe(value, to)
    if casting == "same_kind":
        return rank_of(value.dtype.kind) <= rank_of(to.kind)
    return value.dtype == to


def held(value, to):
    """A Python number, or a list of them, in a dtype."""
    result = np.empty((), to)
    result[...] = value
    return result


def number_fits(value, to):
    """A number of Python becomes one of a kind that it is not above; an int no bool."""
    if isinstance(value, bool):
        return True
    if isinstance(value, int):
        return to.kind != "b"
    if isinstance(value, float):
        return to.kind == "f" or to.kind == "c"
    return to.kind == "c"


def numpy_copyto(dst, src, casting="same_kind", where=True):
    if isinstance(src, (list, tuple)):
        source = np.array(src)
    else:
        source = src
    if is_python(source):
        if casting != "unsafe" and not number_fits(source, dst.dtype):
            refuse("the number cannot become one of the destination's dtype by this rule of casting", "convert it before, or write `casting='unsafe'`")
        source = held(source, dst.dtype)
    else:
        if not may_be_cast(source, dst.dtype, casting):
            refuse("the values cannot be cast to the destination's dtype by this rule of casting", "cast them before: `src.astype(dst.dtype)`, or write `casting='unsafe'`")
        source = np.asarray(source).astype(dst.dtype)
    if isinstance(where, bool):
        if where:
            dst[...] = source
        return
    mask = np.array(where) if isinstance(where, (list, tuple)) else np.asarray(where)
    if mask.dtype != np.bool_:
        refuse("`where` must be bools", "write `where=mask != 0`")
    dst[...] = np.where(np.broadcast_to(mask, dst.shape), source, dst)


def inserted(array, values):
    """Values along one axis in an array's dtype, into which they may be cast safely."""
    if isinstance(values, (list, tuple)):
        return np.ravel(np.array(values, dtype=array.dtype))
    if is_python(values):
        return np.ravel(held(values, array.dtype))
    if not is_safe(values, array.dtype):
        refuse("the values cannot be cast safely to the array's dtype", "cast them before: `values.astype(a.dtype)`")
    return np.ravel(np.asarray(values).astype(array.dtype))


def flags(mask):
    if isinstance(mask, (list, tuple)):
        return np.ravel(np.array(mask)) != 0
    return np.ravel(np.asarray(mask)) != 0


def overwrite(array, chosen, given, positions):
    """Puts `given[positions]`, again and again from the first one, where elements are chosen."""
    new = np.take(given, positions % given.shape[0], mode="clip")
    array[...] = np.where(np.reshape(chosen, array.shape), np.reshape(new, array.shape), array)


def numpy_putmask(a, mask, values):
    given = inserted(a, values)
    chosen = flags(mask)
    if chosen.shape[0] != a.size:
        raise ValueError("putmask: mask and data must be the same size")
    if given.shape[0] > 0:
        overwrite(a, chosen, given, np.arange(a.size))


def numpy_place(arr, mask, vals):
    given = inserted(arr, vals)
    chosen = flags(mask)
    if chosen.shape[0] != arr.size:
        raise ValueError("place: mask and data must be the same size")
    if given.shape[0] > 0:
        overwrite(arr, chosen, given, np.cumsum(chosen) - 1)
    elif np.any(chosen):
        raise ValueError("Cannot insert from an empty array!")


def write_flat(array, chosen_places, values):
    """Values, again and again from the first one, at places of all elements in C order."""
    given = flat_values(array, values)
    if given.shape[0] > 0:
        np.put(array, chosen_places, given)


def write_flat_at(array, index, values):
    """The same at the places that indices name, which are looked at where there are values."""
    given = flat_values(array, values)
    if given.shape[0] > 0:
        np.put(array, flat_places(array.size, np.asarray(index).astype(np.int64)), given)


def read_flat_at(array, index):
    return np.ravel(array)[flat_places(array.size, np.asarray(index).astype(np.int64))]


def flat_values(array, values):
    if isinstance(values, (list, tuple)):
        return np.ravel(np.array(values, dtype=array.dtype))
    if is_python(values):
        return np.ravel(held(values, array.dtype))
    return np.ravel(np.asarray(values).astype(array.dtype))


def flat_places(n, index):
    """Indices of an iterator over n elements from its beginning on."""
    outside = np.ravel((index < -n) | (index >= n))
    if np.any(outside):
        raise IndexError(f"index {np.ravel(index)[np.argmax(outside)]} is out of bounds for size {n}")
    return np.where(index < 0, index + n, index)


def filled_along_diagonal(a, val, wrap=False):
    """Values, again and again from the first one, on the diagonal: of matrices that are higher than wide once more, if it goes round, below each part
    of as many rows as columns and one."""
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    if a.ndim == 2:
        step = a.shape[1] + 1
        stop = a.size if wrap else min(a.size, a.shape[1] * a.shape[1])
    else:
        step, stride = 1, 1
        for n in a.shape[1:]:
            if n != a.shape[0]:
                raise ValueError("All dimensions of input must be of equal length")
            stride = stride * a.shape[0]
            step = step + stride
        stop = a.size
    write_flat(a, np.arange(0, stop, step), val)
