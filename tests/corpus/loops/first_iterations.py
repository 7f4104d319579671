"""Loops from the first element on, in which conditions or empty loops keep indices from counting from the end."""

import numpy as np


#numptx export triangle(int64[:,:])
# run: triangle(zeros((40, 40), dtype=int64))
# structure: launches==1
# run: triangle(zeros((1, 1), dtype=int64))
# run: triangle(zeros((0, 3), dtype=int64))
# run: triangle(zeros((3, 0), dtype=int64))
# run: triangle(zeros((4, 3), dtype=int64))
def triangle(c):
    for i in range(c.shape[0]):
        c[i, 0] = 1
        for j in range(1, i + 1):
            c[i, j] = c[i - 1, j - 1] + c[i - 1, j]


#numptx export rows_before(float64[:,:])
# run: rows_before(random((30, 20)))
# structure: launches==1
# run: rows_before(random((1, 20)))
# run: rows_before(random((0, 20)))
def rows_before(x):
    for i in range(x.shape[0]):
        if i > 0:
            for j in range(x.shape[1]):
                x[i, j] = 0.5 * x[i, j] + x[i - 1, j]


# Here the first row does look at the last one, which is not yet changed.
#numptx export from_the_last(float64[:,:])
# run: from_the_last(random((30, 20)))
# run: from_the_last(random((1, 20)))
# run: from_the_last(random((2, 20)))
# run: from_the_last(random((0, 20)))
def from_the_last(x):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            x[i, j] = 0.5 * x[i, j] + x[i - 1, j]


#numptx export only_the_first(float64[:,:])
# run: only_the_first(random((30, 20)))
# run: only_the_first(random((1, 20)))
# run: only_the_first(random((0, 20)))
def only_the_first(x):
    for i in range(x.shape[0]):
        if i < 1:
            for j in range(x.shape[1]):
                x[i, j] = 0.5 * x[i, j] + x[i - 1, j]


#numptx export neighbours(float64[:], float64[:])
# run: neighbours(random(50), zeros(50))
# structure: launches==1
# run: neighbours(random(1), zeros(1))
# run: neighbours(random(0), zeros(0))
# run: neighbours(random(9), zeros(8))
def neighbours(x, y):
    n = x.shape[0]
    for i in range(n):
        s = x[i]
        if i > 0:
            s += x[i - 1]
        if i < n - 1:
            s += x[i + 1]
        y[i] = s


#numptx export falling(float64[:,:])
# run: falling(random((30, 20)))
# run: falling(random((1, 20)))
# run: falling(random((0, 20)))
def falling(x):
    for i in range(x.shape[0] - 1, -1, -1):
        for j in range(i - 1, -1, -1):
            x[i, j] = x[i - 1, j] + np.sqrt(x[i, j])
