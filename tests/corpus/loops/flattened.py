"""Arrays of one axis that loops index as if they had more: `i * m + j`. Where rows overlap, or indices leave theirs, loops stay in order."""

import numpy as np


#numptx export scaled(float64[:], float64[:], int, int)
# run: scaled(random(1200), zeros(1200), 30, 40)
# structure: launches==1 allocs=0 copies=0
# run: scaled(random(1210), zeros(1200), 30, 40)
# run: scaled(random(1200), zeros(1199), 30, 40)
# run: scaled(random(1200), zeros(1200), 1, 1200)
# run: scaled(random(1200), zeros(1200), 1200, 1)
# run: scaled(random(1200), zeros(1200), 0, 40)
# run: scaled(random(1200), zeros(1200), 30, 0)
# run: scaled(random(1200), zeros(1200), 30, -40)
# run: scaled(random(1200), zeros(1200), -30, 40)
# run: scaled(random(2400)[::-2], zeros(2400)[::2], 30, 40)
# run: scaled(random(0), zeros(0), 0, 0)
# run: scaled(random(3), zeros(3), 2**33, 2**33)
# run: scaled(random(3), zeros(3), 2, 2**63 - 1)
def scaled(x, y, n, m):
    for i in range(n):
        for j in range(m):
            y[i * m + j] = 2.0 * x[i * m + j]


#numptx export empty_rows(float64[:], int, int, int)
# run: empty_rows(zeros(5), 3, 7, 0)
# run: empty_rows(zeros(60), 4, 14, 14)
# structure: launches==1 allocs=0 copies=0
def empty_rows(y, n, m, k):
    for i in range(n):
        first = i * m
        for j in range(k):
            y[first + j] = i - j


#numptx export product(float64[:], float64[:], float64[:], int, int, int)
# run: product(random(20 * 30), random(30 * 25), random(20 * 25), 20, 25, 30)
# structure: launches==1 allocs=0 copies=0
# run: product(random(20 * 30), random(30 * 25), random(20 * 25 - 1), 20, 25, 30)
# run: product(random(20 * 30), random(30 * 25), random(20 * 25), 20, 25, 31)
# run: product(random(6), random(6), random(4), 2, 2, 0)
def product(a, b, c, m, n, k):
    for i in range(m):
        for j in range(n):
            for p in range(k):
                c[i * n + j] += a[i * k + p] * b[p * n + j]


#numptx export summed_product(float64[:], float64[:], float64[:], int)
# run: summed_product(random(900), random(900), zeros(900), 30)
# structure: launches==1 allocs=0 copies=0
# run: summed_product(random(900), random(899), zeros(900), 30)
def summed_product(a, b, c, n):
    for i in range(n):
        for j in range(n):
            s = 0.0
            for p in range(n):
                s += a[i * n + p] * b[p * n + j]
            c[i * n + j] = s


#numptx export stencil(float64[:], float64[:], int, int)
# run: stencil(random(1200), zeros(1200), 30, 40)
# structure: launches==1 allocs=0 copies=0
# run: stencil(random(1200), zeros(1200), 2, 40)
# run: stencil(random(1200), zeros(1200), 30, 2)
# run: stencil(random(1200), zeros(1200), 31, 40)
# run: stencil(random(1200), zeros(1200), 30, -7)
def stencil(x, y, n, m):
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            around = x[(i - 1) * m + j] + x[i * m + j - 1] + x[i * m + j + 1] + x[(i + 1) * m + j]
            y[i * m + j] = around - 4.0 * x[i * m + j]


# Of the first and the last column neighbours are in other rows.
#numptx export around_the_edge(float64[:], float64[:], int, int)
# run: around_the_edge(random(1200), zeros(1200), 30, 40)
# run: around_the_edge(random(1200), zeros(1200), 31, 40)
def around_the_edge(x, y, n, m):
    for i in range(n):
        for j in range(m):
            y[i * m + j] = x[i * m + j - 1]


#numptx export sweep(float64[:], int, int)
# run: sweep(random(1200), 30, 40)
# structure: launches==1 allocs=0 copies=0
# run: sweep(random(1200), 31, 40)
# run: sweep(random(1200), 30, 2)
def sweep(x, n, m):
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            x[i * m + j] = 0.25 * (x[(i - 1) * m + j] + x[i * m + j - 1] + x[i * m + j + 1] + x[(i + 1) * m + j])


