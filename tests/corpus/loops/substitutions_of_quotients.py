"""Triangular systems without a matrix: quotients."""

import numpy as np


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
