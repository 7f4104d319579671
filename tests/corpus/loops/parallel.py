"""Loops over elements, by what may happen at once: how many kernels each becomes, and on which arrays it runs as it was written."""

import numpy as np


#numptx export squares(float64[:,:], float64[:,:])
# run: squares(random((3, 4)), random((3, 4)))
# run: squares(random((70, 33)), random((70, 33)))
# run: squares(ones((0, 4)), ones((0, 4)))
# structure: launches=1 allocs=0 copies=0
def squares(x, y):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            y[i, j] = x[i, j] * x[i, j]


#numptx export squares_of_fewer(float64[:], float64[:])
# run: squares_of_fewer(random(5), random(4))
# run: squares_of_fewer(random(5), random(5))
# run: squares_of_fewer(random(0), random(0))
def squares_of_fewer(x, y):
    for i in range(x.shape[0]):
        y[i] = x[i] * x[i]


#numptx export shifted(float64[:])
# run: shifted(arange(9.0))
# run: shifted(arange(9.0)[::-2])
# run: shifted(ones(0))
# structure: launches=1 allocs=0 copies=0
def shifted(x):
    for i in range(1, x.shape[0]):
        x[i] = x[i - 1] + 1.0


#numptx export columns(float64[:,:])
# run: columns(random((9, 5)))
# run: columns(random((1, 5)))
# run: columns(random((9, 70))[::-1, ::2])
# structure: launches=1 allocs=0 copies=0
def columns(x):
    for i in range(1, x.shape[0]):
        for j in range(x.shape[1]):
            x[i, j] = x[i, j] + 0.5 * x[i - 1, j]


#numptx export triangle(float64[:,:], int)
# run: triangle(zeros((7, 7)), 7)
# structure: launches==3
# run: triangle(zeros((7, 7)), 0)
# run: triangle(zeros((7, 9)), 5)
# run: triangle(zeros((7, 7)), 8)
def triangle(x, n):
    for i in range(n):
        for j in range(i, n):
            x[i, j] = i * 10 + j
            x[j, i] = x[i, j]


#numptx export backwards(int64[:], int64[:])
# run: backwards(arange(11), zeros(11, dtype=int64))
# run: backwards(arange(1), zeros(1, dtype=int64))
# structure: launches=1 allocs=0 copies=0
def backwards(x, y):
    for i in range(x.shape[0] - 1, -1, -3):
        y[i] = x[i] // 2


#numptx export first_above(float64[:], float64[:], int64[:])
# run: first_above(arange(10.0), random(6) * 9, zeros(6, dtype=int64))
# run: first_above(ones(4), array([nan, inf, -inf, 1.0]), zeros(4, dtype=int64))
def first_above(a, q, found):
    for i in range(q.shape[0]):
        j = 0
        while j < a.shape[0] and a[j] < q[i]:
            j += 1
        found[i] = j


#numptx export totals(float64[:,:])
# run: totals(ones((4, 5)))
# run: totals(ones((1, 1)))
def totals(x):
    s = 0.0
    largest = -np.inf
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            s += x[i, j]
            if x[i, j] > largest:
                largest = x[i, j]
    return s, largest


#numptx export dead(float64[:])
# run: dead(arange(4.0))
def dead(x):
    for i in range(2):
        t = any(v == 1.0 for v in x)
    return x


#numptx export overlapping(float64[:], float64[:])
# run: x = arange(9.0); overlapping(x[1:], x[:-1])
# run: x = arange(9.0); overlapping(x[:-1], x[1:])
# run: overlapping(arange(4.0), arange(4.0))
def overlapping(x, y):
    for i in range(x.shape[0]):
        y[i] = x[i] * 2.0
