"""NumPy's own scalars are stored as Python's are: what an integer dtype cannot hold is an error; arrays wrap."""

import numpy as np


#numptx export elements(int8[:], int64[:], float64[:], uint64[:])
# run: elements(zeros(3, dtype=int8), array([1, -128, 127]), array([1.9, -1.9]), array([5], dtype=uint64))
# run: elements(zeros(3, dtype=int8), array([1, -128, 128]), array([1.9, -1.9]), array([5], dtype=uint64))
# run: elements(zeros(3, dtype=int8), array([1, 2, 3]), array([1.9, nan]), array([5], dtype=uint64))
# run: elements(zeros(3, dtype=int8), array([1, 2, 3]), array([1.9, inf]), array([5], dtype=uint64))
# run: elements(zeros(3, dtype=int8), array([1, 2, 3]), array([300.5, 0.0]), array([5], dtype=uint64))
# run: elements(zeros(3, dtype=int8), array([1, 2, 3]), array([1.9, 0.0]), array([2**64 - 1], dtype=uint64))
def elements(x, y, z, w):
    for i in range(3):
        x[i] = y[i]
    x[0] = z[0]
    x[1] = z[1]
    x[2] = w[0]
    return x


#numptx export whole(int8[:,:], int64[:], uint8[:])
# run: whole(zeros((2, 3), dtype=int8), array([60, 60]), array([7], dtype=uint8))
# run: whole(zeros((2, 3), dtype=int8), array([60, 70]), array([7], dtype=uint8))
# run: whole(zeros((2, 3), dtype=int8), array([60, 7]), array([200], dtype=uint8))
def whole(x, y, z):
    x[:, 1:] = np.sum(y)
    x[0, 0] = y[0]
    x[1, 0] = z[0]
    return x


#numptx export arrays(int8[:], int64[:], bool[:])
# run: arrays(zeros(3, dtype=int8), array([300]), array([True, False, True]))
def arrays(x, y, m):
    x[:] = y
    x[m] = y[0]
    return x


#numptx export unsigned(uint8[:], int8[:])
# run: unsigned(zeros(2, dtype=uint8), array([1, 2], dtype=int8))
# run: unsigned(zeros(2, dtype=uint8), array([1, -2], dtype=int8))
def unsigned(x, y):
    x[0] = y[0]
    x[1] = y[1]
    return x
