"""Indices of what is not 0."""
import numpy as np

#numptx export vector(float64[:])
# run: vector(array([0.0, 1.0, -0.0, nan, inf, 0.0, 1e-320]))
# run: vector(zeros(4))
# run: vector(arange(0.0))
# run: vector(arange(10.0)[::-3])
def vector(x):
    return np.nonzero(x), x.nonzero(), np.flatnonzero(x), np.argwhere(x), np.where(x), np.count_nonzero(x)


#numptx export matrix(int32[:,:])
# run: matrix(integers(0, 3, (4, 5), dtype=int32))
# run: matrix(integers(0, 3, (4, 5), dtype=int32).T)
# run: matrix(integers(0, 3, (4, 6), dtype=int32)[::-1, ::2])
# run: matrix(zeros((0, 5), dtype=int32))
# run: matrix(zeros((3, 5), dtype=int32))
def matrix(x):
    return np.nonzero(x), np.flatnonzero(x), np.argwhere(x), np.where(x > 1)


#numptx export cube(complex64[:,:,:])
# run: cube(integers(0, 2, (2, 3, 4)).astype(complex64))
def cube(x):
    i, j, k = np.nonzero(x)
    return x[i, j, k], np.argwhere(x), i + j * k


#numptx export compressed(float64[:,:], bool[:], int64[:])
# run: compressed(random((3, 4)), array([True, False, True]), array([0, 5, 0, -1]))
# run: compressed(random((3, 4)).T, array([True, False, True]), array([0, 5, 0]))
# run: compressed(random((3, 4)), array([True, False]), array([0, 5]))
# run: compressed(random((3, 4)), array([True, False, True, False]), array([0, 5, 0, 0, 0]))
# run: compressed(random((3, 4)), array([True, False, True, True]), array([0, 5, 0, 0]))
# run: compressed(random((3, 4)), zeros(0, dtype=bool), zeros(0, dtype=int64))
def compressed(x, m, n):
    return np.compress(m, x, axis=0), np.compress(n, x, axis=1), x.compress(m), x.compress(n, axis=-1)


#numptx export extracted(float64[:,:])
# run: extracted(random((3, 4)) - 0.5)
# run: extracted((random((3, 4)) - 0.5).T)
def extracted(x):
    return np.extract(x > 0, x), np.extract(x, x), np.extract(x[0] > 0, x)
