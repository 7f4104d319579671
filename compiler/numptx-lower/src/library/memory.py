"""Other views of an array's memory: extents and strides of the caller's, bytes in reverse."""
import numpy as np


def numpy_lib_stride_tricks_as_strided(x, shape=None, strides=None, writeable=True):
    if shape is None:
        shape = x.shape
    if strides is None:
        strides = x.strides
    if not isinstance(shape, (tuple, list)) or not isinstance(strides, (tuple, list)):
        refuse("`shape` and `strides` are tuples of ints", "write `as_strided(x, (n,), (8,))`")
    if len(shape) != len(strides):
        raise ValueError("mismatch in length of strides and shape")
    for n in shape:
        if n < 0:
            raise ValueError("negative dimensions are not allowed")
    if not has_no_elements(shape) and not lies_in_block(x, shape, strides) and not lies_along_axes(x, shape, strides):
        raise ValueError("as_strided: the view would reach beyond the elements of the array")
    return strided(x, shape, strides)


def has_no_elements(shape):
    found = False
    for n in shape:
        found = found or n == 0
    return found


def lies_in_block(x, shape, strides):
    """Whether the array has no gaps, and the view's bytes are among its."""
    if not x.flags.c_contiguous and not x.flags.f_contiguous:
        return False
    first, last = 0, x.itemsize
    for n, step in zip(shape, strides):
        first = first + min((n - 1) * step, 0)
        last = last + max((n - 1) * step, 0)
    return first >= 0 and last <= x.nbytes


def lies_along_axes(x, shape, strides):
    """Whether each axis of the view goes by whole steps along one of the array, and all of them together stay in it."""
    fits = x.size > 0
    for n, step in zip(shape, strides):
        fits = fits and (n == 1 or step == 0 or axis_along(x, step) >= 0)
    for axis, own in enumerate(x.strides):
        steps = 0
        for n, step in zip(shape, strides):
            if n > 1 and step != 0 and axis_along(x, step) == axis:
                steps = steps + (n - 1) * (step // own)
                fits = fits and step // own > 0
        fits = fits and steps < x.shape[axis]
    return fits


def axis_along(x, step):
    """The axis of the longest stride of which a step is a multiple, or -1."""
    found, longest = -1, 0
    for axis, own in enumerate(x.strides):
        if x.shape[axis] > 1 and abs(own) > longest and step % max(abs(own), 1) == 0:
            found, longest = axis, abs(own)
    return found


def ndarray_byteswap(a, inplace=False):
    if not isinstance(a, np.ndarray):
        if inplace:
            raise ValueError("cannot byteswap a scalar in-place")
        return ndarray_byteswap(np.asarray(a))[()]
    swapped = a if inplace else a.copy(order="A")
    if swapped.dtype.kind == "c":
        swap_bytes(swapped.real)
        swap_bytes(swapped.imag)
    else:
        swap_bytes(swapped)
    return swapped


def swap_bytes(x):
    if x.itemsize == 2:
        bits = x.view(np.uint16)
        bits[...] = bits >> 8 | bits << 8
    elif x.itemsize == 4:
        bits = x.view(np.uint32)
        pairs = bits >> 8 & 0x00FF00FF | (bits & 0x00FF00FF) << 8
        bits[...] = pairs >> 16 | pairs << 16
    elif x.itemsize == 8:
        bits = x.view(np.uint64)
        pairs = bits >> 8 & 0x00FF00FF00FF00FF | (bits & 0x00FF00FF00FF00FF) << 8
        fours = pairs >> 16 & 0x0000FFFF0000FFFF | (pairs & 0x0000FFFF0000FFFF) << 16
        bits[...] = fours >> 32 | fours << 32
