"""Triangular systems of parts of arrays and of bands, and iterations that only look like such systems."""

import numpy as np


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
