"""The product of a symmetric matrix, of which the lower triangle is given, with another one."""

import numpy as np


#numptx export symm(float, float, float64[:,:], float64[:,:], float64[:,:])
# run: symm(1.5, 1.2, random((3, 4)), random((3, 3)), random((3, 4)))
# run: symm(1.5, 1.2, random((11, 13)), random((11, 11)), random((11, 13)))
# run: symm(1.5, -1.2, random((24, 28)), random((24, 24)), random((24, 28)))
# large: symm(1.5, 1.2, random((150, 170)), random((150, 150)), random((150, 170)))
def symm(alpha, beta, c, a, b):
    m, n = c.shape
    for i in range(m):
        for j in range(n):
            total = 0.0
            for k in range(i):
                c[k, j] += alpha * b[i, j] * a[i, k]
                total += b[k, j] * a[i, k]
            c[i, j] = beta * c[i, j] + alpha * b[i, j] * a[i, i] + alpha * total


#numptx export symm_rows(float, float, float64[:,:], float64[:,:], float64[:,:])
# run: symm_rows(1.5, 1.2, random((3, 4)), random((3, 3)), random((3, 4)))
# run: symm_rows(1.5, 1.2, random((11, 13)), random((11, 11)), random((11, 13)))
# run: symm_rows(1.5, -1.2, random((40, 44)), random((40, 40)), random((40, 44)))
# large: symm_rows(1.5, 1.2, random((600, 500)), random((600, 600)), random((600, 500)))
def symm_rows(alpha, beta, c, a, b):
    c *= beta
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[:i, j] += alpha * b[i, j] * a[i, :i]
            c[i, j] += alpha * (b[i, j] * a[i, i] + np.dot(b[:i, j], a[i, :i]))


# Columns are few where the iterations are many: threads share the rows above, too.
#numptx export symm_columns(float, float, float64[:,:], float64[:,:], float64[:,:])
# run: symm_columns(1.5, 1.2, random((3, 4)), random((3, 3)), random((3, 4)))
# structure: launches==2 copies=0
# run: symm_columns(1.5, 1.2, random((11, 13)), random((11, 11)), random((11, 13)))
# run: symm_columns(1.5, -1.2, random((40, 44)), random((40, 40)), random((40, 44)))
# run: symm_columns(1.5, -1.2, random((90, 500)), random((90, 90)), random((90, 500)))
# run: symm_columns(1.5, 1.2, random((3, 4)), random((3, 3)), random((2, 4)))
# run: symm_columns(1.5, 1.2, random((1, 1)), random((1, 1)), random((1, 1)))
# run: symm_columns(1.5, 1.2, random((0, 2)), random((0, 0)), random((0, 2)))
# run: symm_columns(1.5, 1.2, random((2, 0)), random((2, 2)), random((2, 0)))
def symm_columns(alpha, beta, c, a, b):
    above = np.empty((c.shape[1],), dtype=c.dtype)
    c *= beta
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[:i, j] += alpha * b[i, j] * a[i, :i]
            above[j] = b[:i, j] @ a[i, :i]
        c[i, :] += alpha * b[i, :] * a[i, i] + alpha * above
