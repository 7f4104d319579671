"""Triangular systems with weights."""

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
