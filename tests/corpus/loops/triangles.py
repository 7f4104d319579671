"""Counts and sums over pairs: loops in loops whose ranges begin or end at an index around them, as one reduction."""

import numpy as np


#numptx export near_pairs(float64[:], float)
# run: near_pairs(random(300), 0.1)
# structure: launches==1 allocs=2 copies=0
# run: near_pairs(random(2), 2.0)
# run: near_pairs(random(1), 2.0)
# run: near_pairs(random(0), 2.0)
# run: near_pairs(random(900)[::-3], 0.5)
def near_pairs(x, d):
    n = 0
    m = len(x)
    for i in range(m):
        for j in range(i + 1, m):
            if abs(x[i] - x[j]) < d:
                n += 1
    return n


#numptx export inversions(int64[:])
# run: inversions(arange(100)[::-1])
# structure: launches==1 allocs=2 copies=0
# run: inversions(arange(100))
# run: inversions(arange(1))
# run: inversions(arange(0))
def inversions(x):
    n = 0
    for i in range(len(x)):
        for j in range(i):
            if x[j] > x[i]:
                n = n + 1
    return n


#numptx export energy(float64[:,:])
# run: energy(random((60, 3)))
# structure: launches==1 allocs=2 copies=0
# run: energy(random((2, 3)))
# run: energy(random((1, 3)))
# run: energy(random((0, 3)))
def energy(p):
    e = 0.0
    n = p.shape[0]
    for i in range(n):
        for j in range(i + 1, n):
            dx = p[i, 0] - p[j, 0]
            dy = p[i, 1] - p[j, 1]
            e += 1.0 / np.sqrt(dx * dx + dy * dy + 0.5)
    return float(e)


#numptx export lower_half(float64[:,:])
# run: lower_half(random((30, 30)))
# structure: launches==1 allocs=2 copies=0
# run: lower_half(random((30, 40)))
# run: lower_half(random((40, 30)))
# run: lower_half(random((1, 1)))
# run: lower_half(zeros((0, 0)))
def lower_half(a):
    s = 0.0
    for i in range(a.shape[0]):
        for j in range(i + 1):
            s += a[i, j]
    return float(s)


#numptx export least_gap(float64[:])
# run: least_gap(random(100))
# structure: launches==1 allocs=2 copies=0
# run: least_gap(random(1))
def least_gap(x):
    least = 1e300
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            d = abs(x[i] - x[j])
            if d < least:
                least = d
    return float(least)


# Ranges that end before they begin, and such as are seldom as long as others, stay as they are.
#numptx export from_far(float64[:], int)
# run: from_far(random(100), 7)
# run: from_far(random(100), 100)
# run: from_far(random(100), 0)
# run: from_far(random(100), -5)
# run: from_far(random(10), 20)
def from_far(x, m):
    s = 0.0
    for i in range(len(x)):
        for j in range(i, m):
            s += x[j] * x[i]
    return float(s)


#numptx export along_a_band(float64[:], int)
# run: along_a_band(random(100), 5)
# run: along_a_band(random(4), 5)
def along_a_band(x, k):
    s = 0.0
    for i in range(len(x) - k):
        for j in range(i, i + k):
            s += x[i] * x[j]
    return float(s)


# What is carried enters what it becomes: the order counts.
#numptx export in_order(float64[:])
# run: in_order(random(50))
def in_order(x):
    s = 1.0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            s = s * 0.5 + x[i] * x[j]
    return float(s)
