"""Kernels of a C program. The file runs as plain Python too."""

import numpy as np


#numptx export saxpy(float32, float32[:], float32[:])
def saxpy(a, x, y):
    return a * x + y


#numptx export window(float64[:,:], int, int)
def window(field, i, j):
    return field[i - 1 : i + 2, j - 1 : j + 2]


#numptx export relax(float64[:], float)
def relax(field, rate):
    field[...] = field - rate * (field - 1.0)


#numptx export statistics(float64[:])
def statistics(x):
    return np.mean(x), np.max(x)


#numptx export conjugate(complex64)
def conjugate(z):
    return np.conj(z)


#numptx export pick(float64[:], int)
def pick(x, i):
    return x[i]


#numptx export gray(uint8[:,3])
def gray(pixels):
    return np.mean(pixels, axis=1)


#numptx export total(float64[:])
#numptx export total(int32[:])
def total(x):
    return np.sum(x)