#numptx export jacobi(float64[:], float64[:], int, int, int)
# run: jacobi(random(600), zeros(600), 20, 30, 5)
# structure: launches==1 allocs=0 copies=0
# run: jacobi(random(600), zeros(600), 21, 30, 5)
# run: jacobi(random(600), zeros(600), 20, 30, 0)
def jacobi(x, y, n, m, steps):
    for t in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                y[i * m + j] = 0.25 * (x[(i - 1) * m + j] + x[i * m + j - 1] + x[i * m + j + 1] + x[(i + 1) * m + j])
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                x[i * m + j] = y[i * m + j]


# What a row reads of the next one is copied before.
#numptx export shifted(float64[:], int, int)
# run: shifted(random(1200), 30, 40)
# run: shifted(random(1200), 31, 40)
# run: shifted(random(1200), 1, 40)
def shifted(x, n, m):
    for i in range(n - 1):
        for j in range(m):
            x[i * m + j] = x[(i + 1) * m + j] * 0.5


#numptx export deep(float64[:], float64[:], int, int, int)
# run: deep(random(840), zeros(840), 7, 8, 15)
# structure: launches==1 allocs=0 copies=0
# run: deep(random(840), zeros(839), 7, 8, 15)
# run: deep(random(840), zeros(840), 7, 0, 15)
# run: deep(random(840), zeros(840), 7, 8, 0)
# run: deep(random(840), zeros(840), 7, -8, -15)
def deep(x, y, n, m, k):
    for i in range(n):
        for j in range(m):
            for l in range(k):
                y[(i * m + j) * k + l] = x[(i * m + j) * k + l] + 1.0


#numptx export deep_in_words(float64[:], float64[:], int, int, int)
# run: deep_in_words(random(840), zeros(840), 7, 8, 15)
# structure: launches==1 allocs=0 copies=0
# run: deep_in_words(random(840), zeros(840), 8, 8, 15)
def deep_in_words(x, y, n, m, k):
    for i in range(n):
        for j in range(m):
            for l in range(k):
                y[i * m * k + j * k + l] = x[i * (m * k) + j * k + l] + 1.0


# Two axes, of which the loop takes one apart.
#numptx export planes(float64[:], float64[:], int, int, int)
# run: planes(random(840), zeros(840), 7, 8, 15)
# structure: launches==1 allocs=0 copies=0
# run: planes(random(840), zeros(840), 7, -8, -15)
def planes(x, y, n, m, k):
    for i in range(n):
        for l in range(m * k):
            y[i * m * k + l] = x[i * m * k + l] + 1.0


#numptx export rows(float64[:,:], float64[:,:], int, int)
# run: rows(random((60, 7)), zeros((60, 7)), 6, 10)
# structure: launches==1 allocs=0 copies=0
# run: rows(random((60, 1)), zeros((60, 7)), 6, 10)
# run: rows(random((60, 7)), zeros((25, 7)), 6, 10)
# run: rows(random((25, 7)), zeros((60, 7)), 6, 10)
# run: rows(random((60, 7)), zeros((60, 7)), 6, -10)
def rows(x, y, n, w):
    for i in range(n):
        for j in range(w):
            y[i * w + j, :] = 2.0 * x[i * w + j, :]


#numptx export corners(float64[:,:], float64[:])
# run: corners(random((20, 30)), zeros(18 * 28))
# structure: launches==1 allocs=0 copies=0
# run: corners(random((20, 30)), zeros(18 * 28 - 1))
# run: corners(random((20, 2)), zeros(5))
# run: corners(random((20, 1)), zeros(5))
# run: corners(random((0, 0)), zeros(5))
def corners(x, y):
    h, w = x.shape
    for i in range(h - 2):
        for j in range(w - 2):
            y[i * (w - 2) + j] = x[i, j] + x[i + 2, j + 2]


#numptx export inner(float64[:], float64[:], int, int)
# run: inner(random(600), zeros(18 * 28), 20, 30)
# structure: launches==1 allocs=0 copies=0
# run: inner(random(600), zeros(18 * 28), 20, 31)
def inner(x, y, h, w):
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            y[(i - 1) * (w - 2) + j - 1] = x[i * w + j]


#numptx export transposed(float64[:], float64[:], int, int)
# run: transposed(random(600), zeros(600), 20, 30)
# structure: launches==1 allocs=0 copies=0
# run: transposed(random(600), zeros(600), 21, 30)
# run: transposed(random(600), zeros(600), 1, 600)
def transposed(x, y, n, m):
    for i in range(n):
        for j in range(m):
            y[j * n + i] = x[i * m + j]


