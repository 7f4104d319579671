"""Rows that are divided by their sums: loops that store and sum in the iterations of independent ones."""

import numpy as np


#numptx export exponentials(float64[:,:], float64[:,:])
# run: exponentials(random((300, 20)), zeros((300, 20)))
# structure: launches==1 allocs==0
# run: exponentials(random((1, 1)), zeros((1, 1)))
# structure: launches==1
# run: exponentials(random((0, 20)), zeros((0, 20)))
# run: exponentials(random((300, 0)), zeros((300, 0)))
# run: exponentials(random((5, 3000)), zeros((5, 3000)))
# structure: launches==1
# run: exponentials(random((20, 9))[::-1, ::2], zeros((20, 10))[::-1, ::-2])
# structure: launches==1
# run: a = random((9, 7)); a[3, 4] = nan; a[5, 6] = inf; exponentials(a, zeros((9, 7)))
# run: a = random((9, 7)); exponentials(a, a)
# run: a = random((10, 7)); exponentials(a[1:], a[:-1])
# run: a = random((10, 7)); exponentials(a[:-1], a[1:])
# run: a = random((9, 8)); exponentials(a[:, 1:], a[:, :-1])
# run: exponentials(random((9, 7)), zeros((9, 6)))
# run: exponentials(random((9, 7)), zeros((8, 7)))
def exponentials(a, out):
    for i in range(a.shape[0]):
        s = 0.0
        for j in range(a.shape[1]):
            out[i, j] = np.exp(a[i, j])
            s += out[i, j]
        for j in range(a.shape[1]):
            out[i, j] /= s


#numptx export softmax_by_elements(float64[:,:], float64[:,:])
# run: softmax_by_elements(random((300, 20)), zeros((300, 20)))
# structure: launches==1 allocs==0
# run: softmax_by_elements(random((1, 1)), zeros((1, 1)))
# structure: launches==1
# run: softmax_by_elements(random((0, 20)), zeros((0, 20)))
# run: softmax_by_elements(random((3, 0)), zeros((3, 0)))
# run: softmax_by_elements(random((5, 3000)), zeros((5, 3000)))
# structure: launches==1
# run: softmax_by_elements(random((20, 9))[::-1, ::2], zeros((20, 10))[::-1, ::-2])
# structure: launches==1
# run: a = random((9, 7)); a[3, 4] = nan; a[4, 0] = nan; softmax_by_elements(a, zeros((9, 7)))
# run: a = random((9, 7)); softmax_by_elements(a, a)
# run: a = random((10, 7)); softmax_by_elements(a[1:], a[:-1])
# run: a = random((9, 8)); softmax_by_elements(a[:, 1:], a[:, :-1])
# run: softmax_by_elements(random((9, 7)), zeros((9, 6)))
def softmax_by_elements(a, out):
    for i in range(a.shape[0]):
        m = a[i, 0]
        for j in range(1, a.shape[1]):
            if a[i, j] > m:
                m = a[i, j]
        s = 0.0
        for j in range(a.shape[1]):
            out[i, j] = np.exp(a[i, j] - m)
            s += out[i, j]
        for j in range(a.shape[1]):
            out[i, j] /= s


#numptx export softmax_stated(float32[:,:], float32[:,:])
# run: softmax_stated(random((300, 20), float32), zeros((300, 20), float32))
# structure: launches==1
# run: softmax_stated(random((1, 1), float32), zeros((1, 1), float32))
# run: softmax_stated(random((0, 20), float32), zeros((0, 20), float32))
# run: softmax_stated(random((20, 9), float32)[::-1, ::2], zeros((20, 10), float32)[::-1, ::-2])
# structure: launches==1
# tolerance: 1e-5
def softmax_stated(a, out):
    #omp parallel for
    for i in range(a.shape[0]):
        m = a[i, 0]
        for j in range(1, a.shape[1]):
            m = max(m, a[i, j])
        s = np.float32(0.0)
        for j in range(a.shape[1]):
            e = np.exp(a[i, j] - m)
            out[i, j] = e
            s += e
        for j in range(a.shape[1]):
            out[i, j] /= s


#numptx export planes_by_sums(float64[:,:,:], int64[:,:])
# run: planes_by_sums(random((12, 30, 5)) - 0.5, zeros((12, 30), int64))
# structure: launches==1
# run: planes_by_sums(random((0, 30, 5)), zeros((0, 30), int64))
# run: planes_by_sums(random((12, 30, 0)), zeros((12, 30), int64))
# run: planes_by_sums(random((12, 30, 5))[::-1, :, ::-1] - 0.5, zeros((30, 12), int64).T)
# structure: launches==1
# run: planes_by_sums(full((12, 3, 5), nan), zeros((12, 3), int64))
def planes_by_sums(x, negative):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            n = 0
            for k in range(x.shape[2]):
                if x[i, j, k] < 0.0:
                    x[i, j, k] = -x[i, j, k]
                    n += 1
            negative[i, j] = n


#numptx export sums_of_sums(float64[:,:], float64[:,:])
# run: sums_of_sums(random((40, 30)), zeros((40, 30)))
# run: sums_of_sums(random((0, 30)), zeros((0, 30)))
# run: sums_of_sums(random((40, 0)), zeros((40, 0)))
# run: sums_of_sums(random((1, 1)), zeros((1, 1)))
# run: x = random((40, 31)); sums_of_sums(x[:, 1:], x[:, :-1])
def sums_of_sums(x, y):
    total = np.float64(0.0)
    for i in range(x.shape[0]):
        s = np.float64(0.0)
        for j in range(x.shape[1]):
            y[i, j] = x[i, j] * x[i, j]
            s += y[i, j]
        total += s
    return total


#numptx export repeated_in_time(float64[:,:], float64[:,:], int)
# run: repeated_in_time(random((300, 20)), zeros((300, 20)), 3)
# run: repeated_in_time(random((1, 1)), zeros((1, 1)), 3)
# run: repeated_in_time(random((30, 20)), zeros((30, 20)), 0)
# run: repeated_in_time(random((20, 9))[::-1, ::2], zeros((20, 10))[::-1, ::-2], 2)
# run: x = random((21, 9)); repeated_in_time(x[1:], x[:-1], 2)
def repeated_in_time(x, y, steps):
    for t in range(steps):
        for i in range(x.shape[0]):
            s = 1.0
            for j in range(x.shape[1]):
                y[i, j] = x[i, j] + y[i, j] * 0.5
                s += y[i, j]
            for j in range(x.shape[1]):
                x[i, j] = y[i, j] / s
