"""All of an array as another object: `x[()]`, `x.view()`."""

import numpy as np


#numptx export wholes(float64[::,::])
# run: wholes(arange(6.0).reshape(2, 3))
# structure: launches<=1 allocs==0 copies==0
# run: wholes(arange(6.0).reshape(3, 2).T[::-1])
# run: wholes(zeros((0, 3)))
def wholes(x):
    y = x[()]
    y[:1] = 7.0
    return x, y, x.view(), x[()].T, x[1:].view()


#numptx export written(float64[:], float64)
# run: written(arange(3.0), 2.5)
# run: written(zeros(0), 2.5)
def written(x, s):
    x[()] = s
    x[()] += 1
    x.view()[:1] = -s
    return x


#numptx export without_axes(float64[:])
# run: without_axes(arange(3.0))
def without_axes(x):
    y = x[1, ...]
    s = y[()]
    y[()] = 9.0
    y[()] *= 2
    return s, y, y.view(), x


#numptx export read_only(float64[:])
# run: read_only(arange(3.0))
def read_only(x):
    y = np.broadcast_to(x, (2, 3))
    return y.view(), y[()]
