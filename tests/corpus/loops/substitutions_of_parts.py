"""Triangular systems with weights, and of columns."""

import numpy as np


# Sums of what comes before alone, and with weights that the row has itself.
#numptx export without_factors(float64[:])
# run: without_factors(random(140))
# structure: launches==1 allocs=0 copies=0
def without_factors(x):
    for i in range(x.shape[0]):
        x[i] = 1.0 / (1.0 + x[i] + np.sum(x[:i]))


#numptx export weighted(float64[:,:], float64[:], float64[:])
# run: weighted(random((140, 140)), random(140), random(140))
# structure: launches==1 allocs=0 copies=0
def weighted(a, w, x):
    for i in range(x.shape[0]):
        x[i] = np.sqrt(1.0 + np.abs(np.sum((a[i, :i] * w[:i] * w[i]) * x[:i])) / (1 + i))


# Columns of a matrix that is given by its other triangle; a column of an array.
#numptx export of_columns(float64[:,:], float64[:,:], int)
# run: of_columns(random((140, 140)) + 140 * eye(140), random((140, 3)), 1)
# structure: launches==1 allocs=0 copies=0
# run: of_columns(random((140, 140)) + 140 * eye(140), random((140, 3)), 3)
# run: of_columns(random((140, 140)) + 140 * eye(140), random((140, 3)), -1)
def of_columns(upper, b, k):
    for i in range(b.shape[0]):
        b[i, k] = (b[i, k] - upper[:i, i] @ b[:i, k]) / upper[i, i]
