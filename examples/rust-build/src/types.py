"""One function for each sort of parameter and result."""

import numpy as np


#numptx export negate(bool, int8, uint16, int64, uint64, float32, float64, complex64, complex128)
def negate(a, b, c, d, e, f, g, h, type):
    """Scalars of every kind: Rust's own types, and `num_complex::Complex`."""
    return not a, -b, c + c, -d, e, -f, -g, -h, -type


#numptx export total(float64[:])
#numptx export total(int32[:])
#numptx export total(complex64[:,:])
def total(x):
    """Overloads are `total_f64_1d`, which is `total` too, `total_i32_1d` and `total_c64_2d`."""
    return np.sum(x)


#numptx export turned(int32[:,:])
def turned(x):
    """A view with negative strides."""
    return x[::-1, ::-1]


#numptx export widened(float64[:], int)
def widened(x, n):
    """A view whose rows are all the same memory."""
    return np.broadcast_to(x, (n, x.size))


#numptx export beyond(float64[:])
def beyond(x):
    """A view without elements."""
    return x[x.size :]


#numptx export halves((float64[:], float64[:]), float64)
def halves(pair, factor):
    """A tuple of arrays comes as two parameters, `pair_0` and `pair_1`, and one goes back as a tuple.

        halves((x, y), 0.5)  # indented lines of a docstring are no Rust
    """
    return pair[0] * factor, pair[1] * factor


#numptx export rgb(uint8[:,3])
def rgb(pixels):
    """The number of channels is fixed."""
    return pixels[:, 0] | pixels[:, 1] | pixels[:, 2]


#numptx export columns(float64[:,:] order(F))
def columns(x):
    """The memory order is part of the contract."""
    return x + 1.0


#numptx export deep(float32[:,:,:,:,:,:,:])
def deep(x):
    """More axes than `ndarray` has a type for."""
    return -x


#numptx export both(int64[:], int64[:])
def both(x, y):
    """Writes its first argument, reads its second."""
    x += y
    return x


#numptx export nothing(int64[:], int)
def nothing(x, i):
    """Gives `()`."""
    x[i] = 0


#numptx export twice(float64[:])
def twice(x):
    """An array and a view of it."""
    y = x + x
    return y, y[1:]


#numptx export backwards(float64[:,:])
def backwards(x):
    """A new array with strides of its own."""
    y = x + 1.0
    return y.T, y[::-1]


#numptx export ranked(float64[:])
def ranked(x):
    """Arrays of several types."""
    return x * 2.0, x > 1.0, x.astype(np.float32)


#numptx export chosen(float64[:], float64[:], bool)
def chosen(x, y, first):
    """A view of either argument, or an array of its own."""
    if first:
        return x[1:]
    return y * 1.0


#numptx export count()
def count():
    """Takes nothing, gives an array of its own."""
    return np.arange(4)
