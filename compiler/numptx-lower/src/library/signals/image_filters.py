"""SciPy's filters of images: sums and medians of the neighbours of each element. Source of what lies beyond an array's ends: SciPy's page of `ndimage`."""
import numpy as np


def each_axis(value, n):
    """One value for each axis."""
    if isinstance(value, (list, tuple)):
        if len(value) != n:
            raise RuntimeError("sequence argument must have length equal to input rank")
        return tuple(value)
    return (value,) * n


def source_of_places(k, n, mode):
    """Which element stands at a place that may lie beyond the ends."""
    if mode == "nearest" or mode == "constant" or mode == "grid-constant":
        return np.minimum(np.maximum(k, 0), n - 1)
    if mode == "wrap" or mode == "grid-wrap":
        return k % n
    if mode == "mirror":
        period = max(2 * (n - 1), 1)
        k = k % period
        return np.minimum(k, period - k) if n > 1 else k
    if mode == "reflect" or mode == "grid-mirror":
        k = k % (2 * n)
        return np.minimum(k, 2 * n - 1 - k)
    refuse("`mode` must be `'reflect'`, `'constant'`, `'nearest'`, `'mirror'` or `'wrap'`", "write `mode='nearest'`")


def extended(x, axis, before, after, mode, cval):
    """With so many elements more at both ends of an axis."""
    n = x.shape[axis]
    k = np.arange(-before, n + after)
    wide = np.take(x, source_of_places(k, n, mode), axis=axis, mode="clip")
    if mode == "constant" or mode == "grid-constant":
        is_inside = ((k >= 0) & (k < n)).reshape((1,) * axis + (n + before + after,) + (1,) * (x.ndim - 1 - axis))
        wide = np.where(is_inside, wide, np.full(1, cval, x.dtype))
    return wide


