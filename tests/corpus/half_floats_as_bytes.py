"""`float16` as bytes: views of other dtypes, bytes in reverse, nans that are moved, and how close numbers are."""

import numpy as np

# tolerance: 0


def every():
    """All numbers of 16 bits, nans too."""
    return np.arange(65536).astype(np.uint16).view(np.float16)


#numptx export bits(float16[:], int64[:])
# run: bits(every(), arange(65536)[::-3])
# run: bits(every()[::-5], arange(10))
# run: bits(zeros(0, float16), zeros(0, int64))
def bits(x, at):
    y = np.zeros_like(x)
    y[:] = x[::-1]
    moved = y, x.copy(), x[at], np.concatenate((x, y)), np.repeat(x, 2), np.roll(x, 3)
    return [a.view(np.uint16) for a in moved]


#numptx export seen(float16[:,:])
# run: seen(every().reshape(64, 1024))
# run: seen(zeros((3, 0), float16))
# run: seen(ones((2, 4), float16)[:, ::2])
def seen(x):
    return x.view(np.uint8), x.view("i2"), x.view(np.int32), x.view(np.uint64), x.view(np.half)


#numptx export written_as_bits(uint16[:])
# run: written_as_bits(arange(65536, dtype=uint16))
def written_as_bits(bits):
    x = bits.view(np.float16)
    x[x == 1] = 2
    x[:4] = [0.1, -0.0, 65519, 65520]
    return bits, np.isnan(x), x.view(np.uint8)[:2]


#numptx export read(uint8[:], float16[:])
# run: read(arange(24, dtype=uint8), arange(6).astype(float16))
# run: read(arange(23, dtype=uint8), zeros(6, float16))
def read(data, x):
    return np.frombuffer(data, np.float16, 3, 2), np.frombuffer(data, "e"), np.frombuffer(x, np.uint8)


#numptx export swapped(float16[:])
# run: swapped(arange(600).astype(float16))
# run: swapped(arange(60).astype(float16)[::-3])
# run: swapped(zeros(0, float16))
def swapped(x):
    y = x.byteswap()
    x.byteswap(inplace=True)
    return y.view(np.uint16), x


#numptx export near(float16[:], float16[:])
# run: near(every(), every()[::-1])
# run: near(every()[:-1], every()[1:])
# run: near(every(), every())
def near(x, y):
    some = np.isclose(x, y), np.isclose(x, y, equal_nan=True), np.isclose(x, y, rtol=0.01), np.isclose(x, 1), np.isclose(0.5, x, 0, 0.1)
    return some, np.allclose(x, y), np.allclose(x, y, rtol=1e-3, equal_nan=True)


#numptx export described(float16[:])
# run: described(every()[:3])
def described(x):
    limits = np.finfo(np.float16)
    ends = limits.eps, limits.epsneg, limits.max, limits.min, limits.tiny, limits.smallest_subnormal, limits.resolution
    return ends, limits.bits, limits.nmant, limits.minexp, limits.maxexp, limits.precision, x.nbytes, x.dtype.kind, x.dtype.char
