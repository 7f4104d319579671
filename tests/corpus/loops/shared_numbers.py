"""Loops that hand on arrays of rank 0 which others see: they stay the memory that they are."""

import numpy as np


#numptx export element(int64[:,:] order(C), int64[:] order(C))
# run: element(ones((3, 3), int64), arange(3))
def element(x, z):
    last = z[-1, ...]
    for _ in x:
        x[:, :] = x + 1
        last = last[...]
    z[:] = 7
    return last


#numptx export written_inside(int64[:,:] order(C), int64[:] order(C))
# run: written_inside(ones((3, 3), int64), arange(3))
def written_inside(x, z):
    last = z[-1, ...]
    for i in range(3):
        x[i, 0] = last + 1
        z[2] = i
        last = last[...]
    return last


#numptx export written_after(int64[:])
# run: written_after(arange(3))
def written_after(x):
    total = np.zeros(())
    same = total
    for i in range(len(x)):
        x[i] = 2 * x[i]
        same = same[...]
    total[...] = 5
    return same


#numptx export strided(int64[:,:], int64[:])
# run: strided(ones((3, 3), int64), arange(6)[::2])
def strided(x, z):
    last = z[-1, ...]
    for _ in x:
        x[:, :] = x + 1
        last = last[...]
    z[:] = np.fmod(last, last)
    return 2
