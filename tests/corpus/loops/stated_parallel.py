"""Loops that the user states to be independent: the file is plain Python with `import numptx`, and comments are comments there."""

import numptx
import numptx as nx
import numpy as np
from numptx import prange


# The loop is only reached where it is independent.
#numptx export moved(float64[:], int, int)
# run: x = random(40); moved(x, 10, 20)
# structure: launches=1 allocs=0 copies=0
# run: moved(random(5), 0, 0)
# run: moved(random(40), 20, 30)
# run: moved(random(8), -3, 2)
# run: moved(random(8), 3, 2)
def moved(x, n, m):
    if m < n:
        raise ValueError("elements would be written that are read")
    for i in prange(n):
        x[i + m] = x[i] * 2.0
    return x


#numptx export moved_as_a_comment(float64[:], int, int)
# run: x = random(40); moved_as_a_comment(x, 10, 20)
# structure: launches=1 allocs=0 copies=0
def moved_as_a_comment(x, n, m):
    if m < n:
        raise ValueError("elements would be written that are read")
    #omp parallel for schedule(static, 4) private(i)
    for i in range(n):
        x[i + m] = x[i] * 2.0
    return x


#numptx export moved_rows(float64[:,:], int, int)
# run: x = random((40, 7)); moved_rows(x, 10, 20)
# structure: launches=1 allocs=0 copies=0
# run: x = random((0, 7)); moved_rows(x, 0, 0)
# run: x = random((40, 7)); moved_rows(x, 30, 30)
def moved_rows(x, n, m):
    if m < n:
        raise ValueError("elements would be written that are read")
    # Rows that lie apart; within a row each element needs the one before.
    #numptx parallel
    for i in range(n):
        for j in range(1, x.shape[1]):
            x[i + m, j] = x[i, j] + x[i + m, j - 1]
    return x


# A statement that is not true is not followed.
#numptx export untrue(float64[:])
# run: untrue(random(50))
# run: untrue(random(0))
def untrue(x):
    for i in nx.prange(1, x.shape[0]):
        x[i] = x[i] + x[i - 1]
    return x


#numptx export total(float64[:])
# run: total(random(50))
def total(x):
    s = 0.0
    for i in numptx.prange(x.shape[0]):
        s += x[i]
    return s


# The comment belongs to the line below it alone, and other comments say nothing.
#numptx export ordinary(float64[:], float64[:])
# run: ordinary(random(9), random(9))
# run: ordinary(*[random(9)] * 2)
def ordinary(x, y):
    #omp parallel for

    for i in range(x.shape[0]):
        # omp simd
        y[i] = np.sqrt(x[i]) + 1.0
    return y


# Anywhere else `prange` is `range`.
#numptx export listed(int)
# run: listed(7)
def listed(n):
    return np.array([k * k for k in numptx.prange(2, n)]), len(prange(n))
