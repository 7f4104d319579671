"""Discrete Fourier transforms. Routines of the runtime compute them along the last axes of views; what stands here is NumPy's around them: lengths, dtypes, orders
of memory, factors, outputs."""
import numpy as np


def complex_of(a):
    """The dtype of an array's transform."""
    if a.dtype == np.float32 or a.dtype == np.complex64:
        return np.complex64
    return np.complex128


def real_of(a):
    if a.dtype == np.float32 or a.dtype == np.complex64:
        return np.float32
    return np.float64


def ends(n):
    """The last n axes."""
    return (-16, -15, -14, -13, -12, -11, -10, -9, -8, -7, -6, -5, -4, -3, -2, -1)[16 - n:]


def moved(a, axes):
    """A view with these axes last."""
    return np.moveaxis(a, axes, ends(len(axes)))


def given_axes(a, s, axes):
    """The axes as a tuple: all, or as many last ones as there are lengths, where they are not given."""
    if axes is None:
        axes = ends(a.ndim if s is None else len(s))
    elif isinstance(axes, (tuple, list)):
        axes = tuple(axes)
    else:
        axes = (axes,)
    for axis in axes:
        if axis < -a.ndim or axis >= a.ndim:
            refuse("there are fewer axes", "along one axis `np.fft.fft` transforms")
    return axes


def given_lengths(a, s, axes, is_halved):
    """How many elements transforms have along each of the axes. `is_halved`: there are the first half of them along the last one."""
    if s is None:
        extents = tuple([a.shape[axis] for axis in axes])
        if is_halved:
            extents = extents[:-1] + (2 * (extents[-1] - 1),)
    else:
        if not isinstance(s, (tuple, list)):
            refuse("`s` must be a tuple of ints", "write it as a tuple: `s=(8, 16)`; a single length is `n` of `np.fft.fft`")
        if len(s) != len(axes):
            raise ValueError("Shape and axes have different lengths.")
        extents = ()
        for n, axis in zip(s, axes):
            extents = extents + (given_length(n, a.shape[axis]),)
    for n in extents:
        if n < 1:
            raise ValueError(f"Invalid number of FFT data points ({n}) specified.")
    return extents


def given_length(n, extent):
    if n is None:
        return extent
    return extent if n == -1 else n


def cut(x, axis, n):
    return np.moveaxis(np.moveaxis(x, axis, 0)[:n], 0, axis)


def fitted(x, extents, dtype):
    """So many elements along the last axes, with zeros behind those that there are."""
    part, is_short = x, False
    for axis, n in zip(ends(len(extents)), extents):
        is_short = is_short or x.shape[axis] < n
        part = cut(part, axis, n)
    if x.dtype == dtype:
        if not is_short:
            return part
    padded = np.zeros(x.shape[:x.ndim - len(extents)] + extents, dtype)
    within = padded
    for axis, n in zip(ends(len(extents)), extents):
        within = cut(within, axis, min(n, x.shape[axis]))
    within[...] = part
    return padded


def source_of(a, s, axes, extents, dtype):
    """What is transformed, along the last axes."""
    x = moved(a, axes)
    if s is not None:
        return fitted(x, extents, dtype)
    return x if x.dtype == dtype else x.astype(dtype)


def like(a, axes, extents, dtype):
    """A new array with other extents along axes, in the order in which the old one lies."""
    shape = a.shape
    for axis, n in zip(axes, extents):
        k = axis if axis >= 0 else axis + len(shape)
        shape = shape[:k] + (n,) + shape[k + 1:]
    return np.empty_like(a, dtype=dtype, shape=shape)


def run_transforms(y, x, n_axes, is_inverse):
    """Transforms along the last axes, up to three at a time, and further ones in place."""
    flags = 16 if is_inverse else 0
    if n_axes <= 3:
        routine("fft", 256 * n_axes + flags, y, x)
        return
    routine("fft", 256 * 3 + flags, y, x)
    rest = np.moveaxis(y, (-3, -2, -1), (0, 1, 2))
    run_transforms(rest, rest, n_axes - 3, is_inverse)


def scale(y, extents, norm, is_inverse):
    count = 1.0
    for n in extents:
        count = count * n
    if norm is not None and norm == "ortho":
        y *= float(1.0 / np.sqrt(count))
    elif is_inverse != (norm is not None and norm == "forward"):
        y *= 1.0 / count


def check_output(out, shape):
    if out is not None and out.shape != shape:
        raise ValueError("output array has wrong shape.")


def written(y, out):
    if out is None:
        return y
    if y.dtype.kind == "c" and out.dtype.kind != "c" or out.dtype.kind in "iub":
        refuse("the result cannot be cast to the dtype of `out`", "make it of the result's dtype: `np.empty(n, np.complex128)`")
    out[...] = y
    return out


