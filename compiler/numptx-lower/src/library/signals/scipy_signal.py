"""SciPy's filters and convolutions. Source of the filter: Oppenheim and Schafer, Discrete-Time Signal Processing, section 6.3."""
import numpy as np


def check_coefficients(b, a):
    if b.shape[0] == 0:
        raise ValueError("Parameter b is not a non-empty 1d array, since b.shape=(0,)!")
    if a.shape[0] == 0:
        raise ValueError("Parameter a is not a non-empty 1d array, since a.shape=(0,)!")
    if a.shape[0] > 1 and a[0] == 0:
        raise ValueError("BUG: filter coefficient a[0] == 0 not supported yet")


def filled_to(c, n):
    """With zeros behind the last one of n coefficients."""
    result = np.zeros(n, c.dtype)
    result[:c.shape[0]] = c
    return result


def dtype_of_filter(arrays):
    whole = arrays[0].dtype
    for x in arrays[1:]:
        whole = common_dtype(np.zeros(1, whole), x)
    return whole


def scipy_signal_lfilter(b, a, x, axis=-1, zi=None):
    b, a = as_vector(b), as_vector(a)
    dtype = dtype_of_filter((b, a, x) if zi is None else (b, a, x, zi))
    if dtype.kind != "f" and dtype.kind != "c":
        refuse("filters of integers are not computed", "convert the signal: `x.astype(np.float64)`")
    check_coefficients(b, a)
    order = max(b.shape[0], a.shape[0]) - 1
    forward = filled_to(b.astype(dtype) / a.astype(dtype)[0], order + 1)
    backward = filled_to(a.astype(dtype) / a.astype(dtype)[0], order + 1)
    moved = np.moveaxis(x, axis, -1)
    n = moved.shape[-1]
    n_rows = rows_before(moved)
    rows = np.zeros((n_rows, order + n), dtype)
    rows[:, order:] = moved.reshape(n_rows, n)
    y = np.sum(np.lib.stride_tricks.sliding_window_view(rows, order + 1, axis=1) * forward[::-1], axis=-1)
    if zi is not None:
        start = np.moveaxis(zi, axis, -1)
        if start.shape[-1] != order or zi.ndim != x.ndim:
            raise ValueError("Unexpected shape for parameter zi")
        state = np.broadcast_to(start, moved.shape[:-1] + (order,)).reshape(n_rows, order).astype(dtype)
        first = min(n, order)
        y[:, :first] += state[:, :first]
    if a.shape[0] > 1:
        fed_back(y, backward)
    result = np.empty(x.shape, dtype)
    np.moveaxis(result, axis, -1)[...] = y.reshape(moved.shape)
    if zi is None:
        return result
    final = np.zeros((n_rows, order), dtype)
    final[:, :max(order - n, 0)] = state[:, n:]
    left_over(final, rows, y, forward, backward)
    shape = moved.shape[:-1] + (order,)
    return result, np.ascontiguousarray(np.moveaxis(final.reshape(shape), -1, axis))


def rows_before(x):
    n = 1
    for extent in x.shape[:-1]:
        n = n * extent
    return n


def fed_back(y, backward):
    """What the outputs before give to each one: in order."""
    order = backward.shape[0] - 1
    for i in range(y.shape[0]):
        for t in range(y.shape[1]):
            value = y[i, t]
            for k in range(1, min(t, order) + 1):
                value -= backward[k] * y[i, t - k]
            y[i, t] = value


def left_over(final, rows, y, forward, backward):
    """What inputs and outputs so far give to the outputs to come."""
    order, n = forward.shape[0] - 1, y.shape[1]
    for m in range(order):
        for k in range(m + 1, order + 1):
            # The inputs have zeros before them.
            final[:, m] += forward[k] * rows[:, order + n + m - k]
            if n + m - k >= 0:
                final[:, m] -= backward[k] * y[:, n + m - k]


def inner(x, starts, extents):
    """A part of an array, so many elements along each axis."""
    part = x
    for axis, start, n in zip(ends(x.ndim), starts, extents):
        part = np.moveaxis(np.moveaxis(part, axis, 0)[start:start + n], 0, axis)
    return part


