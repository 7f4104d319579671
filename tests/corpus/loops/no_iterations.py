"""Loops without iterations ask for no memory: what each of their iterations would need is allocated before them only where there is one."""

import numpy as np


#numptx export sums_of_rows(float64[:], int, int)
# run: sums_of_rows(random(3), 0, 2**38)
# run: sums_of_rows(random(3), -1, 2**38)
# run: sums_of_rows(random(3), 4, 5)
# run: sums_of_rows(random(2), 4, 5)
def sums_of_rows(x, n, m):
    s = 0.0
    for k in range(n):
        y = np.ones((3, m))
        for i in range(3):
            s += (y[i] * x[i]).sum()
    return s + x


#numptx export falling(float64[:], int, int)
# run: falling(random(3), 0, 2**38)
# run: falling(random(3), 4, 5)
def falling(x, n, m):
    for k in range(n, 0, -1):
        y = np.ones(m) * x[k % 3] + k
        x[k % 3] = y.sum() + (y * x[1]).max()
    return x


#numptx export handed_on(float64[:], int, int)
# run: handed_on(random(3), 0, 2**38)
# run: handed_on(random(3), 4, 5)
def handed_on(x, n, m):
    for k in range(n):
        y = np.zeros((m, 2))
        for i in range(m):
            y[i, 0] = x[0] + i
            y[i, 1] = x[1] * i
        x[0] = y.sum() + x[2]
    return x


# The rows of the loop inside have at most one element fewer than there are columns.
#numptx export rows_of_no_columns(float64[:,:], int)
# run: rows_of_no_columns(ones((3, 0)), 3)
# run: rows_of_no_columns(ones((0, 0)), 1)
# run: rows_of_no_columns(random((3, 1)), 2)
# run: rows_of_no_columns(random((6, 5)), 2)
def rows_of_no_columns(z, k):
    n = z.shape[1]
    r = np.ones((n, n))
    for t in range(k):
        for i in range(n - 1, -1, -1):
            row = np.sum(z[:, :i], axis=0)
            r[:i, i] = row - r[i, :i] + 2.0
    return r
