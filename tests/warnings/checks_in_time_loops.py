import math

import numpy as np

# What a time loop computes between its steps is not checked where it cannot fail, and the steps are shared.


#numptx export driven(float64[:], int)
def driven(u, nt):
    for t in range(nt):
        s = math.sin(0.1 * t)
        for i in range(u.shape[0]):
            u[i] += s


#numptx export decaying(float64[:], float64[:], int)
def decaying(p, g, steps):
    for t in range(1, steps + 1):
        b = math.sqrt(1 - 0.9**t) / (1.0 + t)
        for i in range(p.shape[0]):
            p[i] -= g[i] * b


# Data may be too large.
#numptx export weighted(float64[:,:], float64[:], float64[:])
def weighted(x, y, g):
    for i in range(x.shape[0]):  #! NPX0601
        e = math.exp(y[i])
        for j in range(x.shape[1]):
            g[j] += e * x[i, j]


#numptx export weighted_unchecked(float64[:,:], float64[:], float64[:])
def weighted_unchecked(x, y, g):
    for i in range(x.shape[0]):
        e = np.float64(1) / (1.0 + np.exp(y[i]))
        for j in range(x.shape[1]):
            g[j] += e * x[i, j]
