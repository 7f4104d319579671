"""Cholesky's factor of a symmetric positive definite matrix, in the lower triangle."""

import numpy as np


#numptx export cholesky(float64[:,:])
# run: m = random((5, 5)); cholesky(m @ m.T + 5 * eye(5))
# run: m = random((17, 17)); cholesky(m @ m.T + 17 * eye(17))
# structure: launches==1
# run: m = random((36, 36)); cholesky(m @ m.T + 36 * eye(36))
# run: cholesky(-ones((3, 3)))
# run: cholesky(ones((0, 0)))
# large: m = random((300, 300)); cholesky(m @ m.T + 300 * eye(300))
def cholesky(a):
    n = a.shape[0]
    for i in range(n):
        for j in range(i):
            for k in range(j):
                a[i, j] -= a[i, k] * a[j, k]
            a[i, j] /= a[j, j]
        for k in range(i):
            a[i, i] -= a[i, k] * a[i, k]
        a[i, i] = np.sqrt(a[i, i])


#numptx export cholesky_dots(float64[:,:])
# run: m = random((5, 5)); cholesky_dots(m @ m.T + 5 * eye(5))
# run: m = random((17, 17)); cholesky_dots(m @ m.T + 17 * eye(17))
# structure: launches==1
# run: m = random((60, 60)); cholesky_dots(m @ m.T + 60 * eye(60))
# large: m = random((900, 900)); cholesky_dots(m @ m.T + 900 * eye(900))
# bench: m = random((400, 400)); cholesky_dots(m @ m.T + 400 * eye(400))
def cholesky_dots(a):
    for i in range(a.shape[0]):
        for j in range(i):
            a[i, j] = (a[i, j] - np.dot(a[i, :j], a[j, :j])) / a[j, j]
        a[i, i] = np.sqrt(a[i, i] - np.dot(a[i, :i], a[i, :i]))


#numptx export cholesky_columns(float64[:,:])
# run: m = random((5, 5)); cholesky_columns(m @ m.T + 5 * eye(5))
# structure: launches<=15
# run: m = random((17, 17)); cholesky_columns(m @ m.T + 17 * eye(17))
# run: m = random((60, 60)); cholesky_columns(m @ m.T + 60 * eye(60))
# large: m = random((900, 900)); cholesky_columns(m @ m.T + 900 * eye(900))
def cholesky_columns(a):
    n = a.shape[0]
    for k in range(n):
        a[k, k] = np.sqrt(a[k, k])
        a[k + 1 :, k] /= a[k, k]
        for j in range(k + 1, n):
            a[j:, j] -= a[j:, k] * a[j, k]
    return a
