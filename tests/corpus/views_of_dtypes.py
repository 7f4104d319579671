"""One memory as elements of several dtypes: what is a view of what, what is written through it, and who keeps it."""

import numpy as np


#numptx export as_bits(float64[:])
# run: as_bits(random(5))
# run: as_bits(random(9)[::-2])
# run: as_bits(random(0))
# structure: launches=0 allocs=0 copies=0
def as_bits(x):
    return x.view(np.int64)


#numptx export as_bytes(float32[:,:])
# run: as_bytes(random((3, 4), float32))
# run: as_bytes(random((6, 4), float32)[::-2])
# run: as_bytes(random((4, 3), float32).T)
# run: as_bytes(random((0, 3), float32))
# run: as_bytes(random((3, 0), float32))
# run: as_bytes(random((3, 8), float32)[:, ::8])
def as_bytes(x):
    return x.view(np.uint8)


#numptx export as_pairs(float64[:,:])
# run: as_pairs(random((3, 4)))
# run: as_pairs(random((3, 3)))
# run: as_pairs(random((5, 4))[::-1])
# run: as_pairs(random((3, 8))[:, ::2])
# run: as_pairs(random((3, 0)))
def as_pairs(x):
    return x.view(np.complex128)


#numptx export of_no_axes(float64[:])
# run: of_no_axes(random(3))
def of_no_axes(x):
    y = x[1, ...]
    bits = y.view(np.uint64)
    bits[...] = 7
    return y, bits, x[2].view(np.int64)


#numptx export negated(float64[:])
# run: negated(random(6))
# run: negated(random(12)[::-2])
def negated(x):
    bits = x.view(np.uint64)
    bits ^= np.uint64(1) << np.uint64(63)
    return x.sum(), bits


#numptx export halves(int64[:])
# run: halves(integers(0, 2**40, 6))
# run: halves(integers(0, 2**40, 0))
def halves(x):
    parts = x.view(np.int32)
    low, high = parts[::2], parts[1::2]
    low[...] = high[::-1]
    parts[1:] = parts[:-1]
    return x + 0, low, high


#numptx export of_fresh(int)
# run: of_fresh(5)
# run: of_fresh(0)
def of_fresh(n):
    x = np.arange(n) * 0.5
    y = x.view(np.int64)
    y += 1
    return y[1:], x


#numptx export kept(int)
# run: kept(4)
def kept(n):
    return np.ones((n, 2)).view(np.complex128)[:, 0].imag.view(np.int64)


#numptx export both_ways(float32[:], int32[:])
# run: both_ways(random(8, float32), integers(0, 9, 8, int32))
# run: x = random(8, float32); both_ways(x, x.view(int32))
# run: x = random(9, float32); both_ways(x[1:], x.view(int32)[:-1])
# run: x = random(8, float32); both_ways(x, x.view(int32)[::-1])
def both_ways(x, k):
    x.view(np.int32)[...] = k + 1
    k[:] = x.view(np.int32)[::-1]
    return x.sum()


#numptx export in_loops(float64[:])
# run: in_loops(random(7))
# run: in_loops(random(14)[::2])
def in_loops(x):
    bits = x.view(np.int64)
    n = 0
    for i in range(len(bits)):
        n ^= bits[i]
        x[i] = x[i] + 1.0
        bits[i] += 1
    return n


#numptx export chosen(float64[:], bool)
# run: chosen(random(4), True)
# run: chosen(random(4), False)
def chosen(x, flag):
    y = x.view(np.int64) if flag else np.arange(len(x))
    y[0] = 3
    return y


#numptx export decoded(uint8[:])
# run: decoded(arange(32, dtype=uint8))
# run: decoded(arange(31, dtype=uint8))
# run: decoded(arange(64, dtype=uint8)[::2])
# run: decoded(zeros(0, dtype=uint8))
# run: decoded(array([0, 0, 128, 63], dtype=uint8))
def decoded(data):
    return np.frombuffer(data, np.float32), np.frombuffer(data, np.int16, 1, 2), np.frombuffer(data, np.uint16, offset=2)


#numptx export part_of_buffer(float64[:,:], int, int)
# run: part_of_buffer(random((2, 3)), 4, 8)
# run: part_of_buffer(random((2, 3)), -1, 4)
# run: part_of_buffer(random((2, 3)), -1, 6)
# run: part_of_buffer(random((2, 3)), 0, 48)
# run: part_of_buffer(random((2, 3)), 1, 48)
# run: part_of_buffer(random((2, 3)), 1, 49)
# run: part_of_buffer(random((2, 3)), 1, -1)
# run: part_of_buffer(random((3, 2)).T, 1, 0)
def part_of_buffer(x, count, offset):
    y = np.frombuffer(x, np.int32, count, offset)
    y[:1] = 5
    return y, x[0]


#numptx export diagonal_of_windows(float64[:,:], int)
# run: diagonal_of_windows(random((5, 6)), 2)
# run: diagonal_of_windows(random((9, 12))[::2, 1:7], 2)
# run: diagonal_of_windows(random((9, 6))[::-1], 3)
# run: diagonal_of_windows(random((6, 5)).T, 2)
def diagonal_of_windows(x, k):
    n, m = x.shape
    patches = np.lib.stride_tricks.as_strided(x, (n - k + 1, m - k + 1, k, k), x.strides + x.strides, writeable=False)
    return patches.sum(axis=(2, 3)), np.trace(patches, axis1=2, axis2=3)


#numptx export stepped(float64[:], int, int)
# run: stepped(random(10), 3, 2)
# run: stepped(random(10), 0, 2)
# run: stepped(random(10), 10, 0)
# run: stepped(random(20)[::-2], 5, 2)
def stepped(x, n, step):
    y = np.lib.stride_tricks.as_strided(x, shape=(n, 2), strides=(step * x.strides[0], x.strides[0]), writeable=False)
    x[:2] = 1.0
    return y + 0