#numptx export triples(float64[:], float64[:], int, int)
# run: triples(random(1800), zeros(1800), 20, 30)
# structure: launches==1 allocs=0 copies=0
# run: triples(random(1800), zeros(1799), 20, 30)
def triples(x, y, n, m):
    for i in range(n):
        for j in range(m):
            for c in range(3):
                y[(i * m + j) * 3 + c] = x[(i * m + j) * 3 + c] + 1.0


#numptx export interleaved(float64[:], float64[:], int, int)
# run: interleaved(random(600), zeros(1200), 20, 30)
# structure: launches==1 allocs=0 copies=0
# run: interleaved(random(600), zeros(1199), 20, 30)
def interleaved(x, y, n, m):
    for i in range(n):
        for j in range(m):
            y[2 * (i * m + j)] = x[i * m + j]
            y[2 * (i * m + j) + 1] = -x[i * m + j]


# Rows overlap where they are longer than they are apart.
#numptx export padded(float64[:], float64[:], int, int, int)
# run: padded(random(640), zeros(640), 20, 30, 32)
# run: padded(random(640), zeros(640), 20, 30, 30)
# run: padded(random(640), zeros(640), 20, 30, 7)
# run: padded(random(640), zeros(640), 20, 30, 0)
# run: padded(random(640), zeros(640), 20, 30, -3)
# run: padded(random(640), zeros(640), 20, 30, -30)
def padded(x, y, n, m, apart):
    for i in range(n):
        for j in range(m):
            k = i * apart + j
            if j > 0:
                y[k] = y[k] + x[k] - x[k - 1]
            else:
                y[k] = y[k] + x[k]


# Indices that count from the end in all iterations, or in some.
#numptx export from_the_end(float64[:], int, int)
# run: from_the_end(zeros(600), 20, 30)
# run: from_the_end(zeros(600), 21, 30)
def from_the_end(y, n, m):
    for i in range(n):
        for j in range(m):
            y[i * m + j - n * m] += i + 100.0 * j


#numptx export backwards(float64[:], float64[:], int, int)
# run: backwards(random(600), zeros(600), 20, 30)
# structure: launches==1 allocs=0 copies=0
# run: backwards(random(600), zeros(600), 20, 31)
def backwards(x, y, n, m):
    for i in range(n - 1, -1, -1):
        for j in range(m):
            y[i * m + j] = x[(n - 1 - i) * m + j]


# A column, and rows that it is added to.
#numptx export with_column(float64[:], int, int)
# run: with_column(random(600), 20, 30)
# run: with_column(random(600), 20, 31)
def with_column(x, n, m):
    for i in range(n):
        for j in range(1, m):
            x[i * m + j] += x[i * m]


#numptx export triangular(float64[:], float64[:], int)
# run: triangular(random(900) + 0.1, random(30), 30)
# structure: launches==1 allocs=0 copies=0
# run: triangular(random(899) + 0.1, random(30), 30)
# run: triangular(random(900) + 0.1, random(29), 30)
def triangular(l, x, n):
    for i in range(n):
        for j in range(i):
            x[i] -= l[i * n + j] * x[j]
        x[i] /= l[i * n + i]


#numptx export total(float64[:], int, int)
# run: total(random(600), 20, 30)
# structure: launches<=2
# run: total(random(600), 21, 30)
# run: total(random(3), 2**40, 2**40)
def total(x, n, m):
    s = 0.0
    for i in range(n):
        for j in range(m):
            s += x[i * m + j]
    return s


#numptx export largest(int64[:], int, int)
# run: largest(integers(0, 1000, 600), 20, 30)
# run: largest(integers(0, 1000, 600), 20, 31)
# run: largest(integers(0, 9, 1), 0, 0)
def largest(x, n, m):
    best = x[0]
    for i in range(n):
        for j in range(m):
            if x[i * m + j] > best:
                best = x[i * m + j]
    return best


#numptx export scaled_and_summed(float64[:], float64[:], int, int)
# run: scaled_and_summed(random(600), zeros(600), 20, 30)
# run: scaled_and_summed(random(600), zeros(599), 20, 30)
def scaled_and_summed(x, y, n, m):
    s = 0.0
    for i in range(n):
        for j in range(m):
            y[i * m + j] = x[i * m + j] * 2.0
            s += x[i * m + j]
    return s


#numptx export copied(float64[:,:])
# run: copied(random((20, 30)))
# structure: launches==1 allocs=1 copies=0
# run: copied(random((20, 0)))
# run: copied(random((0, 30)))
# run: copied(random((30, 20)).T)
def copied(x):
    n, m = x.shape
    y = np.empty(n * m)
    for i in range(n):
        for j in range(m):
            y[i * m + j] = x[i, j]
    return y


