# Loops that are parallel for some values of the program's ints, and one thread's work for others.

import numpy as np


#numptx export by_steps(float64[:], float64[:], int, int, int)
def by_steps(x, y, first, last, step):
    for i in range(first, last, step):  #! NPX0604 `assert step > 0 and first >= 0`
        x[i] = y[i]


#numptx export stated(float64[:], float64[:], int, int, int)
def stated(x, y, first, last, step):
    assert step > 0
    assert first >= 0
    for i in range(first, last, step):
        x[i] = y[i]


#numptx export at_once(float64[:], float64[:], int, int, int)
def at_once(x, y, first, last, step):
    assert step > 0 and first >= 0
    for i in range(first, last, step):
        x[i] = y[i]


#numptx export raised(float64[:], float64[:], int, int, int)
def raised(x, y, first, last, step):
    if step <= 0:
        raise ValueError("steps go up")
    for i in range(first, last, step):  #! NPX0604 `assert first >= 0`
        x[i] = y[i]


#numptx export returned(float64[:], float64[:], int, int, int)
def returned(x, y, first, last, step):
    if step < 1:
        return
    for i in range(max(first, 0), last, step):
        x[i] = y[i]


#numptx export asked(float64[:], float64[:], int, int, int)
def asked(x, y, first, last, step):
    if step > 0 and first >= 0:
        for i in range(first, last, step):
            x[i] = y[i]


# From the beginning to an end that does not lie before it there is nothing to do by other steps.
#numptx export every(float64[:], int)
def every(x, step):
    for i in range(0, len(x), step):
        x[i] = 0.0


# No shift that is negative reads what is there.
#numptx export knapsack(float64[:], int)
def knapsack(best, c):
    for w in range(len(best) - 1, c - 1, -1):
        best[w] = max(best[w], best[w - c] * 1.5)


# What is empty is no work.
#numptx export summed(float64[:,:], int, int)
def summed(a, n, m):
    s = 0.0
    for i in range(n):
        for j in range(m):
            s += a[i, j]
    return s


# A counter goes up from 2.
#numptx export sieve(int)
def sieve(n):
    composite = np.zeros(n + 1, dtype=np.bool_)
    i = 2
    while i * i <= n:
        if not composite[i]:
            for j in range(i * i, n + 1, i):
                composite[j] = True
        i += 1
    return composite


# By a step that is negative there is no block.
#numptx export blocks(float64[:], int)
def blocks(x, size):
    for i in range(0, x.shape[0], size):
        end = min(i + size, x.shape[0])
        x[i:end] = x[i:end] * 2.0 + x[i]


# The first row of compressed rows begins at 0: no call meets that. Its steps wait for each other in any case, so that nothing states otherwise.
#numptx export diagonal_last(int64[:], int64[:], float64[:], float64[:], float64[:])
def diagonal_last(indptr, indices, data, b, x):
    for i in range(b.shape[0]):  #! NPX0604 `assert indptr.min() > 0`, or an `if` that raises or returns elsewhere
        s = b[i]
        for k in range(indptr[i], indptr[i + 1] - 1):
            s -= data[k] * x[indices[k]]
        x[i] = s / data[indptr[i + 1] - 1]


# Rows that are in range are natural.
#numptx export diagonal_apart(int64[:], int64[:], float64[:], float64[:], float64[:], float64[:])
def diagonal_apart(indptr, indices, data, d, b, x):
    for i in range(b.shape[0]):
        s = b[i]
        for k in range(indptr[i], indptr[i + 1]):
            s -= data[k] * x[indices[k]]
        x[i] = s / d[i]


# Where it is parallel there is nothing to do.
#numptx export banded(float64[:,:], float64[:], int)
def banded(lower, x, width):
    for i in range(x.shape[0]):  #! NPX0601
        begin = max(i - width, 0)
        x[i] = (x[i] - lower[i, begin:i] @ x[begin:i]) / lower[i, i]


# What doubles does not fall.
#numptx export doubled(float64[:])
def doubled(a):
    w = 1
    while w < len(a):
        for low in range(0, len(a) - w, 2 * w):
            a[low] += a[low + w]
        w = w * 2
