"""Loops that store nothing and accumulate what loops in their iterations find, which end by themselves or have sums of their own."""

import math

import numpy as np


#numptx export sum_of_walks(float64[:,:])
# run: sum_of_walks(random((700, 5)))
# structure: launches=2 copies=0 syncs=1
# run: sum_of_walks(random((700, 5))[::-2, ::-1])
# run: sum_of_walks(random((1, 5)))
# run: sum_of_walks(random((0, 5)))
# run: sum_of_walks(random((5, 0)))
# run: x = random((40, 5)); x[3, 2] = nan; sum_of_walks(x)
def sum_of_walks(z):
    total = 0.0
    for i in range(z.shape[0]):
        s = 1.0
        for k in range(z.shape[1]):
            s *= z[i, k]
            if s < 0.1:
                break
        total += s
    return float(total)


#numptx export options(float64[:,:], float64, float64)
# run: options(random((300, 12)) - 0.5, 100.0, 90.0)
# structure: launches=2 copies=0
# run: options(random((300, 12)) - 0.5, 100.0, 101.0)
# run: options(random((0, 12)), 100.0, 90.0)
# run: options(random((9, 0)), 100.0, 90.0)
def options(z, start, barrier):
    paid = 0.0
    knocked_out = 0
    for path in range(z.shape[0]):
        s = start
        mean = 0.0
        is_alive = True
        for k in range(z.shape[1]):
            s *= np.exp(0.01 + 0.2 * z[path, k])
            mean += s
            if s < barrier:
                is_alive = False
                break
        if is_alive:
            paid += max(mean / np.float64(z.shape[1]) - start, 0.0)
        else:
            knocked_out += 1
    return float(paid), knocked_out


#numptx export best_row(float64[:,:])
# run: best_row(random((90, 7)))
# structure: launches=3 copies=0 syncs=2
# run: best_row(zeros((90, 7)))
# run: best_row(random((0, 7)))
# run: x = random((9, 7)); x[4, 2] = nan; best_row(x)
# run: best_row(random((9, 7)) - 0.01)
def best_row(x):
    most = -np.inf
    where = -1
    for i in range(x.shape[0]):
        s = 0.0
        for k in range(x.shape[1]):
            if x[i, k] < 0.0:
                raise ValueError(f"negative at {i}, {k}")
            s += math.sqrt(x[i, k])
        if s > most:
            most = s
            where = i
    return float(most), where


#numptx export comparisons(int64[:], int64[:])
# run: comparisons(arange(50) * 3, integers(-5, 160, 200))
# structure: launches=3 copies=0 syncs=2
# run: comparisons(arange(50) * 3, integers(-5, 160, 0))
# run: comparisons(arange(1), integers(-5, 5, 9))
# run: comparisons(arange(0), integers(-5, 5, 9))
def comparisons(table, wanted):
    found = 0
    for w in wanted:
        low, high = 0, len(table)
        while low < high:
            middle = (low + high) // 2
            if table[middle] < w:
                low = middle + 1
            else:
                high = middle
        if low < len(table) and table[low] == w:
            found += 1
    return found


#numptx export links(int64[:], int64[:])
# run: links(array([1, 2, 3, 4, -1]), array([0, 2, 4, 1]))
# run: links(array([1, 2, 3, 4, 9]), array([0, 2, 4, 1]))
# run: links(array([1, 2, 3, 4, -1]), array([0, 2, 7, 1]))
# run: links(array([1, 2, 3, 4, -1]), array([-1, -1]))
def links(after, starts):
    total = 0
    for at in starts:
        n = 0
        while at >= 0:
            at = after[at]
            n += 1
        total += n
    return total


#numptx export two_sums(float64[:,:], float64[:])
# run: two_sums(random((60, 40)), random(40))
# structure: launches=2 copies=0 syncs=1
# run: two_sums(random((60, 40)).T, random(60))
# run: two_sums(random((60, 40)), random(39))
# run: two_sums(zeros((0, 40)), random(39))
def two_sums(a, x):
    residual = 0.0
    rows = 0
    for i in range(a.shape[0]):
        s = 0.0
        for j in range(a.shape[1]):
            s += a[i, j] * x[j]
        if s > 0.5:
            residual += s * s
        else:
            rows += 1
    return float(residual), rows
