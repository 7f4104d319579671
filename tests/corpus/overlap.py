"""Stores that read what they write: as if the right side had been copied first."""

import numpy as np


#numptx export shift(float64[:])
# run: shift(random(1000))
def shift(a):
    a[1:] = a[:-1]


#numptx export reverse(float64[:])
# run: reverse(random(1000))
# run: reverse(random(1001)[::-2])
def reverse(a):
    a[:] = a[::-1]


#numptx export transpose_in_place(float64[:,:])
# run: transpose_in_place(random((30, 30)))
def transpose_in_place(a):
    a[:] = a.T


#numptx export add_first(float64[:])
# run: add_first(random(100))
def add_first(a):
    a += a[0]


#numptx export between(float64[:], float64[:])
# run: between(random(100), random(100))
# run: x = random(101); between(x[1:], x[:-1])
# run: x = random(101); between(x[:-1], x[1:])
# run: x = random(101); between(x, x)
# run: x = random(202); between(x[::2], x[1::2])
def between(a, b):
    a[:] = 2.0 * b
    b[:] = a + 1.0


#numptx export floyd(int32[:,:])
# run: floyd(integers(1, 100, (30, 30), dtype=int32))
def floyd(path):
    for k in range(path.shape[0]):
        path[:] = np.minimum(path, path[:, k, None] + path[k, :])


#numptx export blend(float64[:], float64[:])
# run: x = random(64); blend(x, x[::-1])
# run: blend(random(64), random(64))
def blend(a, b):
    a[1:-1] = (a[:-2] + b[1:-1] + a[2:]) / 3
