"""Windows that end where the array ends: moving averages and filters as they are written, of which each element is a point of one kernel."""

import numpy as np


#numptx export moving_sum(float64[:], int)
# run: moving_sum(random(40), 3)
# structure: launches==1 allocs=1 copies=0
# run: moving_sum(random(40), 0)
# run: moving_sum(random(5), 70)
# run: moving_sum(random(1), 1)
# run: moving_sum(random(0), 2)
# run: moving_sum(random(7), -1)
# run: moving_sum(random(7), -3)
def moving_sum(x, r):
    n = x.shape[0]
    y = np.empty(n)
    for i in range(n):
        y[i] = x[max(0, i - r):min(n, i + r + 1)].sum()
    return y


# Only where whole windows are.
#numptx export inner_sum(float64[:], int)
# run: inner_sum(random(40), 3)
# structure: launches==2 allocs=1 copies=0
# run: inner_sum(random(40), 0)
# run: inner_sum(random(7), 3)
# run: inner_sum(random(7), 4)
# run: inner_sum(random(0), 2)
# run: inner_sum(random(9), -2)
# run: inner_sum(random(9), -30)
def inner_sum(x, r):
    y = np.zeros(len(x))
    for i in range(r, len(x) - r):
        y[i] = np.sum(x[i - r:i + r + 1])
    return y


# What is not negative is said before.
#numptx export inner_largest(float64[:], float64[:], int)
# run: inner_largest(random(40), zeros(40), 3)
# structure: launches==1 allocs=0 copies=0
# run: inner_largest(random(40), zeros(36), 3)
# run: inner_largest(random(40), zeros(40), -1)
def inner_largest(x, y, r):
    if r < 0:
        raise ValueError("r")
    for i in range(r, len(x) - r):
        y[i] = np.max(x[i - r:i + r + 1])


# The slice ends at the end by itself.
#numptx export moving_largest(float64[:], int)
# run: moving_largest(random(40), 3)
# structure: launches==1 allocs=1 copies=0
# run: moving_largest(random(40), 0)
# run: moving_largest(random(5), 70)
# run: moving_largest(random(0), 2)
def moving_largest(x, r):
    y = np.empty(len(x))
    for i in range(len(x)):
        y[i] = np.max(x[max(i - r, 0):i + r + 1])
    return y


#numptx export moving_average(float64[:], int)
# run: moving_average(random(60)[::2], 4)
# structure: launches==1 allocs=1 copies=0
# run: moving_average(random(6)[::2], 9)
def moving_average(x, r):
    y = np.empty_like(x)
    for i in range(x.size):
        low = max(i - r, 0)
        high = min(i + r + 1, x.size)
        y[i] = x[low:high].mean()
    return y


#numptx export box(float64[:,:], int)
# run: box(random((9, 12)), 2)
# structure: launches==1 allocs=1 copies=0
# run: box(random((9, 12)).T, 1)
# run: box(random((3, 2)), 5)
# run: box(random((0, 4)), 1)
# run: box(random((4, 0)), 1)
def box(x, r):
    h, w = x.shape
    y = np.empty((h, w))
    for i in range(h):
        for j in range(w):
            y[i, j] = x[max(i - r, 0):min(i + r + 1, h), max(j - r, 0):min(j + r + 1, w)].mean()
    return y


#numptx export bilateral(float64[:,:], int, float64)
# run: bilateral(random((9, 12)), 2, 0.3)
# structure: launches==1 allocs=1 copies=0
# run: bilateral(random((2, 3)), 4, 0.3)
def bilateral(x, r, s):
    h, w = x.shape
    y = np.empty((h, w))
    for i in range(h):
        for j in range(w):
            window = x[max(0, i - r):min(h, i + r + 1), max(0, j - r):min(w, j + r + 1)]
            weight = np.exp(-(window - x[i, j]) ** 2 / s)
            y[i, j] = np.sum(weight * window) / np.sum(weight)
    return y


# What is stored is in the windows of others.
#numptx export smoothed_in_place(float64[:], int)
# run: smoothed_in_place(random(20), 2)
# run: smoothed_in_place(random(20), 0)
# run: smoothed_in_place(random(5), 9)
def smoothed_in_place(x, r):
    n = len(x)
    for i in range(n):
        x[i] = x[max(0, i - r):min(n, i + r + 1)].mean()
