"""Indices, bounds of slices and of ranges of dtype uint64 that no int64 holds."""

import numpy as np


#numptx export stored(float64[:], uint64[:])
# run: stored(arange(9.0), array([8, 2**64 - 1, 3], dtype=uint64))
# run: stored(arange(9.0), array([8, 2**63, 3], dtype=uint64))
# run: stored(arange(9.0), array([8, 7, 3], dtype=uint64))
# run: stored(arange(9.0), array([8, 9, 3], dtype=uint64))
def stored(x, z):
    for i in range(z.shape[0]):
        x[z[i]] = 1.0 + i


#numptx export one(float64[:], uint64)
# run: one(arange(9.0), uint64(8))
# run: one(arange(9.0), uint64(9))
# run: one(arange(9.0), uint64(2**64 - 1))
def one(x, k):
    return x[k]


#numptx export cut(float64[:], uint64)
# run: cut(arange(9.0), uint64(8))
# run: cut(arange(9.0), uint64(2**63))
# run: cut(arange(9.0), uint64(2**64 - 1))
def cut(x, k):
    return x[:k], x[k:]