def transformed(a, s, axes, norm, out, is_inverse):
    axes = given_axes(a, s, axes)
    if len(axes) == 0:
        refuse("there are no axes to transform along", "name one: `axes=(-1,)`")
    extents = given_lengths(a, s, axes, False)
    x = source_of(a, s, axes, extents, complex_of(a))
    y = like(a, axes, extents, complex_of(a))
    check_output(out, y.shape)
    run_transforms(moved(y, axes), x, len(axes), is_inverse)
    scale(y, extents, norm, is_inverse)
    return written(y, out)


def half_transformed(a, s, axes, norm, out):
    """Of real numbers: half of the transform along the last axis is all."""
    axes = given_axes(a, s, axes)
    if len(axes) == 0:
        refuse("there are no axes to transform along", "name one: `axes=(-1,)`")
    extents = given_lengths(a, s, axes, False)
    x = source_of(a, s, axes, extents, real_of(a))
    y = like(a, axes, extents[:-1] + (extents[-1] // 2 + 1,), complex_of(a))
    check_output(out, y.shape)
    routine("rfft", 256, moved(y, axes), x)
    if len(axes) > 1:
        rest = moved(y, axes[:-1])
        run_transforms(rest, rest, len(axes) - 1, False)
    scale(y, extents, norm, False)
    return written(y, out)


def half_restored(a, s, axes, norm, out):
    axes = given_axes(a, s, axes)
    if len(axes) == 0:
        refuse("there are no axes to transform along", "name one: `axes=(-1,)`")
    extents = given_lengths(a, s, axes, True)
    n = len(axes)
    halves = extents[:-1] + (extents[-1] // 2 + 1,)
    if s is None:
        x = source_of(a, s, axes, halves, complex_of(a))
    else:
        x = fitted(moved(a, axes), halves, complex_of(a))
    y = like(a, axes, extents, real_of(a))
    check_output(out, y.shape)
    if n > 1:
        between = np.empty(x.shape, complex_of(a))
        run_transforms(np.moveaxis(between, -1, -n), np.moveaxis(x, -1, -n), n - 1, True)
        routine("irfft", 256, moved(y, axes), between)
    else:
        routine("irfft", 256, moved(y, axes), x)
    scale(y, extents, norm, True)
    return written(y, out)


def one_length(n):
    return None if n is None else (n,)


def numpy_fft_fft(a, n=None, axis=-1, norm=None, out=None):
    return transformed(a, one_length(n), (axis,), norm, out, False)


def numpy_fft_ifft(a, n=None, axis=-1, norm=None, out=None):
    return transformed(a, one_length(n), (axis,), norm, out, True)


def numpy_fft_fft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    return transformed(a, s, axes, norm, out, False)


def numpy_fft_ifft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    return transformed(a, s, axes, norm, out, True)


def numpy_fft_fftn(a, s=None, axes=None, norm=None, out=None):
    return transformed(a, s, axes, norm, out, False)


def numpy_fft_ifftn(a, s=None, axes=None, norm=None, out=None):
    return transformed(a, s, axes, norm, out, True)


def numpy_fft_rfft(a, n=None, axis=-1, norm=None, out=None):
    return half_transformed(a, one_length(n), (axis,), norm, out)


def numpy_fft_rfft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    return half_transformed(a, s, axes, norm, out)


def numpy_fft_rfftn(a, s=None, axes=None, norm=None, out=None):
    return half_transformed(a, s, axes, norm, out)


def numpy_fft_irfft(a, n=None, axis=-1, norm=None, out=None):
    return half_restored(a, one_length(n), (axis,), norm, out)


def numpy_fft_irfft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    return half_restored(a, s, axes, norm, out)


def numpy_fft_irfftn(a, s=None, axes=None, norm=None, out=None):
    return half_restored(a, s, axes, norm, out)


def opposite(norm):
    """The norm of the transform in the other direction."""
    if norm is None or norm == "backward":
        return "forward"
    return "backward" if norm == "forward" else "ortho"


def numpy_fft_hfft(a, n=None, axis=-1, norm=None, out=None):
    conjugate = np.conjugate(a) if a.dtype.kind == "c" else a
    return half_restored(conjugate, one_length(n), (axis,), opposite(norm), out)


def numpy_fft_ihfft(a, n=None, axis=-1, norm=None, out=None):
    y = half_transformed(a, one_length(n), (axis,), opposite(norm), None)
    check_output(out, y.shape)
    np.conjugate(y, out=y)
    return written(y, out)


def numpy_fft_fftfreq(n, d=1.0):
    if n < 0:
        raise ValueError("negative dimensions are not allowed")
    value = 1.0 / (n * d)
    k = np.arange(n)
    return np.where(k < (n - 1) // 2 + 1, k, k - n) * value


def numpy_fft_rfftfreq(n, d=1.0):
    value = 1.0 / (n * d)
    return np.arange(0, n // 2 + 1) * value


def numpy_fft_fftshift(x, axes=None):
    axes = given_axes(x, None, axes)
    return np.roll(x, tuple([x.shape[axis] // 2 for axis in axes]), axes)


def numpy_fft_ifftshift(x, axes=None):
    axes = given_axes(x, None, axes)
    return np.roll(x, tuple([-(x.shape[axis] // 2) for axis in axes]), axes)
