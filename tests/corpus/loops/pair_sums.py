"""Loops over pairs and bands that combine values with elements on both sides: their iterations count as those of triangles."""

import math

import numpy as np


#numptx export pair_forces(float64[:,:], float64[:,:])
# run: pair_forces(random((40, 2)), zeros((40, 2)))
# structure: launches==3 allocs==1 copies=0
# run: pair_forces(random((12, 2)), random((12, 2)))
# run: pair_forces(random((1, 2)), random((1, 2)))
# run: pair_forces(random((0, 2)), random((0, 2)))
# run: pair_forces(random((42, 2))[::-1], random((2, 42)).T)
# run: pair_forces(random((42, 2)), random((40, 2)))
# run: pair_forces(random((40, 3)), random((43, 2))[::-1])
# run: x = random((40, 2)); pair_forces(x, x)
# run: x = random((50, 2)); pair_forces(x[:40], x[10:])
# large: pair_forces(random((1000, 2)), zeros((1000, 2)))
# bench: pair_forces(random((4096, 2)), zeros((4096, 2)))
def pair_forces(x, f):
    n = x.shape[0]
    for i in range(n):
        for j in range(i + 1, n):
            dx = x[i, 0] - x[j, 0]
            dy = x[i, 1] - x[j, 1]
            r = dx * dx + dy * dy + 0.25
            f[i, 0] += dx / r
            f[i, 1] += dy / r
            f[j, 0] -= dx / r
            f[j, 1] -= dy / r


#numptx export symmetric_product(float64[:,:], float64[:], float64[:])
# run: symmetric_product(random((40, 40)), random(40), zeros(40))
# structure: launches==3 allocs==1 copies=0
# run: symmetric_product(random((80, 40))[::-2], random(40)[::-1], random(40))
# run: symmetric_product(random((9, 9)), random(9), random(9))
# run: symmetric_product(random((0, 0)), random(0), random(0))
# run: symmetric_product(random((35, 40)), random(40), random(40))
# run: symmetric_product(random((40, 35)), random(40), random(40))
# run: x = random(50); symmetric_product(random((40, 40)), x[:40], x[10:])
def symmetric_product(a, x, y):
    for i in range(x.shape[0]):
        y[i] += a[i, i] * x[i]
        for j in range(i):
            y[i] += a[i, j] * x[j]
            y[j] += a[i, j] * x[i]


# Counts are exact, however many chunks there are.
#numptx export distances(float64[:,:], float, int)
# run: distances(random((34, 3)), 0.05, 20)
# run: distances(random((34, 3)), 0.05, 0)
# run: distances(random((2, 3)), 0.05, 20)
# run: distances(random((0, 3)), 0.05, 20)
# run: distances(random((34, 2)), 0.05, 20)
# run: distances(random((34, 3)), 0.0, 20)
# run: distances(where(arange(102).reshape(34, 3) == 90, nan, 0.5), 0.05, 20)
def distances(x, width, n_bins):
    counts = np.zeros(n_bins, dtype=np.int64)
    n = x.shape[0]
    for i in range(n - 1):
        for j in range(i + 1, n):
            d = 0.0
            for k in range(3):
                d += (x[i, k] - x[j, k]) ** 2
            b = int(math.sqrt(d) / width)
            if b < n_bins:
                counts[b] += 2
    return counts


# Two triangles and a box in one loop, one of them falling by longer steps.
#numptx export both_sides(int64[:], int64[:,:])
# run: both_sides(zeros(10, dtype=int64), integers(0, 10, (40, 40)))
# run: both_sides(zeros(10, dtype=int64), integers(-10, 10, (40, 40)))
# run: both_sides(zeros(10, dtype=int64), where(arange(1600).reshape(40, 40) == 1400, 10, 3))
# run: both_sides(zeros(10, dtype=int64), integers(0, 10, (3, 3)))
# run: both_sides(zeros(0, dtype=int64), integers(0, 10, (0, 0)))
def both_sides(y, k):
    n = k.shape[0]
    for i in range(n):
        for j in range(2):
            y[k[i, j]] += 1
        for j in range(i):
            y[k[i, j]] += j
        for j in range(n - 1, i, -2):
            y[k[i, j]] -= i


# Bands: as wide as an int says, and wider than there are columns.
#numptx export in_band(int64[:], int64[:,:], int)
# run: in_band(zeros(8, dtype=int64), integers(0, 8, (40, 40)), 15)
# run: in_band(zeros(8, dtype=int64), integers(0, 8, (40, 40)), 200)
# run: in_band(zeros(8, dtype=int64), integers(0, 8, (40, 40)), 0)
# run: in_band(zeros(8, dtype=int64), integers(0, 8, (40, 40)), -3)
# run: in_band(zeros(8, dtype=int64), integers(0, 9, (40, 40)), 30)
def in_band(y, k, w):
    n = k.shape[0]
    for i in range(n):
        for j in range(max(0, i - w), min(n, i + w + 1)):
            y[k[i, j]] += 1


# Triples, and a triangle in rows that data skip.
#numptx export triples(int64[:], int64[:])
# run: triples(zeros(30, dtype=int64), integers(0, 10, 20))
# run: triples(zeros(30, dtype=int64), where(arange(20) == 19, 25, 4))
# run: triples(zeros(30, dtype=int64), integers(0, 10, 2))
def triples(y, v):
    n = v.shape[0]
    for i in range(n):
        if v[i] > 0:
            for j in range(i):
                for k in range(j):
                    y[v[i] + v[j] + v[k]] += 1
        for j in range(i):
            for k in range(j, i):
                y[v[k]] += 1


# Ranges that data tell: nothing is known of how many iterations there are.
#numptx export by_columns(int64[:], int64[:], float64[:], float64[:], float64[:])
# run: by_columns(arange(21) * 30, integers(0, 4, 600), random(600), random(20), zeros(4))
# run: by_columns(arange(601), integers(0, 4, 600), random(600), random(600), zeros(4))
# run: by_columns(arange(601), where(arange(600) == 550, 4, 1), random(600), random(600), zeros(4))
# run: by_columns(zeros(0, dtype=int64), integers(0, 4, 0), random(0), random(0), zeros(4))
def by_columns(ptr, idx, val, x, y):
    for j in range(ptr.shape[0] - 1):
        for e in range(ptr[j], ptr[j + 1]):
            y[idx[e]] += val[e] * x[j]
