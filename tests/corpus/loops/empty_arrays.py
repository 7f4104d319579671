"""Loops whose iterations make arrays of elements that mean nothing yet, and fill them."""

import numpy as np


#numptx export ends_of_windows(float64[:,:], float64[:,:])
# run: ends_of_windows(random((300, 4)), zeros((300, 1)))
# structure: launches==1
# run: ends_of_windows(random((1, 5)), zeros((1, 2)))
# structure: launches==1
# run: ends_of_windows(random((0, 4)), zeros((0, 1)))
# run: ends_of_windows(random((9, 8))[::-1, ::2], zeros((18, 1))[::-2])
# structure: launches==1
# run: ends_of_windows(full((9, 4), nan), zeros((9, 1)))
# run: x = random((10, 4)); ends_of_windows(x[:-1], x[1:])
# run: x = random((10, 4)); ends_of_windows(x[1:], x[:-1])
# run: x = random((10, 4)); ends_of_windows(x, x)
# run: ends_of_windows(random((9, 3)), zeros((9, 1)))
# run: ends_of_windows(random((9, 4)), zeros((8, 1)))
def ends_of_windows(x, out):
    for i in range(x.shape[0]):
        w = np.empty(4)
        for p in range(4):
            w[p] = x[i, p]
        out[i, 0] = w[0] * w[3]


#numptx export stated(float64[:,:], float64[:])
# run: stated(random((300, 6)), zeros(300))
# structure: launches==1
# run: stated(random((300, 1)), zeros(300))
# run: stated(random((300, 0)), zeros(300))
# run: stated(random((0, 6)), zeros(0))
# run: stated(random((300, 6))[::-1, ::-1], zeros(600)[::2])
# structure: launches==1
def stated(x, out):
    #numptx parallel
    for i in range(x.shape[0]):
        w = np.empty(x.shape[1] + 1, dtype=np.float32)
        w[0] = 0.5
        for p in range(x.shape[1]):
            w[p + 1] = w[p] * x[i, p]
        out[i] = w[x.shape[1]]


#numptx export tridiagonal_rows(float64[:,:], float64[:,:], float64[:,:], float64[:,:], float64[:,:])
# run: r = random((40, 7)); tridiagonal_rows(-r, 3.0 + r, -r, random((40, 7)), zeros((40, 7)))
# structure: launches==1
# run: r = random((300, 40)); tridiagonal_rows(-r, 3.0 + r, -r, random((300, 40)), zeros((300, 40)))
# structure: launches==1
# run: r = random((5, 1)); tridiagonal_rows(-r, 3.0 + r, -r, random((5, 1)), zeros((5, 1)))
# run: r = random((1, 5)); tridiagonal_rows(-r, 3.0 + r, -r, random((1, 5)), zeros((1, 5)))
# run: r = random((0, 5)); tridiagonal_rows(-r, 3.0 + r, -r, random((0, 5)), zeros((0, 5)))
# run: r = random((5, 0)); tridiagonal_rows(-r, 3.0 + r, -r, random((5, 0)), zeros((5, 0)))
# run: r = random((9, 5)); tridiagonal_rows(-r, 3.0 + r, -r, random((5, 9)).T, zeros((18, 10))[::-2, ::2])
# structure: launches==1
# run: r = random((9, 5)); b = random((9, 5)); tridiagonal_rows(-r, 3.0 + r, -r, b, b)
# run: r = random((9, 5)); b = random((10, 5)); tridiagonal_rows(-r, 3.0 + r, -r, b[1:], b[:-1])
# run: r = random((9, 5)); tridiagonal_rows(-r, 3.0 + r, -r, full((9, 5), nan), zeros((9, 5)))
# run: r = random((9, 5)); tridiagonal_rows(-r, 3.0 + r, -r, random((9, 5)), zeros((9, 4)))
# run: r = random((9, 5)); tridiagonal_rows(-r, 3.0 + r, -r[:8], random((9, 5)), zeros((9, 5)))
# tolerance: 1e-12
def tridiagonal_rows(lower, diagonal, upper, b, x):
    n, m = b.shape
    for i in range(n):
        c = np.empty(m)
        d = np.empty(m)
        c[0] = upper[i, 0] / diagonal[i, 0]
        d[0] = b[i, 0] / diagonal[i, 0]
        for j in range(1, m):
            w = diagonal[i, j] - lower[i, j] * c[j - 1]
            c[j] = upper[i, j] / w
            d[j] = (b[i, j] - lower[i, j] * d[j - 1]) / w
        x[i, m - 1] = d[m - 1]
        for j in range(m - 2, -1, -1):
            x[i, j] = d[j] - c[j] * x[i, j + 1]


