"""Promotion of every pair of dtypes, and of arrays with weak Python scalars."""

import numpy as np


#numptx export pair(bool[:] or int8[:] or uint8[:] or int32[:] or uint64[:] or float32[:] or complex64[:], bool[:] or int8[:] or uint8[:] or int16[:] or int64[:] or uint32[:] or float32[:] or float64[:] or complex64[:] or complex128[:])
# run: pair(random(5) < 0.5, random(5) < 0.5)
# run: pair(random(5) < 0.5, integers(0, 100, 5, dtype=int8))
# run: pair(random(5) < 0.5, integers(0, 100, 5, dtype=uint8))
# run: pair(random(5) < 0.5, integers(0, 100, 5, dtype=int16))
# run: pair(random(5) < 0.5, integers(0, 100, 5, dtype=int64))
# run: pair(random(5) < 0.5, integers(0, 100, 5, dtype=uint32))
# run: pair(random(5) < 0.5, random(5, dtype=float32))
# run: pair(random(5) < 0.5, random(5, dtype=float64))
# run: pair(random(5) < 0.5, random(5, dtype=complex64))
# run: pair(random(5) < 0.5, random(5, dtype=complex128))
# run: pair(integers(0, 100, 5, dtype=int8), random(5) < 0.5)
# run: pair(integers(0, 100, 5, dtype=int8), integers(0, 100, 5, dtype=int8))
# run: pair(integers(0, 100, 5, dtype=int8), integers(0, 100, 5, dtype=uint8))
# run: pair(integers(0, 100, 5, dtype=int8), integers(0, 100, 5, dtype=int16))
# run: pair(integers(0, 100, 5, dtype=int8), integers(0, 100, 5, dtype=int64))
# run: pair(integers(0, 100, 5, dtype=int8), integers(0, 100, 5, dtype=uint32))
# run: pair(integers(0, 100, 5, dtype=int8), random(5, dtype=float32))
# run: pair(integers(0, 100, 5, dtype=int8), random(5, dtype=float64))
# run: pair(integers(0, 100, 5, dtype=int8), random(5, dtype=complex64))
# run: pair(integers(0, 100, 5, dtype=int8), random(5, dtype=complex128))
# run: pair(integers(0, 100, 5, dtype=uint8), random(5) < 0.5)
# run: pair(integers(0, 100, 5, dtype=uint8), integers(0, 100, 5, dtype=int8))
# run: pair(integers(0, 100, 5, dtype=uint8), integers(0, 100, 5, dtype=uint8))
# run: pair(integers(0, 100, 5, dtype=uint8), integers(0, 100, 5, dtype=int16))
# run: pair(integers(0, 100, 5, dtype=uint8), integers(0, 100, 5, dtype=int64))
# run: pair(integers(0, 100, 5, dtype=uint8), integers(0, 100, 5, dtype=uint32))
# run: pair(integers(0, 100, 5, dtype=uint8), random(5, dtype=float32))
# run: pair(integers(0, 100, 5, dtype=uint8), random(5, dtype=float64))
# run: pair(integers(0, 100, 5, dtype=uint8), random(5, dtype=complex64))
# run: pair(integers(0, 100, 5, dtype=uint8), random(5, dtype=complex128))
# run: pair(integers(0, 100, 5, dtype=int32), random(5) < 0.5)
# run: pair(integers(0, 100, 5, dtype=int32), integers(0, 100, 5, dtype=int8))
# run: pair(integers(0, 100, 5, dtype=int32), integers(0, 100, 5, dtype=uint8))
# run: pair(integers(0, 100, 5, dtype=int32), integers(0, 100, 5, dtype=int16))
# run: pair(integers(0, 100, 5, dtype=int32), integers(0, 100, 5, dtype=int64))
# run: pair(integers(0, 100, 5, dtype=int32), integers(0, 100, 5, dtype=uint32))
# run: pair(integers(0, 100, 5, dtype=int32), random(5, dtype=float32))
# run: pair(integers(0, 100, 5, dtype=int32), random(5, dtype=float64))
# run: pair(integers(0, 100, 5, dtype=int32), random(5, dtype=complex64))
# run: pair(integers(0, 100, 5, dtype=int32), random(5, dtype=complex128))
# run: pair(integers(0, 100, 5, dtype=uint64), random(5) < 0.5)
# run: pair(integers(0, 100, 5, dtype=uint64), integers(0, 100, 5, dtype=int8))
# run: pair(integers(0, 100, 5, dtype=uint64), integers(0, 100, 5, dtype=uint8))
# run: pair(integers(0, 100, 5, dtype=uint64), integers(0, 100, 5, dtype=int16))
# run: pair(integers(0, 100, 5, dtype=uint64), integers(0, 100, 5, dtype=int64))
# run: pair(integers(0, 100, 5, dtype=uint64), integers(0, 100, 5, dtype=uint32))
# run: pair(integers(0, 100, 5, dtype=uint64), random(5, dtype=float32))
# run: pair(integers(0, 100, 5, dtype=uint64), random(5, dtype=float64))
# run: pair(integers(0, 100, 5, dtype=uint64), random(5, dtype=complex64))
# run: pair(integers(0, 100, 5, dtype=uint64), random(5, dtype=complex128))
# run: pair(random(5, dtype=float32), random(5) < 0.5)
# run: pair(random(5, dtype=float32), integers(0, 100, 5, dtype=int8))
# run: pair(random(5, dtype=float32), integers(0, 100, 5, dtype=uint8))
# run: pair(random(5, dtype=float32), integers(0, 100, 5, dtype=int16))
# run: pair(random(5, dtype=float32), integers(0, 100, 5, dtype=int64))
# run: pair(random(5, dtype=float32), integers(0, 100, 5, dtype=uint32))
# run: pair(random(5, dtype=float32), random(5, dtype=float32))
# run: pair(random(5, dtype=float32), random(5, dtype=float64))
# run: pair(random(5, dtype=float32), random(5, dtype=complex64))
# run: pair(random(5, dtype=float32), random(5, dtype=complex128))
# run: pair(random(5, dtype=complex64), random(5) < 0.5)
# run: pair(random(5, dtype=complex64), integers(0, 100, 5, dtype=int8))
# run: pair(random(5, dtype=complex64), integers(0, 100, 5, dtype=uint8))
# run: pair(random(5, dtype=complex64), integers(0, 100, 5, dtype=int16))
# run: pair(random(5, dtype=complex64), integers(0, 100, 5, dtype=int64))
# run: pair(random(5, dtype=complex64), integers(0, 100, 5, dtype=uint32))
# run: pair(random(5, dtype=complex64), random(5, dtype=float32))
# run: pair(random(5, dtype=complex64), random(5, dtype=float64))
# run: pair(random(5, dtype=complex64), random(5, dtype=complex64))
# run: pair(random(5, dtype=complex64), random(5, dtype=complex128))
def pair(x, y):
    return x + y, x == y


