"""Triangular systems with weights, of columns and of quotients."""

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


# Quotients of all sizes: on GPUs the reciprocals of divisors are made before the dividends are known.
# tolerance: 0
#numptx export quotients(float64[:], float64[:], float64[:])
# run: quotients(10.0 ** integers(-330, 309, 3000), 10.0 ** integers(-330, 309, 3000) * random(3000), zeros(3000))
# run: quotients(random(3000), random(3000), zeros(3000))
# run: quotients(2.0 ** integers(-1074, 1023, 3000), -2.0 ** integers(-1074, 1023, 3000), zeros(3000))
# run: quotients(repeat([inf, -inf, nan, 0.0, -0.0, 1.0, 5e-324, 2e-308], 8), tile([inf, -inf, nan, 0.0, -0.0, -1.0, 5e-324, 1.7e308], 8), zeros(64))
def quotients(d, b, x):
    for i in range(x.shape[0]):
        x[i] = (b[i] - np.sum(x[:i] == 0.123)) / d[i]


# A part of the rows, whose sums begin where the rows do.
