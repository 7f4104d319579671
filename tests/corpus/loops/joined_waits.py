"""Several sums that the host needs: on a device it waits for all of them at once."""

import numpy as np


# Four values of one loop.
#numptx export moments(float64[:])
# run: moments(random(1000))
# structure: launches=2 syncs=1
# run: moments(random(1))
def moments(x):
    total = 0.0
    squares = 0.0
    n = 0
    largest = -1.0
    for i in range(x.shape[0]):
        total += x[i]
        squares += x[i] * x[i]
        n += 1
        largest = max(largest, x[i])
    return total, squares, n, largest


# Sums of different arrays and dtypes.
#numptx export ratio(float64[:], int32[:], complex128[:])
# run: ratio(random(100), integers(1, 9, 50, dtype=int32), random(20) + 1j * random(20))
# structure: launches=3 syncs=1
# run: ratio(random(1), integers(1, 9, 1, dtype=int32), random(1) + 1j * random(1))
def ratio(x, y, z):
    a = x.sum()
    b = y.sum()
    c = z.sum()
    return float(a), int(b), complex(c)


# An element that is written between two reads of it is read twice.
#numptx export between(float64[:])
# run: between(random(5))
# run: between(random(1))
def between(x):
    a = float(x[0])
    x[0] = 7.0 + x[0]
    b = float(x[0])
    return a, b
