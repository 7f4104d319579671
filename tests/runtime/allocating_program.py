"""A program whose functions return fresh arrays, one of them by way of temporary ones: for tests of where memory comes from."""

PROGRAM = """
#numptx export twice(float64[:])
#numptx export add(float64[:], float64[:])
#numptx export chain(float64[:], float64[:])
import numpy as np
def twice(x):
    return 2 * x
def add(x, y):
    return x + y
def chain(x, y):
    t = np.cumsum(x)
    return np.cumsum(t + y) * 2
"""
