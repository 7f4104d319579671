"""Tuples and lists of numbers indexed by ints of run time: weights, coefficients, directions."""

import numpy as np


#numptx export smoothed(float64[:,:])
# run: smoothed(random((5, 4)))
# structure: launches=2 copies=0
# run: smoothed(random((8, 5))[::-2].T)
# run: smoothed(random((0, 3)))
def smoothed(x):
    w = [0.25, 0.5, 0.25]
    out = np.zeros_like(x)
    for i in range(1, x.shape[0] - 1):
        for j in range(x.shape[1]):
            s = 0.0
            for d in range(3):
                s += w[d] * x[i + d - 1, j]
            out[i, j] = s
    return out


#numptx export runge_kutta(float64[:], int)
# tolerance: 1e-13
# run: runge_kutta(random(5), 3)
# run: runge_kutta(random(5), 0)
def runge_kutta(y, n):
    A = ((0.0, 0.0, 0.0), (0.5, 0.0, 0.0), (-1.0, 2.0, 0.0))
    b = (1 / 6, 2 / 3, 1 / 6)
    for step in range(n):
        k = np.zeros((3, len(y)))
        for i in range(3):
            yi = y.copy()
            for j in range(i):
                yi += 0.1 * A[i][j] * k[j]
            k[i] = np.sin(yi)
        for i in range(3):
            y = y + 0.1 * b[i] * k[i]
    return y


#numptx export neighbours(int64[:,:])
# run: neighbours(integers(0, 9, (6, 5)))
# run: neighbours(integers(0, 9, (1, 6)))
def neighbours(g):
    moves = [(0, 1), (1, 0), (0, -1), (-1, 0)]
    h, w = g.shape
    out = np.zeros_like(g)
    for i in range(h):
        for j in range(w):
            for k in range(4):
                di, dj = moves[k]
                y, x = i + di, j + dj
                if 0 <= y < h and 0 <= x < w:
                    out[i, j] += g[y, x]
    return out


#numptx export by_data(int64[:])
# run: by_data(array([0, 1, 2, -1, -3]))
# run: by_data(array([0, 3]))
# run: by_data(array([0, -4]))
# run: by_data(array([], dtype=int64))
def by_data(k):
    t = (10, 20, 30)
    u = [True, False, True]
    out = np.zeros(len(k), dtype=np.int64)
    for i in range(len(k)):
        if u[k[i]]:
            out[i] = t[k[i]]
    return out


#numptx export by_argument(float64[:], int)
# run: by_argument(random(3), 1)
# run: by_argument(random(3), -2)
# run: by_argument(random(3), 2)
# run: by_argument(random(3), -3)
def by_argument(x, k):
    shape = x.shape + (4,)
    scalars = (x[0], x[1])
    pairs = [(1, 2), (3, 4)]
    return shape[k], scalars[k], pairs[k], pairs[k][k], pairs[0][k]


#numptx export list_of_arrays(float64[:], int)
# run: list_of_arrays(random(3), 2)
# run: list_of_arrays(random(3), 3)
def list_of_arrays(x, k):
    t = [x, x + 1]
    t[0][k] = 3.0
    t[1] += 2
    t[1][k] -= 2
    return t


#numptx export compared(float32[:], int)
# run: compared(random(3, float32), 1)
def compared(x, k):
    limits = np.float32(0.25), np.float32(0.5), x[0]
    return x > limits[k], x * limits[k]
