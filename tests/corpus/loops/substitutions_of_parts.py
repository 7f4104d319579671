"""Triangular systems with weights, of columns, of parts of arrays and of bands, and iterations that only look like such systems."""

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
#numptx export of_part(float64[:,:], float64[:], int, int)
# run: of_part(random((150, 150)) + 150 * eye(150), random(150), 3, 140)
# run: of_part(random((150, 150)) + 150 * eye(150), random(150), 0, 150)
# run: of_part(random((150, 150)) + 150 * eye(150), random(150), 140, 3)
# run: of_part(random((150, 150)) + 150 * eye(150), random(150), 3, 151)
# run: of_part(random((150, 150)) + 150 * eye(150), random(150), -3, 100)
def of_part(lower, x, begin, end):
    for i in range(begin, end):
        x[i] = (x[i] - lower[i, begin:i] @ x[begin:i]) / lower[i, i]


# These are none: sums begin before the first row; are of a band; have other elements of the row's own vector beside them.
#numptx export from_one(float64[:,:], float64[:])
# run: from_one(random((150, 150)) + 150 * eye(150), random(150))
def from_one(lower, x):
    for i in range(1, x.shape[0]):
        x[i] = (x[i] - lower[i, :i] @ x[:i]) / lower[i, i]


#numptx export banded(float64[:,:], float64[:], int)
# run: banded(random((150, 150)) + 150 * eye(150), random(150), 5)
# run: banded(random((150, 150)) + 150 * eye(150), random(150), 500)
# run: banded(random((150, 150)) + 150 * eye(150), random(150), 0)
def banded(lower, x, width):
    for i in range(x.shape[0]):
        begin = max(i - width, 0)
        x[i] = (x[i] - lower[i, begin:i] @ x[begin:i]) / lower[i, i]


#numptx export with_the_next(float64[:,:], float64[:])
# run: with_the_next(random((150, 150)) + 150 * eye(150), random(151))
def with_the_next(lower, x):
    for i in range(x.shape[0] - 1):
        x[i] = (x[i + 1] - lower[i, :i] @ x[:i]) / lower[i, i]


# What rows find out of all rows before is of another dtype than they are.
#numptx export comparing(float64[:,:], float64[:])
# run: comparing(random((140, 140)), random(140))
# run: comparing(random((3, 3)), random(3))
def comparing(a, x):
    for i in range(x.shape[0]):
        x[i] = x[i] + np.all(x[:i] > a[i, :i])
