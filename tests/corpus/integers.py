"""Integers: floor division, modulo, powers, shifts, bits, wrapping; by zero and by -1."""

import numpy as np


#numptx export divisions(int8[:], int8[:])
#numptx export divisions(int64[:], int64[:])
#numptx export divisions(uint16[:], uint16[:])
#numptx export divisions(float64[:], float64[:])
#numptx export divisions(float32[:], float32[:])
#numptx export divisions(int8[:], float64[:])
#numptx export divisions(int64[:], uint16[:])
# run: divisions(array([7, -7, 7, -7, 0, -128], dtype=int8), array([2, 2, -2, -2, 5, -1], dtype=int8))
# run: divisions(array([7, -7, 7, 0, -2**63], dtype=int64), array([0, 0, -2, 0, -1], dtype=int64))
# run: divisions(array([7, 65535], dtype=uint16), array([0, 2], dtype=uint16))
# run: divisions(array([7, -7.5, 0, inf, 1, -0.0, nan]), array([2, 2, 0, 2, inf, 3, 1]))
# run: divisions(array([7, -7.5, 0, inf, 1, -0.0], dtype=float32), array([2, 2, 0, 2, -inf, -3], dtype=float32))
# run: divisions(array([5.5, -5.5, 5.5, -5.5, 1e300]), array([2, 2, -2, -2, 1e-300]))
# run: divisions(array([7, -7], dtype=int8), array([2.5, 2.5]))
# run: divisions(array([7, -7], dtype=int64), array([2, 3], dtype=uint16))
def divisions(x, y):
    return x // y, x % y, x / y, np.fmod(x, y), np.divmod(x, y)[0]


#numptx export powers(int8[:], int8[:])
#numptx export powers(int64[:], int64[:])
#numptx export powers(uint8[:], uint8[:])
#numptx export powers(float64[:], float64[:])
#numptx export powers(float32[:], int8[:])
# run: powers(array([2, -3, 7, 0], dtype=int8), array([7, 5, 2, 0], dtype=int8))
# run: powers(array([2, -3, 7, 0]), array([62, 39, 2, 0]))
# run: powers(array([2, 1, -1]), array([-1, -3, -2]))
# run: powers(array([2, 3], dtype=uint8), array([9, 5], dtype=uint8))
# run: powers(array([2.0, -8.0, 0.0, 0.0]), array([0.5, 1 / 3, 0.0, -1.0]))
# run: powers(array([2, 3], dtype=float32), array([2, 3], dtype=int8))
def powers(x, y):
    return x**y


#numptx export small_powers(int32[:] or float64[:] or float32[:])
# run: small_powers(array([2, -3, 7, 0], dtype=int32))
# run: small_powers(array([2.5, -3, 7, 0.0, inf, nan]))
# run: small_powers(array([2.5, -3, 7, 0.0, inf, nan], dtype=float32))
def small_powers(x):
    return x**0, x**1, x**2, x**3, x**4, x**5, 2**x, x**0.5, x**2.0, x**-1.0


#numptx export negative_power(int32[:], int)
# run: negative_power(array([2, -3, 7], dtype=int32), 2)
# run: negative_power(array([2, -3, 7], dtype=int32), -1)
def negative_power(x, n):
    return x**n


#numptx export shifts(int32[:], int32[:])
#numptx export shifts(uint8[:], uint8[:])
#numptx export shifts(int64[:], int64[:])
#numptx export shifts(uint8[:], int32[:])
# run: shifts(array([1, -1, 5, -8, 3, 1], dtype=int32), array([3, 3, 31, 1, 32, 33], dtype=int32))
# run: shifts(array([1, 255, 5], dtype=uint8), array([7, 1, 8], dtype=uint8))
# run: shifts(array([1, -255, 5]), array([63, 1, 64]))
# run: shifts(array([1, -255, 5]), array([-1, -2, -64]))
# run: shifts(array([1, 255, 5], dtype=uint8), array([7, 1, 8], dtype=int32))
def shifts(x, y):
    return x << y, x >> y, x & y, x | y, x ^ y, ~x


#numptx export powers_of_ints(int, int)
# run: powers_of_ints(2, 5)
# run: powers_of_ints(-3, 4)
# run: powers_of_ints(0, 1)
# run: powers_of_ints(7, 0)
def powers_of_ints(r, k):
    total = 0
    for i in range(k):
        total += r**i - r ** (k - i - 1)
    return total, r**k, np.zeros(2**k).shape


#numptx export python_integers(int, int)
# run: python_integers(7, 2)
# run: python_integers(-7, 2)
# run: python_integers(7, -2)
# run: python_integers(-7, -2)
# run: python_integers(0, 5)
def python_integers(a, b):
    return (
        a // b,
        a % b,
        a / b,
        a & b,
        a | b,
        a ^ b,
        ~a,
        -a,
        +a,
        abs(a),
        divmod(a, b),
        a < b,
        a == b,
        not a,
        a and b,
        a or b,
    )


#numptx export python_shifts(int, int)
# run: python_shifts(7, 2)
# run: python_shifts(-7, 2)
# run: python_shifts(-7, 70)
# run: python_shifts(7, -1)
# run: python_shifts(0, 70)
def python_shifts(a, b):
    return a >> b, a << min(b, 10)