# Ints of the loop are data, too.
#numptx export numbered(int32[:], int64[:], int, int)
# run: numbered(integers(0, 1000, 600, int32), zeros(600, int64), 20, 30)
# run: numbered(integers(0, 1000, 600, int32), zeros(600, int64), 21, 30)
def numbered(x, y, n, m):
    for i in range(n):
        for j in range(m):
            y[i * m + j] = i * m + j + x[i * m + j]


#numptx export at_points(float64[:], float64[:], int64[:], int, int)
# run: at_points(random(600), zeros(600), integers(0, 20, 20), 20, 30)
# run: at_points(random(600), zeros(600), integers(0, 25, 20), 20, 30)
def at_points(x, y, at, n, m):
    for i in range(n):
        for j in range(m):
            y[i * m + j] = x[at[i] * m + j]


#numptx export in_one_array(float64[:], int, int)
# run: in_one_array(random(1200), 20, 30)
# run: in_one_array(random(1199), 20, 30)
def in_one_array(x, n, m):
    x_rows = x[: n * m]
    y_rows = x[n * m :]
    for i in range(n):
        for j in range(m):
            y_rows[i * m + j] = x_rows[i * m + j]


# Elsewhere than at 0, and in other rows than those that are read.
#numptx export from_a_row_on(float64[:], float64[:], int, int, int)
# run: from_a_row_on(random(600), zeros(600), 20, 30, 5)
# structure: launches==1 allocs=0 copies=0
# run: from_a_row_on(random(600), zeros(600), 20, 30, -5)
# run: from_a_row_on(random(600), zeros(600), 20, 30, 25)
def from_a_row_on(x, y, n, m, first):
    for i in range(first, n):
        for j in range(m):
            y[i * m + j] = x[(i - first) * m + j]


#numptx export batch(float64[:], float64[:], int, int, int)
# run: batch(random(840), zeros(840), 7, 8, 15)
# structure: launches==1 allocs=0 copies=0
# run: batch(random(840), zeros(840), 8, 8, 15)
def batch(x, y, b, n, m):
    for k in range(b):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                y[k * n * m + i * m + j] = x[k * n * m + (i - 1) * m + j] + x[k * n * m + (i + 1) * m + j]


#numptx export convolved(float64[:], float64[:], float64[:], int, int, int)
# run: convolved(random(600), random(9), zeros(600), 20, 30, 3)
# structure: launches==1 allocs=0 copies=0
# run: convolved(random(600), random(8), zeros(600), 20, 30, 3)
# run: convolved(random(600), random(9), zeros(600), 20, 30, 0)
def convolved(x, w, y, n, m, r):
    for i in range(n - r + 1):
        for j in range(m - r + 1):
            s = 0.0
            for di in range(r):
                for dj in range(r):
                    s += x[(i + di) * m + j + dj] * w[di * r + dj]
            y[i * m + j] = s


#numptx export eliminated(float64[:], int)
# run: eliminated(random(400) + 1.0, 20)
# structure: launches==1 allocs=0 copies=0
# run: eliminated(random(399) + 1.0, 20)
def eliminated(a, n):
    for k in range(n):
        for i in range(k + 1, n):
            a[i * n + k] /= a[k * n + k]
            for j in range(k + 1, n):
                a[i * n + j] -= a[i * n + k] * a[k * n + j]


#numptx export subsequence(int64[:], int64[:], int64[:], int, int)
# run: subsequence(integers(0, 4, 20), integers(0, 4, 30), zeros(651, int64), 20, 30)
# structure: launches==1 allocs=0 copies=0
# run: subsequence(integers(0, 4, 20), integers(0, 4, 30), zeros(650, int64), 20, 30)
def subsequence(a, b, t, n, m):
    w = m + 1
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            if a[i - 1] == b[j - 1]:
                t[i * w + j] = t[(i - 1) * w + j - 1] + 1
            else:
                t[i * w + j] = max(t[(i - 1) * w + j], t[i * w + j - 1])


# Rows that become columns of the same array, one after the other.
#numptx export turned(float64[:], int, int, int)
# run: turned(arange(30.0), 4, 5, 3)
# run: turned(zeros(5), 1, 0, 1)
# run: turned(zeros(5), 1, -1, 1)
# run: turned(arange(30.0), 4, 2, 5)
# run: turned(zeros(0), 1, 3, 1)
# run: turned(arange(7.0), 3, 2, 3)
def turned(y, n, m, p):
    for i in range(n):
        for j in range(p):
            y[j * m + i] = y[(i + 1) * m + j]
