"""Sweeps over planes and rows: what an iteration makes for itself, shapes that only calls know, and rows that overlap themselves."""

import numpy as np


# A thread a column runs the sweep; `low` and `divided` are its own scalars.
#numptx export sweep(float64[:,:,:], float64[:,:,:], float64[:,:,:], float)
# run: sweep(random((5, 6, 9)), random((5, 6, 9)), random((6, 6, 9)), 0.5)
# structure: launches=2 allocs=1 copies=0
# run: sweep(random((5, 6, 40)).T, random((9, 6, 40)).T[:, :, :5], random((5, 6, 41)).T, 0.5)
# run: sweep(random((5, 6, 9)), random((1, 6, 9)), random((6, 6, 9)), 0.5)
# run: sweep(random((5, 6, 9)), random((5, 6, 9)), random((2, 6, 9)), 0.5)
# run: sweep(random((5, 6, 9)), random((5, 6, 9)), random((2, 1, 9)), 0.5)
# run: sweep(random((5, 6, 9)), random((5, 6, 9)), random((4, 6, 9)), 0.5)
# run: sweep(random((5, 6, 9)), random((5, 6, 9)), random((6, 6, 8)), 0.5)
# run: sweep(random((1, 1, 3)), random((1, 1, 3)), random((2, 1, 3)), 0.5)
# run: sweep(random((5, 6, 1)), random((5, 6, 1)), random((6, 6, 1)), 0.5)
# run: sweep(random((0, 6, 4)), random((0, 6, 4)), random((1, 6, 4)), 0.5)
# run: x = random((5, 6, 9)); sweep(x, x, random((6, 6, 9)), 0.5)
# run: x = random((6, 6, 9)); sweep(x[:5], x[1:], x, 0.5)
def sweep(out, a, w, rate):
    c = np.zeros(out.shape)
    for k in range(1, out.shape[2]):
        low = 0.25 * (w[1:, :, k] + w[:-1, :, k])
        c[:, :, k] = low * rate
        divided = 1.0 / (rate + low + c[:, :, k - 1])
        c[:, :, k] = c[:, :, k] * divided
        out[:, :, k] = out[:, :, k - 1] * divided + a[:, :, k] * c[:, :, k]


# What is made in an iteration is another array in each, however many there are of them.
#numptx export rows_of_their_own(float64[:,:], float64[:,:])
# run: rows_of_their_own(random((7, 5)), zeros((7, 5)))
# structure: launches=1 allocs=0 copies=0
# run: rows_of_their_own(random((7, 5)), zeros((7, 1)))
# run: rows_of_their_own(random((7, 5)).T, zeros((5, 7)))
# run: rows_of_their_own(random((0, 5)), zeros((0, 5)))
# run: x = random((8, 5)); rows_of_their_own(x[1:], x[:-1])
def rows_of_their_own(x, y):
    for i in range(x.shape[0]):
        square = x[i] * x[i]
        x[i] = square + 1.0
        y[i] = square * x[i]


# Neighbours of the same iteration need the whole row first.
#numptx export neighbours(float64[:,:], float64[:,:])
# run: neighbours(random((7, 5)), zeros((7, 5)))
# run: neighbours(random((7, 2)), zeros((7, 2)))
# run: neighbours(random((7, 0)), zeros((7, 0)))
def neighbours(x, y):
    for i in range(1, x.shape[0]):
        double = x[i - 1] + x[i]
        x[i] = double * 0.5
        y[i, 1:] = double[:-1] - double[1:]


# Elements in rising order read what was there before, and so need no copy; in falling order they would not.
#numptx export from_the_right(float64[:,:])
# run: from_the_right(random((6, 9)))
# run: from_the_right(random((6, 18))[:, ::2])
# run: from_the_right(random((9, 6)).T)
# run: from_the_right(random((6, 1)))
# run: from_the_right(random((6, 9))[:, ::-1])
def from_the_right(x):
    for i in range(1, x.shape[0]):
        x[i, :-1] += x[i, 1:] + x[i - 1, :-1]
        for j in range(1, x.shape[1]):
            x[i, j] = (x[i, j] + x[i, j - 1]) / 2.0


#numptx export from_the_left(float64[:,:])
# run: from_the_left(random((6, 9)))
# run: from_the_left(random((9, 6)).T)
# run: from_the_left(random((6, 9))[:, ::-1])
def from_the_left(x):
    for i in range(1, x.shape[0]):
        x[i, 1:] += x[i, :-1] + x[i - 1, 1:]
        for j in range(1, x.shape[1]):
            x[i, j] = (x[i, j] + x[i, j - 1]) / 2.0


# Bounds that are parameters: a slice of them may be shorter than it looks.
#numptx export between(float64[:,:], int, int)
# run: between(random((6, 9)), 1, 8)
# structure: launches=1 allocs=0 copies=0
# run: between(random((6, 9)), 0, 12)
# run: between(random((6, 9)), -5, -1)
# run: between(random((6, 9)), 5, 3)
def between(x, low, high):
    for i in range(1, x.shape[0]):
        x[i, low:high] = x[i, low:high] * 0.5 + x[i - 1, low:high]