def extended_by(x, sizes, origins, mode, cval):
    """So that a window of these sizes stands around each element."""
    wide = x
    for axis, (n, origin, one) in enumerate(zip(sizes, origins, each_axis(mode, x.ndim))):
        if n // 2 + origin < 0 or n // 2 + origin >= n:
            raise ValueError("invalid origin")
        wide = extended(wide, axis, n // 2 + origin, n - 1 - n // 2 - origin, one, cval)
    return wide


def given_output(input, output):
    """The dtype of results."""
    if output is None:
        return input.dtype
    if isinstance(output, np.ndarray):
        if output.shape != input.shape:
            raise RuntimeError("output shape not correct")
        return checked_output(output.dtype)
    if isinstance(output, (str, int, float, list, tuple)):
        refuse("`output` must be an array or a dtype", "write `output=np.float64`")
    return checked_output(output)


def checked_output(dtype):
    if dtype == np.bool_ or dtype == np.complex64 or dtype == np.complex128:
        refuse("`output` must be of integers or floats", "write `output=np.float64`, and compare the result")
    return dtype


def put_out(result, output):
    if isinstance(output, np.ndarray):
        output[...] = result
        return output
    return result


def weighed_neighbours(input, weights, mode, cval, origins, dtype):
    if weights.ndim != input.ndim:
        refuse("`weights` must have as many axes as `input`", "give them axes: `weights[None, :]`")
    for n, place in zip(weights.shape, origins):
        if n // 2 + place < 0 or n // 2 + place >= n:
            raise ValueError("Invalid origin; origin must satisfy -(weights.shape[k] // 2) <= origin[k] <= (weights.shape[k]-1) // 2")
    wide = extended_by(input.astype(np.float64), weights.shape, origins, mode, cval)
    windows = np.lib.stride_tricks.sliding_window_view(wide, weights.shape)
    # What weighs nothing does not count, even where it is infinite.
    counts = np.abs(weights) > 2.220446049250313e-16
    return np.sum(np.where(counts, windows * weights, 0.0), axis=ends(input.ndim)).astype(dtype)


def scipy_ndimage_correlate(input, weights, output=None, mode="reflect", cval=0.0, origin=0):
    dtype = given_output(input, output)
    result = weighed_neighbours(input, weights.astype(np.float64), mode, cval, each_axis(origin, input.ndim), dtype)
    return put_out(result, output)


def scipy_ndimage_convolve(input, weights, output=None, mode="reflect", cval=0.0, origin=0):
    dtype = given_output(input, output)
    origins = ()
    for place, n in zip(each_axis(origin, input.ndim), weights.shape):
        origins = origins + (-place - (1 - n % 2),)
    result = weighed_neighbours(input, np.flip(weights).astype(np.float64), mode, cval, origins, dtype)
    return put_out(result, output)


def weighed_along(x, axis, weights, origin, mode, cval):
    """Sums of products with weights along one axis, in doubles."""
    n = weights.shape[0]
    wide = extended(x.astype(np.float64), axis, n // 2 + origin, n - 1 - n // 2 - origin, mode, cval)
    return np.sum(np.lib.stride_tricks.sliding_window_view(wide, n, axis=axis) * weights, axis=-1)


def bell(sigma, order, radius):
    """A bell curve, or a derivative of one. Source of the derivatives: the recurrence of Hermite's polynomials, DLMF 18.9."""
    x = np.arange(-radius, radius + 1).astype(np.float64)
    curve = np.exp(-0.5 / (sigma * sigma) * x ** 2)
    curve = curve / np.sum(curve)
    before, factor = np.zeros_like(x), np.ones_like(x)
    for k in range(order):
        before, factor = factor, -(x * factor + k * before) / (sigma * sigma)
    return (factor * curve)[::-1]


def scipy_ndimage_gaussian_filter(input, sigma, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, radius=None):
    dtype = given_output(input, output)
    n = input.ndim
    x = input.astype(dtype)
    for axis, (width, degree, one, reach) in enumerate(zip(each_axis(sigma, n), each_axis(order, n), each_axis(mode, n), each_axis(radius, n))):
        if degree < 0:
            raise ValueError("order must be non-negative")
        deviation = float(width)
        size = int(truncate * deviation + 0.5) if reach is None else reach
        if size < 0:
            raise ValueError("Radius must be a nonnegative integer.")
        if deviation > 1e-15:
            x = weighed_along(x, axis, bell(deviation, degree, size), 0, one, cval).astype(dtype)
    return put_out(x, output)


def scipy_ndimage_uniform_filter(input, size=3, output=None, mode="reflect", cval=0.0, origin=0):
    dtype = given_output(input, output)
    n = input.ndim
    x = input.astype(dtype)
    for axis, (length, one, place) in enumerate(zip(each_axis(size, n), each_axis(mode, n), each_axis(origin, n))):
        width = max(int(length), 1)
        shift = place if width > 1 else 0
        if width // 2 + shift < 0 or width // 2 + shift >= width:
            raise ValueError("invalid origin")
        x = (weighed_along(x, axis, np.ones(width), shift, one, cval) / width).astype(dtype)
    return put_out(x, output)


def scipy_ndimage_median_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0):
    if isinstance(mode, (list, tuple)):
        raise RuntimeError("A sequence of modes is not supported by non-separable rank filters")
    if footprint is None and size is None:
        raise RuntimeError("no footprint or filter size provided")
    dtype = given_output(input, output)
    x = input.astype(dtype)
    n = x.ndim
    if footprint is None:
        sizes = each_axis(size, n)
        places_in = np.arange(product_of_extents(sizes))
    else:
        if footprint.ndim != n:
            refuse("`footprint` must have as many axes as `input`", "give it axes: `footprint[None, :]`")
        sizes = footprint.shape
        places_in = np.flatnonzero(footprint)
    wide = extended_by(x, sizes, each_axis(origin, n), mode, cval)
    result = np.empty(x.shape, x.dtype)
    windows = np.lib.stride_tricks.sliding_window_view(wide, sizes)
    # All windows at once, where they are not too many; else those of one row after the other.
    if n == 1 or x.size * places_in.shape[0] <= 33554432:
        result[...] = middles(windows, places_in, n)
    else:
        for i in range(x.shape[0]):
            result[i] = middles(windows[i], places_in, n)
    return put_out(result, output)


def product_of_extents(extents):
    n = 1
    for extent in extents:
        n = n * extent
    return n


def middles(windows, places_in, n):
    """The upper middle elements of windows, whose n axes are the last ones."""
    count = product_of_extents(windows.shape[windows.ndim - n:])
    flat = windows.reshape(windows.shape[:windows.ndim - n] + (count,))
    return sorted_last(np.take(flat, places_in, axis=-1, mode="clip"))[..., places_in.shape[0] // 2]


def check_size(n, origin, words):
    if n // 2 + origin < 0 or n // 2 + origin >= n:
        raise ValueError(words)


def scipy_ndimage_correlate1d(input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    if weights.shape[0] < 1:
        raise RuntimeError("no filter weights given")
    check_size(weights.shape[0], origin, "Invalid origin; origin must satisfy -(len(weights) // 2) <= origin <= (len(weights)-1) // 2")
    dtype = given_output(input, output)
    k = axis if axis >= 0 else axis + input.ndim
    return put_out(weighed_along(input, k, weights.astype(np.float64), origin, mode, cval).astype(dtype), output)


def scipy_ndimage_convolve1d(input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    return scipy_ndimage_correlate1d(input, weights[::-1], axis, output, mode, cval, -origin - (1 - weights.shape[0] % 2))


def scipy_ndimage_gaussian_filter1d(input, sigma, axis=-1, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, radius=None):
    if order < 0:
        raise ValueError("order must be non-negative")
    deviation = float(sigma)
    size = int(truncate * deviation + 0.5) if radius is None else radius
    if size < 0:
        raise ValueError("Radius must be a nonnegative integer.")
    dtype = given_output(input, output)
    k = axis if axis >= 0 else axis + input.ndim
    return put_out(weighed_along(input, k, bell(deviation, order, size), 0, mode, cval).astype(dtype), output)


def scipy_ndimage_uniform_filter1d(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    if size < 1:
        raise RuntimeError("incorrect filter size")
    check_size(size, origin, "invalid origin")
    dtype = given_output(input, output)
    k = axis if axis >= 0 else axis + input.ndim
    return put_out((weighed_along(input, k, np.ones(size), origin, mode, cval) / size).astype(dtype), output)


def largest_or_smallest(input, size, footprint, output, mode, cval, origin, is_largest):
    if footprint is None and size is None:
        raise RuntimeError("no footprint provided")
    x = input.astype(given_output(input, output))
    n = x.ndim
    sizes = each_axis(size, n) if footprint is None else footprint.shape
    if len(sizes) != n:
        refuse("`footprint` must have as many axes as `input`", "give it axes: `footprint[None, :]`")
    windows = np.lib.stride_tricks.sliding_window_view(extended_by(x, sizes, each_axis(origin, n), mode, cval), sizes)
    if footprint is not None:
        flat = windows.reshape(x.shape + (product_of_extents(sizes),))
        chosen = np.take(flat, np.flatnonzero(footprint), axis=-1, mode="clip")
        return put_out(np.max(chosen, axis=-1) if is_largest else np.min(chosen, axis=-1), output)
    return put_out(np.max(windows, axis=ends(n)) if is_largest else np.min(windows, axis=ends(n)), output)


def scipy_ndimage_maximum_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0):
    return largest_or_smallest(input, size, footprint, output, mode, cval, origin, True)


def scipy_ndimage_minimum_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0):
    return largest_or_smallest(input, size, footprint, output, mode, cval, origin, False)
