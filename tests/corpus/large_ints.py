"""Ints of the program that 64 signed bits do not hold, beside values of `uint64`: what hash functions and random generators are made of."""

import numpy as np

FNV_OFFSET = 0xCBF29CE484222325
FNV_PRIME = np.uint64(0x100000001B3)
GOLDEN = 0x9E3779B97F4A7C15
MASK = (1 << 64) - 1
HALF = 2**63


#numptx export fnv(uint8[:])
# run: fnv(arange(0, dtype=uint8))
# run: fnv(arange(11, dtype=uint8))
# run: fnv(array([255, 0, 128], dtype=uint8))
def fnv(data):
    h = np.uint64(FNV_OFFSET)
    for i in range(data.shape[0]):
        h = (h ^ np.uint64(data[i])) * FNV_PRIME
    return h


#numptx export splitmix(uint64[:])
# run: splitmix(array([0, 1, 2**63, 2**64 - 1], dtype=uint64))
def splitmix(x):
    z = x + GOLDEN
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> 31)


#numptx export splitmix_in_place(uint64[:])
# run: splitmix_in_place(array([0, 1, 2**63, 2**64 - 1], dtype=uint64))
def splitmix_in_place(x):
    x += GOLDEN
    x ^= x >> 30
    x[:] *= 0xBF58476D1CE4E5B9
    x[0] ^= MASK
    for i in range(1, x.shape[0]):
        x[i] &= 0xFFFFFFFF00000000
    x[-1] = MASK
    x[2:3] = HALF


#numptx export xorshift(uint64, int64)
# run: xorshift(uint64(88172645463325252), 5)
# run: xorshift(uint64(2**64 - 1), 3)
# run: xorshift(uint64(1), 0)
def xorshift(state, n):
    values = np.empty(n, dtype=np.uint64)
    for i in range(n):
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        values[i] = state * 0x2545F4914F6CDD1D + 0x8000000000000000
    return values


def mixed(h, factor):
    h ^= h >> np.uint64(33)
    return h * factor


#numptx export murmur(uint64)
# run: murmur(uint64(0))
# run: murmur(uint64(0xDEADBEEF))
# run: murmur(uint64(2**64 - 1))
def murmur(h):
    h = mixed(h, 0xFF51AFD7ED558CCD)
    h = mixed(h, 0xC4CEB9FE1A85EC53)
    return h ^ (h >> np.uint64(33))


#numptx export compared(uint64, uint64[:])
# run: compared(uint64(0), array([0, 2**63 - 1, 2**63, 2**64 - 1], dtype=uint64))
# run: compared(uint64(2**63), array([0, 2**63 - 1, 2**63, 2**64 - 1], dtype=uint64))
# run: compared(uint64(2**64 - 1), array([0, 2**63 - 1, 2**63, 2**64 - 1], dtype=uint64))
def compared(x, y):
    return x < HALF, x == MASK, HALF <= x, y >= HALF, MASK != y, np.less(y, MASK), 5 < HALF < MASK


#numptx export operators(uint64, uint64[:])
# run: operators(uint64(7), array([1, 2**63, 2**64 - 1], dtype=uint64))
# run: operators(uint64(2**64 - 1), array([3, 5, 2**62], dtype=uint64))
def operators(x, y):
    return MASK - x, y + HALF, MASK // y, y % HALF, MASK % x, y | HALF, HALF >> x, y**HALF, y / MASK, HALF // x, ~x & MASK


#numptx export made(int64, uint64[:])
# run: made(3, array([1, 2, 2**63], dtype=uint64))
# run: made(0, array([1, 2, 2**63], dtype=uint64))
def made(n, y):
    a = np.full(n, MASK)
    b = np.full(n, HALF, dtype=np.uint64)
    c = np.array([0xFFFFFFFFFFFFFFFF, 1, 0x9E3779B97F4A7C15], dtype=np.uint64)
    d = np.array([HALF, MASK])
    return a, b, c, d, np.full_like(y, MASK), np.where(y > 1, MASK, y), np.minimum(y, HALF), np.maximum(MASK, y)


#numptx export constants()
# run: constants()
def constants():
    return (
        MASK & 0xFF,
        MASK >> 40,
        MASK - HALF - HALF,
        -HALF,
        MASK % 1000,
        MASK // 3,
        ~HALF + 2,
        np.uint64(2**64 - 1),
        np.uint64(~(-HALF - 1)),
        np.uint64(np.iinfo(np.uint64).max),
        np.iinfo(np.uint64).max - np.uint64(1),
        np.float64(MASK),
        np.float32(HALF),
        HALF == 2**63,
    )


#numptx export floats(float64, float32, float64[:], float32[:])
# run: floats(float64(1.5), float32(1.5), array([1.5, 2.0**63, 2.0**64]), array([1.5, 2.0**63], dtype=float32))
def floats(x, s, y, z):
    return x * HALF, x < HALF, s + HALF, y < HALF, y - MASK, z * MASK, z >= HALF


#numptx export chosen(uint64, bool)
# run: chosen(uint64(9), True)
# run: chosen(uint64(9), False)
def chosen(x, flag):
    factor = 0x9E3779B97F4A7C15
    if flag:
        x = x * factor
    else:
        x = x + factor
    return x, int(x >> np.uint64(1)), float(np.uint64(factor))


#numptx export indexed(float64[:])
# run: indexed(arange(4.0))
def indexed(x):
    return x[: np.uint64(0xFFFFFFFFFFFFFFFF)]


#numptx export out_of_bounds(float64[:], bool)
# run: out_of_bounds(arange(4.0), True)
# run: out_of_bounds(arange(4.0), False)
def out_of_bounds(x, is_far):
    if is_far:
        return x[np.uint64(0xFFFFFFFFFFFFFFFF)]
    return x[0]
