"""Triangular systems of columns."""

import numpy as np


# Columns of a matrix that is given by its other triangle; a column of an array.
#numptx export of_columns(float64[:,:], float64[:,:], int)
# run: of_columns(random((140, 140)) + 140 * eye(140), random((140, 3)), 1)
# structure: launches==1 allocs=0 copies=0
# run: of_columns(random((140, 140)) + 140 * eye(140), random((140, 3)), 3)
# run: of_columns(random((140, 140)) + 140 * eye(140), random((140, 3)), -1)
def of_columns(upper, b, k):
    for i in range(b.shape[0]):
        b[i, k] = (b[i, k] - upper[:i, i] @ b[:i, k]) / upper[i, i]
