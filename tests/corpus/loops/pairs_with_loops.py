"""Counts and sums over pairs of rows, each with a loop over the elements of both: loops whose ranges begin or end at an index around them, as one reduction."""

import math

import numpy as np


#numptx export close_rows(float64[:,:], float)
# run: close_rows(random((60, 3)), 0.3)
# structure: launches==2 allocs=3 copies=0
# run: close_rows(random((60, 3))[::-1], 0.3)
# run: close_rows(random((30, 9))[::-2, ::-3], 0.3)
# run: close_rows(random((2, 3)), 2.0)
# run: close_rows(random((1, 3)), 2.0)
# run: close_rows(random((0, 3)), 2.0)
# run: close_rows(random((1, 2)), 2.0)
# run: close_rows(random((0, 0)), 2.0)
# run: close_rows(random((5, 2)), 2.0)
def close_rows(x, most):
    n = 0
    for i in range(x.shape[0]):
        for j in range(i + 1, x.shape[0]):
            d = 0.0
            for k in range(3):
                d += (x[i, k] - x[j, k]) ** 2
            if d < most:
                n += 1
    return n


#numptx export distances_below(float64[:,:])
# run: distances_below(random((40, 5)))
# structure: launches==3 allocs=3 copies=0
# run: distances_below(random((40, 5))[::-1, ::-1])
# run: distances_below(random((4, 0)))
# run: distances_below(random((1, 5)))
# run: distances_below(random((0, 5)))
def distances_below(x):
    s = 0.0
    for i in range(x.shape[0]):
        for j in range(i):
            d = 0.0
            for k in range(x.shape[1]):
                d += (x[i, k] - x[j, k]) ** 2
            s += math.sqrt(d)
    return s


#numptx export closest(float64[:,:])
# run: closest(random((50, 4)))
# run: closest(random((2, 4)))
# run: closest(random((1, 4)))
# run: closest(random((0, 4)))
def closest(x):
    least = 1e300
    for i in range(x.shape[0] - 1):
        for j in range(i + 1, x.shape[0]):
            d = 0.0
            for k in range(x.shape[1]):
                d += (x[i, k] - x[j, k]) ** 2
            least = min(least, d)
    return float(least)


#numptx export weighted(float64[:,:], float64[:], float)
# run: weighted(random((40, 3)), random(40), 0.7)
# run: weighted(random((40, 3)), random(50)[::-1], 0.7)
# run: weighted(random((40, 3)), random(10), 0.7)
# run: weighted(random((40, 3)), random(10), 9.0)
# run: weighted(random((40, 2)), random(40), 0.7)
def weighted(x, q, reach):
    e = 0.0
    n = x.shape[0]
    for i in range(n - 1):
        for j in range(i + 1, n):
            r = 0.25
            for k in range(3):
                d = x[i, k] - x[j, k]
                r += d * d
            if r < reach:
                e += 1.0 / r + q[i] * q[j] / math.sqrt(r)
    return e


#numptx export sample_entropy(float64[:], int, float)
# run: sample_entropy(random(80), 2, 0.3)
# run: sample_entropy(random(160)[::-2], 2, 0.3)
# run: sample_entropy(random(80), 0, 0.3)
# run: sample_entropy(random(80), -3, 0.3)
# run: sample_entropy(random(80), 79, 0.3)
# run: sample_entropy(random(80), 90, 0.3)
# run: sample_entropy(random(0), 2, 0.3)
def sample_entropy(x, m, r):
    longer = 0
    equal = 0
    n = x.shape[0]
    for i in range(n - m):
        for j in range(i + 1, n - m):
            k = 0
            while k < m and abs(x[i + k] - x[j + k]) <= r:
                k += 1
            if k == m:
                equal += 1
                if abs(x[i + m] - x[j + m]) <= r:
                    longer += 1
    return longer, equal


#numptx export any_range(float64[:,:], int, int, int, int)
# run: any_range(random((40, 3)), 0, 40, 1, 40)
# run: any_range(random((40, 3)), 5, 30, 3, 35)
# run: any_range(random((40, 3)), 10, 40, 1, 12)
# run: any_range(random((40, 3)), 0, 40, -4, 36)
# run: any_range(random((40, 3)), -40, -3, 2, 0)
# run: any_range(random((40, 3)), 30, 3, 2, 40)
# run: any_range(random((40, 3)), 0, 41, 1, 40)
# run: any_range(random((40, 3)), 0, 41, 1, 41)
# run: any_range(random((40, 3)), 0, 4, 9223372036854775000, 41)
# run: any_range(random((40, 3)), 9223372036854775000, 9223372036854775807, 0, 41)
# run: any_range(random((40, 3)), -9223372036854775808, -9223372036854775807, 0, -9223372036854775808)
def any_range(x, begin, end, after, last):
    n = 0
    for i in range(begin, end):
        for j in range(i + after, last):
            d = 0.0
            for k in range(3):
                d += abs(x[i, k] - x[j, k])
            if d < 0.8:
                n += 1
    return n


#numptx export falling(float64[:,:])
# run: falling(random((40, 3)))
# run: falling(random((3, 3)))
# run: falling(random((0, 3)))
def falling(x):
    n = 0
    for i in range(x.shape[0] - 1, -1, -1):
        for j in range(i):
            d = 0.0
            for k in range(3):
                d += abs(x[i, k] - x[j, k])
            if d < 0.8:
                n += j
    return n


#numptx export every_third(float64[:,:], int)
# run: every_third(random((40, 3)), 0)
# run: every_third(random((40, 3)), 5)
# run: every_third(random((40, 3)), -5)
def every_third(x, m):
    n = 0
    for i in range(0, x.shape[0] - m, 3):
        for j in range(i + m, x.shape[0], 2):
            d = 0.0
            for k in range(3):
                d += abs(x[i, k] - x[j, k])
            if d < 0.8:
                n += 1
    return n


#numptx export band(float64[:,:])
# run: band(random((40, 3)))
# run: band(random((2, 3)))
def band(x):
    n = 0
    for i in range(3, x.shape[0]):
        for j in range(i - 3, i):
            d = 0.0
            for k in range(3):
                d += abs(x[i, k] - x[j, k])
            if d < 0.8:
                n += 1
    return n


#numptx export three_rows(float64[:,:])
# run: three_rows(random((20, 3)))
# run: three_rows(random((3, 3)))
# run: three_rows(random((2, 3)))
# run: three_rows(random((0, 3)))
def three_rows(x):
    n = 0
    for i in range(x.shape[0]):
        for j in range(i + 1, x.shape[0]):
            for l in range(j + 1, x.shape[0]):
                d = 0.0
                for k in range(3):
                    d += x[i, k] * x[j, k] * x[l, k]
                if d < 0.4:
                    n += 1
    return n


#numptx export contacts(float64[:,:], float)
# run: contacts(random((30, 3)), 0.3)
# run: contacts(random((1, 3)), 0.3)
# run: contacts(random((0, 3)), 0.3)
# run: contacts(random((3, 1)), 0.3)
def contacts(x, most):
    n = x.shape[0]
    near = np.zeros((n, n), dtype=np.uint8)
    total = 0
    for i in range(n):
        for j in range(i + 1, n):
            d = 0.0
            for k in range(3):
                d += (x[i, k] - x[j, k]) ** 2
            if d < most:
                near[i, j] = 1
                near[j, i] = 1
                total += 1
    return near, total
