"""Kernels of a Rust program. The file runs as plain Python too."""

import numpy as np


#numptx export saxpy(float32, float32[:], float32[:])
def saxpy(a, x, y):
    """a * x + y."""
    return a * x + y


#numptx export window(float64[:,:], int, int)
def window(field, i, j):
    """The 3 by 3 neighbourhood of a point: a view of the field."""
    return field[i - 1 : i + 2, j - 1 : j + 2]


#numptx export relax(float64[:], float)
def relax(field, rate):
    """Moves every element towards 1, in place."""
    field[...] = field - rate * (field - 1.0)


#numptx export statistics(float64[:])
def statistics(x):
    """Mean and largest element."""
    if len(x) == 0:
        raise ValueError("no elements")
    return np.mean(x), np.max(x)