#numptx export median_of_neighbours(float64[:,:], float64[:,:])
# run: median_of_neighbours(random((20, 30)), zeros((20, 30)))
# structure: launches=4
# run: median_of_neighbours(random((3, 3)), zeros((3, 3)))
# structure: launches=4
# run: median_of_neighbours(random((2, 9)), zeros((2, 9)))
# run: median_of_neighbours(random((0, 0)), zeros((0, 0)))
# run: median_of_neighbours(random((9, 16))[::-1, ::2], zeros((9, 8)).T[::-1].T)
# structure: launches=4
# run: a = random((6, 8)); a[2, 3] = nan; median_of_neighbours(a, zeros((6, 8)))
# run: a = random((6, 8)); median_of_neighbours(a, a)
# run: a = random((7, 8)); median_of_neighbours(a[1:], a[:-1])
# run: median_of_neighbours(random((6, 8)), zeros((6, 6)))
def median_of_neighbours(a, out):
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            w = np.empty(9)
            for p in range(3):
                for q in range(3):
                    w[3 * p + q] = a[i + p - 1, j + q - 1]
            for p in range(1, 9):
                v = w[p]
                q = p - 1
                while q >= 0 and w[q] > v:
                    w[q + 1] = w[q]
                    q -= 1
                w[q + 1] = v
            out[i, j] = w[4]


#numptx export written_in_branches(float64[:,:], int64[:])
# run: written_in_branches(random((200, 5)) - 0.5, zeros(200, int64))
# structure: launches=4
# run: written_in_branches(zeros((20, 5)), zeros(20, int64))
# run: written_in_branches(-ones((20, 5)), zeros(20, int64))
# run: written_in_branches(random((20, 0)), zeros(20, int64))
# run: written_in_branches(random((20, 5))[::-1, ::-1] - 0.5, zeros(40, int64)[::-2])
# run: written_in_branches(full((20, 5), nan), zeros(20, int64))
def written_in_branches(x, found):
    for i in range(x.shape[0]):
        places = np.empty((2, x.shape[1]), dtype=np.int64, order="F")
        n = 0
        for j in range(x.shape[1]):
            if x[i, j] > 0.0:
                places[1, n] = j
                n += 1
        for k in range(n):
            found[i] = 10 * found[i] + places[1, k]


#numptx export rows_of_changing_length(float64[:,:], float64[:])
# run: rows_of_changing_length(random((60, 60)), zeros(60))
# structure: launches==1
# run: rows_of_changing_length(random((1, 1)), zeros(1))
# run: rows_of_changing_length(random((0, 1)), zeros(0))
# run: rows_of_changing_length(random((60, 50)), zeros(60))
# run: rows_of_changing_length(random((30, 60))[::-1, ::-2], zeros(60)[::2])
def rows_of_changing_length(x, out):
    for i in range(x.shape[0]):
        w = np.empty(i + 1)
        for j in range(i + 1):
            w[j] = x[i, j]
        for j in range(1, i + 1):
            w[j] += w[j - 1] * 0.5
        out[i] = w[i]


#numptx export kept_by_names(float64[:,:])
# run: kept_by_names(random((7, 3)))
# run: kept_by_names(random((1, 3)))
# run: kept_by_names(random((0, 3)))
def kept_by_names(x):
    last = np.zeros(3)
    for i in range(x.shape[0]):
        w = np.empty(3)
        for p in range(3):
            w[p] = x[i, p] + last[2 - p]
        last = w
    return last


#numptx export negative_sizes(float64[:], int)
# run: negative_sizes(zeros(5), 4)
# run: negative_sizes(zeros(9), 4)
# run: negative_sizes(zeros(0), 4)
def negative_sizes(x, n):
    for i in range(x.shape[0]):
        w = np.empty(n - i)
        for p in range(n - i):
            w[p] = i
        if n > i:
            x[i] = w[n - i - 1]
