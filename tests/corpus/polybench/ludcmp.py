"""A linear system by LU decomposition, then forward and backward substitution."""

import numpy as np


#numptx export ludcmp(float64[:,:], float64[:])
# run: ludcmp(random((4, 4)) + 4 * eye(4), random(4))
# run: ludcmp(random((15, 15)) + 15 * eye(15), random(15))
# run: ludcmp(random((32, 32)) + 32 * eye(32), random(32))
# large: ludcmp(random((260, 260)) + 260 * eye(260), random(260))
def ludcmp(a, b):
    n = a.shape[0]
    for i in range(n):
        for j in range(i):
            w = a[i, j]
            for k in range(j):
                w -= a[i, k] * a[k, j]
            a[i, j] = w / a[j, j]
        for j in range(i, n):
            w = a[i, j]
            for k in range(i):
                w -= a[i, k] * a[k, j]
            a[i, j] = w
    y = np.zeros(n)
    for i in range(n):
        w = b[i]
        for j in range(i):
            w -= a[i, j] * y[j]
        y[i] = w
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        w = y[i]
        for j in range(i + 1, n):
            w -= a[i, j] * x[j]
        x[i] = w / a[i, i]
    return x, y
