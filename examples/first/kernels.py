"""Four kernels that show the range: elementwise, with a function, a stencil, a reduction."""

import numpy as np


#numptx export axpy(float64, float64[:], float64[:])
def axpy(a, x, y):
    return a * x + y


#numptx export exp_axpy(float64, float64[:], float64[:])
def exp_axpy(a, x, y):
    return np.exp(a * x + y)


#numptx export smooth(float64[:,:])
def smooth(u):
    return 0.2 * (u[1:-1, 1:-1] + u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])


#numptx export distance(float64[:], float64[:])
def distance(x, y):
    return np.sqrt(np.sum((x - y) ** 2))