#numptx export weak(int8[:] or uint8[:] or int64[:] or uint64[:] or float32[:] or float64[:] or complex64[:], int, float)
# run: weak(array([1, 2, 3], dtype=int8), 3, 0.5)
# run: weak(array([1, 2, 3], dtype=uint8), 3, 0.5)
# run: weak(array([1, 2, 3], dtype=int64), 3, 0.5)
# run: weak(array([1, 2, 3], dtype=uint64), 3, 0.5)
# run: weak(array([1, 2, 3], dtype=float32), 3, 0.1)
# run: weak(array([1, 2, 3], dtype=float64), 3, 0.1)
# run: weak(array([1, 2, 3], dtype=complex64), 3, 0.1)
def weak(x, n, f):
    return x + n, n - x, x * f, f + x, x + 1, 2 * x, x / 2, x / n, x + True, 1.5 - x, x * 1j, x**2


#numptx export weak_range(int8[:] or uint8[:], int)
# run: weak_range(array([1, 2, 3], dtype=int8), 127)
# run: weak_range(array([1, 2, 3], dtype=int8), 128)
# run: weak_range(array([1, 2, 3], dtype=uint8), -1)
# run: weak_range(array([1, 2, 3], dtype=uint8), 255)
# run: weak_range(array([], dtype=uint8), 256)
def weak_range(x, n):
    return x + n


#numptx export weak_compare(uint8[:] or int8[:] or uint64[:] or int64[:], int)
# run: weak_compare(array([1, 2, 255], dtype=uint8), -1)
# run: weak_compare(array([1, 2, 255], dtype=uint8), 300)
# run: weak_compare(array([1, 2, 127], dtype=int8), 128)
# run: weak_compare(array([1, 2, 127], dtype=int8), -129)
# run: weak_compare(array([1, 2, 127], dtype=uint64), -1)
# run: weak_compare(array([-1, 2, 127], dtype=int64), 1)
def weak_compare(x, n):
    return x == n, x < n, n <= x, x != n, x > n


#numptx export mixed_compare(int64[:], uint64[:])
# run: mixed_compare(array([-1, 2, 3]), array([2**64 - 1, 2, 4], dtype=uint64))
def mixed_compare(x, y):
    return x == y, x < y, x >= y, y > x, x != y


#numptx export numpy_scalars(float32[:], float64[:], int32[:])
# run: numpy_scalars(random(4, dtype=float32), random(4), integers(-9, 9, 4, dtype=int32))
def numpy_scalars(x, y, z):
    return (
        x + y[0],
        x[0] + y,
        x * x[1],
        z + z[0],
        z[1] * x,
        x[0] + 1,
        z[0] / 2,
        x[0] * 0.1,
        z[0] + y[1],
        np.float32(0.1) * y,
        np.int8(3) * z,
        np.float64(2) * x,
    )


#numptx export numpy_scalar_arithmetic(int32[:], uint8[:], float32[:], bool[:])
# run: numpy_scalar_arithmetic(array([7, -2, 3], dtype=int32), array([200, 100, 3], dtype=uint8), array([0.1, 7, 2], dtype=float32), array([True, False, True]))
def numpy_scalar_arithmetic(x, y, z, b):
    return (
        x[0] // x[1],
        x[0] % x[1],
        y[0] + y[1],
        y[1] - y[0],
        x[0] / x[1],
        z[1] // z[2],
        b[0] + b[1],
        b[0] & b[2],
        -x[0],
        ~y[0],
        abs(x[1]),
        x[0] ** 2,
        z[0] ** 2,
        x[0] << 2,
        y[0] >> 1,
        -z[0],
        x[0] + y[0],
        y[0] * z[0],
    )


#numptx export literals(float32[:])
# run: literals(random(5, dtype=float32))
def literals(x):
    half = 0.5
    three = 3
    z = x * half + three
    w = x + np.pi
    v = x * np.e - np.inf
    return z, w, v, x + np.nan, x * (1 / 3), x - -0.0, x * 1e300, x + 2**40
