"""Bits of bytes, and tests for numbers that are not finite."""
import numpy as np


def weights_of_bits(bitorder):
    """Exponents of the bits of a byte, in the order in which they stand."""
    return np.arange(7, -1, -1) if bitorder == "big" else np.arange(8)


def of_axis(a, axis):
    """The elements, with the axis last."""
    return a.ravel() if axis is None else np.moveaxis(np.atleast_1d(a), axis, -1)


def as_laid_out(a, rows, axis):
    """Rows along the last axis as an array of the order of `a`, where they are along another axis."""
    moved = np.moveaxis(rows, -1, axis)
    if a.ndim < 2:
        return moved
    result = like_of_shape(a, moved.shape, np.uint8)
    result[...] = moved
    return result


def numpy_packbits(a, axis=None, bitorder="big"):
    if a.dtype.kind == "f" or a.dtype.kind == "c":
        refuse("`a` must be an array of integers or bools", "compare first: `np.packbits(x > 0.5)`")
    rows = of_axis(a, axis)
    n, before = rows.shape[-1], rows.shape[:-1]
    bits = np.zeros(before + ((n + 7) // 8 * 8,), np.uint8)
    bits[..., :n] = rows != 0
    weights = (2 ** weights_of_bits(bitorder)).astype(np.uint8)
    packed = np.sum(bits.reshape(before + ((n + 7) // 8, 8)) * weights, axis=-1, dtype=np.uint8)
    return packed if axis is None else as_laid_out(a, packed, axis)


def numpy_unpackbits(a, axis=None, count=None, bitorder="big"):
    if a.dtype != np.uint8:
        refuse("`a` must be an array of `uint8`", "convert it: `np.unpackbits(x.astype(np.uint8))`")
    rows = of_axis(a, axis)
    n, before = 8 * rows.shape[-1], rows.shape[:-1]
    shifts = weights_of_bits(bitorder).astype(np.uint8)
    bits = (rows[..., None] >> shifts & np.uint8(1)).reshape(before + (n,))
    if count is not None:
        size = count if count >= 0 else n + count
        if size < 0:
            raise ValueError("-count larger than number of elements")
        counted = np.zeros(before + (size,), np.uint8)
        kept = min(size, n)
        counted[..., :kept] = bits[..., :kept]
        return counted if axis is None else as_laid_out(a, counted, axis)
    return bits if axis is None else as_laid_out(a, bits, axis)


def numpy_isposinf(x):
    return x == np.inf


def numpy_isneginf(x):
    return x == -np.inf


def numpy_asarray_chkfinite(a):
    if not np.isfinite(a).all():
        raise ValueError("array must not contain infs or NaNs")
    return np.asarray(a)
