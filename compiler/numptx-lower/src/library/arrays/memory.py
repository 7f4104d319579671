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
    size = np.int64(x.nbytes)
    fits, first, last = True, np.int64(0), np.int64(x.itemsize)
    for n, step in zip(shape, strides):
        steps, step = np.int64(n) - 1, np.int64(step)
        # Of what passes no product wraps.
        fits = fits & ((steps == 0) | (step == 0) | ((step >= -size) & (steps <= size // np.maximum(abs(step), 1))))
        first += np.minimum(steps * step, 0)
        last += np.maximum(steps * step, 0)
    return x.flags.forc & fits & (first >= 0) & (last <= size)


def lies_along_axes(x, shape, strides):
    """Whether each axis of the view goes by whole steps along one of the array, and all of them together stay in it."""
    fits, lasts = True, (np.int64(0),) * x.ndim
    for n, step in zip(shape, strides):
        axis, steps = steps_along(x, np.int64(n) - 1, np.int64(step))
        fits = fits & (axis >= 0)
        lasts = tuple([last + steps * (axis == k) for k, last in enumerate(lasts)])
    for last, n in zip(lasts, x.shape):
        fits = fits & (last < n)
    return fits


def steps_along(x, steps, step):
    """The axis of the longest stride of which a step is a multiple, or -1, and how many steps along it these are."""
    axis, stride, n = np.int64(-1), np.int64(0), np.int64(0)
    for k, own in enumerate(x.strides):
        own = np.int64(own)
        is_longer = (x.shape[k] > 1) & (abs(own) > abs(stride)) & (step % own == 0)
        axis = np.int64(k) if is_longer else axis
        stride = own if is_longer else stride
        n = np.int64(x.shape[k]) if is_longer else n
    times = step // stride
    fits = (times > 0) & (steps <= n // np.maximum(times, 1))
    stays = (steps == 0) | (step == 0)
    return np.int64(0) if stays else (axis if fits else np.int64(-1)), np.int64(0) if stays else steps * times


def ndarray_byteswap(a, inplace=False):
    if not isinstance(a, np.ndarray):
        if inplace:
            raise ValueError("cannot byteswap a scalar in-place")
        return swapped_copy(np.asarray(a))[()]
    if inplace:
        swap_elements(a)
        return a
    return swapped_copy(a)


def swapped_copy(a):
    swapped = a.copy(order="A")
    swap_elements(swapped)
    return swapped


def swap_elements(x):
    if x.dtype.kind == "c":
        swap_bytes(x.real)
        swap_bytes(x.imag)
    else:
        swap_bytes(x)


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
