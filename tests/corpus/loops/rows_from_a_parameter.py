"""Loops from a parameter on, in loops over rows: all elements are points, where the parameter is not negative."""

import math

import numpy as np


#numptx export lagged(float64[:,:], float64[:,:], int)
# run: lagged(random((4, 9)), zeros((4, 9)), 2)
# structure: launches=1 allocs=0 copies=0
# run: lagged(random((4, 9)), zeros((4, 9)), 0)
# run: lagged(random((4, 9)), zeros((4, 9)), -1)
# run: lagged(random((4, 9)), zeros((4, 9)), -12)
# run: lagged(random((4, 9)), zeros((4, 9)), 12)
# run: lagged(random((4, 9)), zeros((3, 9)), 2)
# run: lagged(random((4, 9)), zeros((4, 7)), 2)
# run: lagged(random((4, 18))[::-1, ::-2], zeros((4, 9)), 3)
# run: a = random((4, 9)); lagged(a, a, 2)
# run: lagged(random((0, 9)), zeros((0, 9)), 2)
def lagged(x, y, k):
    for b in range(x.shape[0]):
        for n in range(k, x.shape[1]):
            y[b, n] = x[b, n] - x[b, n - k]


#numptx export blurred(float32[:,:], float32[:,:], int)
# run: blurred(random((5, 12), dtype=float32), zeros((5, 12), dtype=float32), 2)
# run: blurred(random((5, 12), dtype=float32), zeros((5, 12), dtype=float32), 0)
# run: blurred(random((5, 12), dtype=float32), zeros((5, 12), dtype=float32), -1)
# run: blurred(random((5, 12), dtype=float32), zeros((5, 12), dtype=float32), 9)
# run: blurred(random((5, 12), dtype=float32), zeros((5, 8), dtype=float32), 2)
def blurred(image, out, r):
    for i in range(image.shape[0]):
        for j in range(r, image.shape[1] - r):
            s = np.float32(0.0)
            for k in range(-r, r + 1):
                s += image[i, j + k]
            out[i, j] = s


# Points that check elements, in columns.
#numptx export returns(float64[:,:], float64[:,:], int)
# run: returns(random((9, 4)) + 0.5, zeros((9, 4)), 2)
# run: returns(random((9, 4)) + 0.5, zeros((9, 4)), -2)
# run: returns(random((9, 4)) - 0.5, zeros((9, 4)), 1)
# run: returns(zeros((9, 4)), zeros((9, 4)), 1)
# run: a = random((9, 4)) + 0.5; a[5, 2] = -1.0; returns(a, zeros((9, 4)), 1)
# run: a = random((9, 4)) + 0.5; returns(a, a, 1)
# run: returns(random((9, 4)) + 0.5, zeros((7, 4)), 1)
def returns(p, out, lag):
    for a in range(p.shape[1]):
        for t in range(lag, p.shape[0]):
            out[t, a] = math.log(p[t, a] / p[t - lag, a])


#numptx export filtered(float64[:,:], float64[:], float64[:,:])
# run: filtered(random((3, 4)), random(12), zeros((3, 12)))
# run: filtered(random((3, 0)), random(12), zeros((3, 12)))
# run: filtered(random((3, 4)), random(2), zeros((3, 12)))
# run: filtered(random((3, 4)), random(12), zeros((3, 11)))
def filtered(h, x, y):
    for b in range(h.shape[0]):
        for n in range(h.shape[1] - 1, x.shape[0]):
            s = 0.0
            for k in range(h.shape[1]):
                s += h[b, k] * x[n - k]
            y[b, n] = s
