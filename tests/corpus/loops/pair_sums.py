"""Loops over pairs and bands that combine values with elements on both sides: their iterations count as those of triangles."""

import math

import numpy as np


#numptx export pair_forces(float64[:,:], float64[:,:])
# run: pair_forces(random((70, 2)), zeros((70, 2)))
# structure: launches=6 allocs=3 copies=0
# run: pair_forces(random((12, 2)), random((12, 2)))
# run: pair_forces(random((1, 2)), random((1, 2)))
# run: pair_forces(random((0, 2)), random((0, 2)))
# run: pair_forces(random((150, 2))[::-1], random((2, 150)).T)
# run: pair_forces(random((90, 2)), random((80, 2)))
# run: pair_forces(random((90, 3)), random((95, 2))[::-1])
# run: x = random((90, 2)); pair_forces(x, x)
# run: x = random((140, 2)); pair_forces(x[:100], x[40:])
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
# run: symmetric_product(random((70, 70)), random(70), zeros(70))
# run: symmetric_product(random((140, 70))[::-2], random(70)[::-1], random(70))
# run: symmetric_product(random((9, 9)), random(9), random(9))
# run: symmetric_product(random((0, 0)), random(0), random(0))
# run: symmetric_product(random((60, 70)), random(70), random(70))
# run: symmetric_product(random((70, 60)), random(70), random(70))
# run: x = random(80); symmetric_product(random((70, 70)), x[:70], x[10:])
def symmetric_product(a, x, y):
    for i in range(x.shape[0]):
        y[i] += a[i, i] * x[i]
        for j in range(i):
            y[i] += a[i, j] * x[j]
            y[j] += a[i, j] * x[i]


# Counts are exact, however many chunks there are.
#numptx export distances(float64[:,:], float, int)
# run: distances(random((60, 3)), 0.05, 20)
# run: distances(random((60, 3)), 0.05, 0)
# run: distances(random((2, 3)), 0.05, 20)
# run: distances(random((0, 3)), 0.05, 20)
# run: distances(random((60, 2)), 0.05, 20)
# run: distances(random((60, 3)), 0.0, 20)
# run: distances(where(arange(180).reshape(60, 3) == 170, nan, 0.5), 0.05, 20)
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
# run: both_sides(zeros(10, dtype=int64), integers(0, 10, (70, 70)))
# run: both_sides(zeros(10, dtype=int64), integers(-10, 10, (70, 70)))
# run: both_sides(zeros(10, dtype=int64), where(arange(4900).reshape(70, 70) == 4200, 10, 3))
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
# run: in_band(zeros(8, dtype=int64), integers(0, 8, (200, 200)), 20)
# run: in_band(zeros(8, dtype=int64), integers(0, 8, (60, 60)), 200)
# run: in_band(zeros(8, dtype=int64), integers(0, 8, (60, 60)), 0)
# run: in_band(zeros(8, dtype=int64), integers(0, 8, (60, 60)), -3)
# run: in_band(zeros(8, dtype=int64), integers(0, 9, (60, 60)), 30)
def in_band(y, k, w):
    n = k.shape[0]
    for i in range(n):
        for j in range(max(0, i - w), min(n, i + w + 1)):
            y[k[i, j]] += 1


# Triples, and a triangle in rows that data skip.
#numptx export triples(int64[:], int64[:])
# run: triples(zeros(30, dtype=int64), integers(0, 10, 40))
# run: triples(zeros(30, dtype=int64), where(arange(40) == 39, 25, 4))
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
# run: by_columns(arange(41) * 30, integers(0, 4, 1200), random(1200), random(40), zeros(4))
# run: by_columns(arange(1025), integers(0, 4, 1024), random(1024), random(1024), zeros(4))
# run: by_columns(arange(1025), where(arange(1024) == 1000, 4, 1), random(1024), random(1024), zeros(4))
# run: by_columns(zeros(0, dtype=int64), integers(0, 4, 0), random(0), random(0), zeros(4))
def by_columns(ptr, idx, val, x, y):
    for j in range(ptr.shape[0] - 1):
        for e in range(ptr[j], ptr[j + 1]):
            y[idx[e]] += val[e] * x[j]
