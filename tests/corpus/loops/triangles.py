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


# Triangles in triangles are cubes.
#numptx export zero_sums(int64[:])
# run: zero_sums(integers(-50, 50, 100))
# structure: launches==1 allocs=2 copies=0
# run: zero_sums(integers(-5, 5, 17))
# run: zero_sums(array([1, -1]))
# run: zero_sums(zeros(3, int64))
# run: zero_sums(zeros(1, int64))
# run: zero_sums(zeros(0, int64))
def zero_sums(x):
    c = 0
    n = len(x)
    for i in range(n):
        for j in range(i + 1, n):
            for k in range(j + 1, n):
                if x[i] + x[j] + x[k] == 0:
                    c += 1
    return c


#numptx export falling_triples(float64[:])
# run: falling_triples(random(60))
# structure: launches==1 allocs=2 copies=0
# run: falling_triples(random(3))
# run: falling_triples(random(2))
# run: falling_triples(random(0))
def falling_triples(x):
    c = 0
    for i in range(len(x)):
        for j in range(i):
            for k in range(j):
                if x[k] > x[j] and x[j] > x[i]:
                    c += 1
    return c


#numptx export longest_triangle(float64[:,:])
# run: longest_triangle(random((40, 40)))
# structure: launches==1 allocs=4 copies=0
# run: longest_triangle(random((3, 3)))
# run: longest_triangle(random((2, 2)))
# run: longest_triangle(random((0, 0)))
# run: longest_triangle(random((17, 5)))
def longest_triangle(d):
    most = 0.0
    at = -1
    n = d.shape[0]
    for i in range(n - 2):
        for j in range(i + 1, n - 1):
            first = d[i, j]
            for k in range(j + 1, n):
                length = first + d[j, k] + d[i, k]
                if length > most:
                    most = length
                    at = i
    return float(most), at


# A square, and a triangle in it.
#numptx export weights_after(int64[:,:])
# run: weights_after(integers(-9, 9, (17, 17)))
# structure: launches==1 allocs=2 copies=0
# run: weights_after(integers(-9, 9, (1, 1)))
# run: weights_after(zeros((0, 0), int64))
def weights_after(a):
    s = 0
    n = a.shape[0]
    for i in range(n):
        for j in range(n):
            for k in range(i, n):
                s += a[j, k] // 4
    return int(s)


# What is added between two loops is not added by each point of the inner one.
#numptx export with_edges(int64[:,:])
# run: with_edges(integers(-9, 9, (17, 17)))
# run: with_edges(zeros((0, 0), int64))
# run: with_edges(ones((2, 2), int64))
def with_edges(a):
    s = 0
    n = a.shape[0]
    for i in range(n):
        for j in range(i):
            s += a[i, j] // 2
            for k in range(j):
                s += a[j, k] // 4
    return int(s)


# The last of equals in three loops, none of them from 0.
#numptx export last_of_three(int64[:], int)
# run: last_of_three(integers(0, 4, 30), 1)
# run: last_of_three(integers(0, 4, 30), 28)
# run: last_of_three(integers(0, 4, 30), 40)
# run: last_of_three(integers(0, 4, 30), 0)
def last_of_three(x, m):
    best = 0
    at = -1
    for i in range(m, len(x)):
        for j in range(m, i):
            for k in range(m, j):
                v = x[i] * x[j] - x[k]
                if v >= best:
                    best = v
                    at = j
    return int(best), at