def parts_of_sums(s, t, mode):
    """Where the wanted part of all sums of products begins along each axis, and how long it is; s and t are the shapes of both arrays."""
    starts, extents = (), ()
    if mode == "valid":
        holds, is_held = True, True
        for n, m in zip(s, t):
            holds = holds and n >= m
            is_held = is_held and m >= n
        if not (holds or is_held):
            raise ValueError("For 'valid' mode, one must be at least as large as the other in every dimension")
    for n, m in zip(s, t):
        if mode == "full":
            starts, extents = starts + (0,), extents + (n + m - 1,)
        elif mode == "same":
            starts, extents = starts + ((m - 1) // 2,), extents + (n,)
        else:
            starts, extents = starts + (min(n, m) - 1,), extents + (abs(n - m) + 1,)
    return starts, extents


def direct_sums(x, v, starts, extents):
    """Of arrays of one dtype."""
    if v.size > x.size:
        x, v = v, x
    before = tuple([m - 1 for m in v.shape])
    shape = tuple([n + 2 * (m - 1) for n, m in zip(x.shape, v.shape)])
    wanted = tuple([n + m - 1 for n, m in zip(extents, v.shape)])
    padded, is_inside = np.zeros(shape, x.dtype), np.zeros(shape, np.bool_)
    inner(padded, before, x.shape)[...] = x
    inner(is_inside, before, x.shape)[...] = True
    windows = np.lib.stride_tricks.sliding_window_view(inner(padded, starts, wanted), v.shape)
    counts = np.lib.stride_tricks.sliding_window_view(inner(is_inside, starts, wanted), v.shape)
    # What stands beside nothing does not count, even where it is infinite.
    return np.sum(np.where(counts, windows * np.flip(v), np.zeros(1, x.dtype)), axis=ends(v.ndim), dtype=x.dtype)


def good_length(n):
    """A length not much above n that transforms well."""
    length = 1
    while length < n:
        length = 2 * length
    if length >= 8 and length // 8 * 5 >= n:
        length = length // 8 * 5
    elif length >= 4 and length // 4 * 3 >= n:
        length = length // 4 * 3
    return length


def sums_by_transforms(x, v, starts, extents):
    lengths = ()
    for n, m in zip(x.shape, v.shape):
        lengths = lengths + (good_length(n + m - 1),)
    if x.dtype.kind == "c" or v.dtype.kind == "c":
        product = numpy_fft_ifftn(numpy_fft_fftn(x, lengths) * numpy_fft_fftn(v, lengths), lengths)
    else:
        product = numpy_fft_irfftn(numpy_fft_rfftn(x, lengths) * numpy_fft_rfftn(v, lengths), lengths)
    return inner(product, starts, extents).copy()


def check_factors(in1, in2):
    if in1.ndim != in2.ndim:
        refuse("both arrays must have the same number of axes", "give them axes: `v[None, :]`")
    if in1.size == 0 or in2.size == 0:
        raise NotImplementedError("a convolution of no elements: test `x.size` first")


def scipy_signal_convolve(in1, in2, mode="full", method="auto"):
    check_factors(in1, in2)
    dtype = common_dtype(in1, in2)
    if dtype.kind == "b":
        refuse("convolutions of bools are not computed", "count them as integers: `x.astype(np.int64)`")
    x, v = in1.astype(dtype), in2.astype(dtype)
    starts, extents = parts_of_sums(x.shape, v.shape, mode)
    if method == "direct" or method == "auto" and dtype.kind in "iu":
        return direct_sums(x, v, starts, extents)
    if method == "fft":
        sums = sums_by_transforms(x, v, starts, extents)
        return np.rint(sums).astype(dtype) if dtype.kind in "iu" else sums
    if min(x.size, v.size) <= 128:
        result = direct_sums(x, v, starts, extents)
    else:
        result = sums_by_transforms(x, v, starts, extents)
    return result


def scipy_signal_fftconvolve(in1, in2, mode="full"):
    check_factors(in1, in2)
    starts, extents = parts_of_sums(in1.shape, in2.shape, mode)
    return sums_by_transforms(in1, in2, starts, extents)


def scipy_signal_correlate(in1, in2, mode="full", method="auto"):
    return scipy_signal_convolve(in1, np.conjugate(np.flip(in2)), mode, method)
