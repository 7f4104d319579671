"""Products, extremes and values that are looked at by loops over scalars, in loops whose iterations depend on each other."""

import numpy as np


#numptx export multiplied(float64[:], float64[:])
#numptx export multiplied(complex128[:], complex128[:])
# run: multiplied(random(60) + 0.5, random(60) + 0.5)
# structure: launches=1 allocs=0 copies=0 syncs=0
# run: multiplied(array([complex(inf, 1.0), 1.0, 2j]), ones(3, dtype=complex128))
def multiplied(b, x):
    for i in range(len(b)):
        s = b[i]
        for j in range(i):
            s *= x[j]
        x[i] = s * 0.5
    return x


# Integers wrap, and extremes of them are exact.
#numptx export greatest(int32[:], int64[:])
# run: greatest(integers(-1000, 1000, 80).astype(int32), zeros(80, dtype=int64))
# structure: launches=1 allocs=0 copies=0 syncs=0
# run: greatest(integers(-1000, 1000, 0).astype(int32), zeros(0, dtype=int64))
def greatest(b, x):
    for i in range(len(x)):
        m = np.int64(b[i])
        for j in range(i):
            if x[j] - b[j] > m:
                m = x[j] - b[j]
        x[i] = m - 3
    return x


# Two values, a value that is looked at, and a sum by a step: these all threads have for themselves, beside a loop that they share.
#numptx export looked_at(float64[:], float64[:,:])
# tolerance: 0
# run: looked_at(random(40), random((40, 40)))
# structure: launches=1 allocs=0 copies=0 syncs=0
# run: looked_at(random(0), random((0, 40)))
def looked_at(x, y):
    for i in range(len(x)):
        s = 0.0
        for j in range(i):
            s += x[j] if s < 3.0 else 0.25 * x[j]
        t = 1.0
        for j in range(0, i, 3):
            t += x[j]
        x[i] = s / t
        for k in range(y.shape[1]):
            y[i, k] = x[i] + k


# In the points of a parallel loop sums are in the order of the program.
#numptx export in_points(float64[:,:], float64[:,:], int)
# tolerance: 0
# run: in_points(random((30, 30)), random((30, 30)), 5)
# structure: launches=1 allocs=0 copies=0 syncs=0
# run: in_points(random((30, 30)), random((30, 30)), 0)
def in_points(a, b, n):
    for _ in range(n):
        for i in range(a.shape[0]):
            s = a[i, 0]
            for j in range(b.shape[1]):
                s += b[i, j] * a[i, j]
            b[i, 0] = s / 30
        for i in range(a.shape[0]):
            a[i, 1] = b[a.shape[0] - 1 - i, 0]


# A few iterations, as many as are known, are no sum that is worth waiting for.
#numptx export few(float64[:,:], float64[:,:])
# tolerance: 0
# run: few(random((50, 3)), random((50, 20)))
# structure: launches=1 allocs=0 copies=0 syncs=0
def few(x, y):
    for i in range(1, x.shape[0]):
        s = 0.0
        for d in range(3):
            s += x[i, d] * x[i - 1, d]
        x[i, 0] = s
        for k in range(y.shape[1]):
            y[i, k] = y[i - 1, k] + s
