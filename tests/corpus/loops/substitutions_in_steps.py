"""Triangular systems one after the other in one function, and of integers that wrap."""

import numpy as np


#numptx export both(float64[:,:], float64[:])
# run: both(random((130, 130)) + 130 * eye(130), random(130))
# structure: launches==4 allocs=2 copies=0
# run: both(random((1, 1)), random(1))
# run: both(random((0, 0)), random(0))
# run: both(random((20, 20)), random(19))
# run: both(random((20, 20)), random(21))
def both(a, b):
    x, y = np.zeros_like(b), np.zeros_like(b)
    for i in range(a.shape[0]):
        y[i] = b[i] - a[i, :i] @ y[:i]
    for i in range(a.shape[0] - 1, -1, -1):
        x[i] = (y[i] - a[i, i + 1:] @ x[i + 1:]) / 128.0
    return x, y


#numptx export wrapping(int64[:,:], int64[:])
# run: wrapping(integers(-2**40, 2**40, (150, 150)), integers(-9, 9, 150))
# structure: launches==1 allocs=0 copies=0
def wrapping(a, x):
    for i in range(x.shape[0]):
        x[i] = (x[i] + (a[i, :i] * x[:i]).sum()) % 1000003
