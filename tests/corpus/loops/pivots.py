"""Elimination with pivots: which row one is, a loop finds out that hands it on, and it is known to be a row that the loop has seen."""

import numpy as np


#numptx export eliminated(float64[:,:], float64[:])
#numptx export eliminated(float32[:,:], float32[:])
# run: eliminated(random((30, 30)), random(30))
# structure: launches=1 allocs=1 copies=0 syncs=1
# run: eliminated(random((30, 30), dtype=float32) + 1, random(30, dtype=float32))
# run: eliminated(random((90, 95)), random(90))
# run: eliminated(ones((0, 0)), random(0))
# run: eliminated(random((1, 1)), random(1))
# run: eliminated(random((2, 2)), random(2))
# run: eliminated(zeros((3, 3)), random(3))
# run: eliminated(ones((30, 30)), random(30))
# run: eliminated(where(random((30, 30)) < 0.05, nan, random((30, 30))), random(30))
# run: eliminated(array([[nan, 1.0], [2.0, 3.0]]), random(2))
# run: eliminated(random((20, 19)), random(20))
# run: eliminated(random((19, 20)), random(20))
# run: eliminated(random((20, 20)), random(21))
def eliminated(a, b):
    n = len(b)
    for k in range(n):
        pivot = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[pivot, k]):
                pivot = i
        if pivot != k:
            for j in range(n):
                a[k, j], a[pivot, j] = a[pivot, j], a[k, j]
            b[k], b[pivot] = b[pivot], b[k]
        for i in range(k + 1, n):
            f = a[i, k] / a[k, k]
            for j in range(k, n):
                a[i, j] -= f * a[k, j]
            b[i] -= f * b[k]
    return b


# What is left is solved from below.
#numptx export solved(float64[:,:], float64[:])
# run: solved(random((15, 15)), random(15))
# structure: launches=4 allocs=3 copies=0 syncs=1
# run: solved(eye(2)[::-1].copy(), random(2))
# run: solved(ones((0, 0)), random(0))
def solved(a, b):
    b = eliminated(a, b)
    x = np.zeros(len(b))
    for i in range(len(b) - 1, -1, -1):
        s = 0.0
        for j in range(i + 1, len(b)):
            s += a[i, j] * x[j]
        x[i] = (b[i] - s) / a[i, i]
    return x


#numptx export decomposed(float64[:,:], int64[:])
# run: decomposed(random((30, 30)), zeros(30, dtype=int64))
# structure: launches=1 allocs=1 copies=0 syncs=1
# run: decomposed(random((2, 2)), zeros(2, dtype=int64))
# run: decomposed(ones((1, 1)), zeros(1, dtype=int64))
# run: decomposed(ones((0, 0)), zeros(0, dtype=int64))
# run: decomposed(zeros((5, 5)), zeros(5, dtype=int64))
# run: decomposed(random((20, 20)), zeros(19, dtype=int64))
def decomposed(a, p):
    n = a.shape[0]
    for k in range(n - 1):
        pivot = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[pivot, k]):
                pivot = i
        p[k] = pivot
        for j in range(n):
            t = a[k, j]
            a[k, j] = a[pivot, j]
            a[pivot, j] = t
        for i in range(k + 1, n):
            a[i, k] = a[i, k] / a[k, k]
        for i in range(k + 1, n):
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
    return a


# The one that is greatest of those from below, or an int from before the loop.
#numptx export of_last(float64[:,:], float64[:], int)
# run: of_last(random((30, 30)), random(30), 0)
# structure: launches=1 allocs=1 copies=0 syncs=1
# run: of_last(random((30, 30)) - 2, random(30), 29)
# run: of_last(random((30, 30)) - 2, random(30), -30)
# run: of_last(random((30, 30)) - 2, random(30), 30)
# run: of_last(random((0, 0)), random(0), 0)
def of_last(a, b, start):
    for k in range(a.shape[0]):
        last = start
        for i in range(a.shape[0] - 1, -1, -2):
            if a[i, k] > b[i]:
                last = i
        for j in range(a.shape[1]):
            a[k, j] = a[k, j] * 0.5 + b[last]
        for i in range(a.shape[0]):
            b[i] = b[i] * 0.9 + a[k, i]
    return b


# What an iteration makes of its index is none, and neither is that of another loop.
#numptx export beside(float64[:,:], float64[:])
# run: beside(random((12, 12)), random(12))
# run: beside(random((12, 12)) - 2, random(12))
# run: beside(random((12, 12)) + 2, random(12))
# run: beside(random((0, 0)), random(0))
def beside(a, b):
    n = len(b)
    for k in range(n):
        last = 0
        before = 0
        for i in range(n):
            if a[i, k] > b[i]:
                before = last
                last = i + 1
        for j in range(n):
            a[k, j] = a[k, j] * 0.5 + b[last] + b[before]
        for i in range(n):
            b[i] = b[i] * 0.9 + a[k, i]
    return b
