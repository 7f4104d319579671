"""Elements chosen among several arrays: by a number, by the first condition that holds, or made by functions where conditions hold."""
import numpy as np


def zero_like_number(value):
    """A number of Python of the same type."""
    if isinstance(value, bool):
        return False
    if isinstance(value, int):
        return 0
    return 0.0 if isinstance(value, float) else 0j


def dtype_of_all(values):
    """The dtype that values have together; numbers of Python follow arrays."""
    arrays = [value for value in values if not is_number(value)]
    numbers = [value for value in values if is_number(value)]
    if len(arrays) == 0:
        whole = np.asarray(zero_like_number(numbers[0]))
        for value in numbers[1:]:
            whole = np.where(True, whole, np.asarray(zero_like_number(value)))
        return whole.dtype
    whole = np.zeros(1, arrays[0].dtype)
    for value in arrays[1:]:
        whole = np.where(True, whole, np.zeros(1, value.dtype))
    for value in numbers:
        whole = np.where(True, whole, zero_like_number(value))
    return whole.dtype


def as_array_or_number(value):
    if isinstance(value, (list, tuple)):
        return np.array(value)
    if is_number(value):
        return value
    return np.asarray(value)


def of_dtype(value, dtype):
    """An array in a dtype, or the one that a number of Python becomes."""
    if is_number(value):
        return held(value, dtype)
    return value.astype(dtype, copy=False)


def numpy_select(condlist, choicelist, default=0):
    if not isinstance(condlist, (list, tuple)) or not isinstance(choicelist, (list, tuple)):
        refuse("conditions and choices must be lists of arrays", "write `np.select([x < 0, x > 1], [a, b], default=c)`")
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if len(condlist) == 0:
        raise ValueError("select with an empty condition list is not possible")
    choices = tuple([as_array_or_number(choice) for choice in choicelist])
    otherwise = as_array_or_number(default)
    dtype = dtype_of_all(choices + (otherwise,))
    result = of_dtype(otherwise, dtype)
    for k in tuple([len(choices) - 1 - k for k in range(len(choices))]):
        condition = as_array_or_number(condlist[k])
        if isinstance(condition, (int, float, complex)) and not isinstance(condition, (bool, np.generic)):
            raise TypeError(f"invalid entry {k} in condlist: should be boolean ndarray")
        if not isinstance(condition, bool):
            if condition.dtype != np.bool_:
                raise TypeError(f"invalid entry {k} in condlist: should be boolean ndarray")
        result = np.where(condition, of_dtype(choices[k], dtype), result)
    return np.asarray(result)


def numpy_choose(a, choices, out=None, mode="raise"):
    if isinstance(choices, (list, tuple)):
        given = tuple([np.asarray(choice) for choice in choices])
        dtype = dtype_of_all(given)
        result = chosen_among(a, tuple([choice.astype(dtype, copy=False) for choice in given]), mode)
    else:
        if choices.ndim == 0:
            refuse("`choices` must be several arrays", "write `np.choose(k, (a, b, c))`")
        result = chosen_of_rows(a, choices, mode)
    if out is None:
        return result[()] if result.ndim == 0 else result
    if result.dtype != out.dtype:
        refuse("the result has another dtype than `out`", "assign it: `out[...] = np.choose(k, (a, b))`")
    if result.shape != out.shape:
        raise ValueError("output array does not have the right shape")
    out[...] = result
    return out


def choice_numbers(a, n, mode):
    if a.dtype.kind not in "biu":
        refuse("the numbers of choices must be integers", "convert them: `a.astype(np.int64)`")
    if n == 0:
        raise ValueError("Need between 1 and 64 array objects (not 0)")
    k = a.astype(np.int64)
    if mode == "wrap":
        return k % n
    if mode == "clip":
        return np.minimum(np.maximum(k, 0), n - 1)
    if np.any((k < 0) | (k >= n)):
        raise ValueError("invalid entry in choice array")
    return k


def chosen_among(a, choices, mode):
    k = choice_numbers(a, len(choices), mode)
    result = np.where(k >= 0, choices[-1], choices[0])
    for number, choice in enumerate(choices[:-1]):
        result = np.where(k == number, choice, result)
    return result


def chosen_of_rows(a, choices, mode):
    n = choices.shape[0]
    k = choice_numbers(a, n, mode)
    result = np.where(k >= 0, choices[0], choices[0])
    for number in range(1, n):
        result = np.where(k == number, choices[number], result)
    return result


def numpy_block(arrays):
    depth = depth_of_lists(arrays, 0)
    return joined_lists(arrays, depth, max(depth, most_axes(arrays, 0)))


def depth_of_lists(value, level):
    if isinstance(value, tuple):
        raise TypeError("arrays is a tuple. Only lists can be used to arrange blocks, and np.block does not allow implicit conversion from tuple to ndarray.")
    if isinstance(value, list):
        if len(value) == 0:
            raise ValueError("List at arrays cannot be empty")
        depth = depth_of_lists(value[0], level + 1)
        for member in value[1:]:
            if depth_of_lists(member, level + 1) != depth:
                raise ValueError("List depths are mismatched.")
        return depth + 1
    return 0


def most_axes(value, level):
    if isinstance(value, list):
        most = 0
        for member in value:
            most = max(most, most_axes(member, level + 1))
        return most
    return np.asarray(value).ndim


def joined_lists(value, depth, ndim):
    """Arrays of lists along the last axes: those of the innermost lists along the last one."""
    if isinstance(value, list):
        parts = tuple([joined_lists(member, depth - 1, ndim) for member in value])
        return np.concatenate(parts, axis=-depth)
    array = np.array(value)
    return array[(None,) * (ndim - array.ndim)]


def joined_by_index(items, is_of_columns):
    """What `np.r_` and `np.c_` make of their indices: arrays one after the other, or vectors as columns."""
    dtype = dtype_of_all(items)
    parts = ()
    for item in items:
        part = of_dtype(item, dtype)
        if part.ndim == 0:
            part = part.reshape(1, 1) if is_of_columns else part.reshape(1)
        elif part.ndim == 1 and is_of_columns:
            part = part[:, None]
        parts = parts + (part,)
    return np.concatenate(parts, axis=-1 if is_of_columns else 0)
