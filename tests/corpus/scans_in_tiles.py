"""Running values of rows that a device runs through in tiles: lengths around their borders, every dtype, layouts that are not aligned, and in place.

A block's tile has 4096 elements of 8 bytes, 8192 of fewer, 2048 of `complex128`.
"""

import numpy as np


#numptx export sums(float64[::])
#numptx export sums(float32[::])
#numptx export sums(int64[::])
#numptx export sums(int8[::])
#numptx export sums(bool[::])
#numptx export sums(complex64[::])
#numptx export sums(complex128[::])
# run: sums(integers(-9, 9, 8191).astype(float64))
# run: sums(integers(-9, 9, 8192).astype(float64))
# run: sums(integers(-9, 9, 8193).astype(float64))
# run: sums(integers(-9, 9, 12287).astype(float64)[::-1])
# run: sums(integers(-9, 9, 12289).astype(float64)[1:])
# run: sums(integers(-9, 9, 26000).astype(float64)[::-3])
# run: sums(concatenate([full(4096, -0.0), full(4097, -0.0), array([0.0, -0.0])]))
# run: sums(concatenate([ones(9000), array([inf, 1.0]), ones(5000), array([-inf, 2.0])]))
# run: sums(concatenate([ones(4095), array([nan]), ones(4097)]))
# run: sums(integers(-9, 9, 16384).astype(float32))
# run: sums(integers(-9, 9, 16387).astype(float32)[3:])
# run: sums(integers(-2**62, 2**62, 8195))
# run: sums(integers(-2**62, 2**62, 8192)[::-1])
# run: sums(integers(-128, 128, 8200).astype(int8))
# run: sums(random(8200) > 0.5)
# run: sums(integers(-9, 9, 8193).astype(complex64) * (1 + 2j))
# run: sums(integers(-9, 9, 4097).astype(complex128) * (1 - 2j))
def sums(x):
    return np.cumsum(x)


#numptx export rows(float64[:,:])
#numptx export rows(float32[:,:])
#numptx export rows(int32[:,:])
# run: rows(integers(-9, 9, (3, 8192)).astype(float64))
# run: rows(integers(-9, 9, (3, 8193)).astype(float64))
# run: rows(integers(-9, 9, (2, 8194)).astype(float64)[::-1, ::-1])
# run: rows(integers(-9, 9, (4, 8194)).astype(float64)[::2, 1:])
# run: rows(integers(-9, 9, (8193, 2)).T.astype(float64))
# run: rows(integers(-9, 9, (2, 16386)).astype(float32))
# run: rows(broadcast_to(integers(-9, 9, (2, 1)), (2, 16384)).astype(int32))
# run: rows(integers(-2**31, 2**31, (2, 16385)).astype(int32))
def rows(x):
    return np.cumsum(x, axis=1), np.maximum.accumulate(x, axis=1)


#numptx export typed(int16[:], float64[:])
# run: typed(integers(-99, 99, 16400).astype(int16), integers(-9, 9, 16400).astype(float64))
def typed(i, x):
    return (
        np.cumsum(i, dtype=np.int16),
        np.cumsum(i, dtype=np.int8),
        np.cumsum(i, dtype=np.float64),
        np.cumsum(x, dtype=np.float32),
        np.cumsum(x > 0, dtype=np.uint16),
        np.bitwise_xor.accumulate(i),
        np.logical_xor.accumulate(x > 0),
        np.minimum.accumulate(i),
    )


#numptx export halves(float16[:])
# run: halves(concatenate([zeros(8192), array([1.0, -2.0, 0.5]), zeros(9000)]).astype(float16))
# run: halves(concatenate([zeros(8192), array([1.0, nan]), full(9000, -0.0)]).astype(float16))
def halves(x):
    return np.cumsum(x), np.maximum.accumulate(x)


#numptx export extremes(float64[:])
# run: extremes(random(9000))
# run: extremes(concatenate([random(5000), array([nan]), random(4000)]))
# run: extremes(concatenate([full(4096, -0.0), full(4096, 0.0), array([-inf, inf, -0.0])]))
def extremes(x):
    return np.maximum.accumulate(x), np.minimum.accumulate(x)


#numptx export products(float64[:], int64[:])
# run: products(where(arange(9000) % 2 == 0, 2.0, 0.5), integers(-9, 9, 9000) | 1)
# run: products(concatenate([ones(5000), array([-0.0]), ones(4000)]), ones(8192, int64))
def products(x, i):
    return np.cumprod(x), np.cumprod(i)


#numptx export in_place(float64[:], float64[:,:])
# run: in_place(integers(-9, 9, 8300).astype(float64), integers(-9, 9, (2, 8300)).astype(float64))
def in_place(x, y):
    np.cumsum(x, out=x)
    np.cumsum(y, axis=1, out=y)
    return x, y


#numptx export moved_in_place(float64[:])
# run: moved_in_place(integers(-9, 9, 8300).astype(float64))
def moved_in_place(x):
    np.cumsum(x[:-1], out=x[1:])
    np.cumsum(x[::-1], out=x)
    return x


#numptx export computed(float64[:], float64[:], int64)
# run: computed(arange(9000.0), ones(9000), 3)
def computed(x, y, a):
    return np.cumsum((a * x + y)[::-1] > 4), np.cumsum(np.floor(x * y)) / 2, np.cumsum(np.sqrt(x * x))


#numptx export passed_on(uint64[:], uint64[:])
# run: passed_on(integers(0, 9, 4200).astype(uint64), integers(1, 2**40, 4200).astype(uint64))
def passed_on(x, f):
    out = np.empty(len(x), np.uint64)
    h = np.uint64(1)
    for i in range(len(x)):
        h = h * f[i] + x[i]
        out[i] = h
    return out