#numptx export python_powers(int, int)
# run: python_powers(3, 4)
# run: python_powers(-3, 3)
# run: python_powers(0, 0)
# run: python_powers(-2, 63)
def python_powers(a, b):
    return a**2, a**3, a**1, a**0, float(a) ** b, a**2.0


#numptx export python_floats(float, float)
# run: python_floats(7.5, 2.0)
# run: python_floats(-7.5, 2.0)
# run: python_floats(7.5, -2.0)
# run: python_floats(0.0, -2.0)
# run: python_floats(1e308, 1e-308)
# run: python_floats(7.5, 0.0)
# run: python_floats(inf, 2.0)
# run: python_floats(1.0, inf)
# run: python_floats(-1.0, inf)
def python_floats(a, b):
    return a // b, a % b, a / b, a + b, a * b, -a, abs(a), int(b) if b < 1e9 else 0, a < b


#numptx export overflow(int, int)
# run: overflow(-2**62, 2)
# run: overflow(2**31, 2**31)
# run: overflow(2**61, 2)
def overflow(a, b):
    return a * b


#numptx export wraps(int64[:], int32[:], uint8[:])
# run: wraps(array([2**62, -2**63, 2**63 - 1]), array([2**30, -2**31, 2**31 - 1], dtype=int32), array([255, 128, 0], dtype=uint8))
def wraps(x, y, z):
    return x * 2, x - 1, -x, np.abs(x), y + y, y * y, -y, np.negative(z), z - 1, z * z, z + z, np.square(y), abs(y)


#numptx export bools(bool[:], bool[:])
# run: bools(array([True, True, False, False]), array([True, False, True, False]))
def bools(x, y):
    return (
        x & y,
        x | y,
        x ^ y,
        ~x,
        x + y,
        x * y,
        x == y,
        x < y,
        x <= y,
        np.logical_not(x),
        np.logical_and(x, y),
        np.maximum(x, y),
        x / y,
        x // y,
        x**y,
        x % y,
        x << y,
        x + 1,
        x * 2.0,
        x * True,
    )


#numptx export int_to_float(float64[:], float32[:])
# run: int_to_float(array([1.7, -1.7, 0.0, 255.0]), array([2.9, -0.5], dtype=float32))
def int_to_float(x, y):
    return (
        x.astype(np.int64),
        x.astype(np.int32),
        y.astype(np.int8),
        x.astype(bool),
        x.astype(np.float32),
        y.astype(complex),
        x.astype(int).astype(np.uint8),
        x.astype("int16"),
        y.astype(float),
    )


#numptx export limited(int8[:], int, int)
#numptx export limited(uint8[:], int, int)
#numptx export limited(int64[:], int, int)
#numptx export limited(uint64[:], int, int)
#numptx export limited(float32[:], int, int)
# run: limited(array([-128, -3, 0, 5, 127], dtype=int8), 0, 300)
# run: limited(array([-128, -3, 0, 5, 127], dtype=int8), -300, 4)
# run: limited(array([-128, -3, 0, 5, 127], dtype=int8), -300, 300)
# run: limited(array([-128, -3, 0, 5, 127], dtype=int8), 200, 300)
# run: limited(array([-128, -3, 0, 5, 127], dtype=int8), -400, -300)
# run: limited(array([-128, -3, 0, 5, 127], dtype=int8), 5, 2)
# run: limited(array([0, 3, 255], dtype=uint8), -1, 256)
# run: limited(array([0, 3, 255], dtype=uint8), -1, -1)
# run: limited(array([0, 3, 255], dtype=uint8), 256, 300)
# run: limited(array([-2**63, 3, 2**63 - 1]), -2**63, 5)
# run: limited(array([0, 3, 2**64 - 1], dtype=uint64), -5, 2**63 - 1)
# run: limited(array([0, 3, 2**64 - 1], dtype=uint64), -5, -1)
# run: limited(array([-1.5, nan, 2.5], dtype=float32), -1, 300)
# run: limited(zeros(0, dtype=int8), 200, 300)
def limited(x, low, high):
    return np.clip(x, low, high), x.clip(low, None), x.clip(max=high)


#numptx export limited_by_both(int8[:], int64[:], int)
# run: limited_by_both(array([-128, -3, 5], dtype=int8), array([-1, 0, 1]), 300)
# run: limited_by_both(array([-128, -3, 5], dtype=int8), array([-1, 0, 1]), -3)
def limited_by_both(x, low, high):
    return np.clip(x, low, high), np.clip(x, 0.5, high), np.clip(x, low, 300), np.clip(x, -1000, 4)


#numptx export raised_to(uint8[:], int)
#numptx export raised_to(int8[:], int)
#numptx export raised_to(uint64[:], int)
# run: raised_to(array([0, 2, 255], dtype=uint8), 3)
# run: raised_to(array([0, 2, 255], dtype=uint8), -3)
# run: raised_to(array([0, 2, 255], dtype=uint8), 300)
# run: raised_to(array([0, 2, 127], dtype=int8), -1)
# run: raised_to(array([0, 2, 127], dtype=int8), -300)
# run: raised_to(array([0, 2, 127], dtype=int8), 300)
# run: raised_to(array([0, 2, 3], dtype=uint64), -1)
# run: raised_to(zeros(0, dtype=uint8), -1)
# run: raised_to(zeros(0, dtype=int8), -1)
def raised_to(x, n):
    y = x**n
    x **= n
    return y, np.power(x, n)
