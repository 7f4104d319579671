"""Loops over tiles, the last of which ends where the array ends: one kernel, whose checks ask for no more than the array has."""

import numpy as np


#numptx export tiled(float64[:,:], float64[:,:])
# run: tiled(random((40, 37)), random((40, 37)))
# structure: launches==1 allocs=0 copies=0
# run: tiled(random((32, 48)), random((32, 48)))
# structure: launches==1 allocs=0 copies=0
# run: tiled(random((3, 5)), random((40, 37)))
# structure: launches==1 allocs=0 copies=0
# run: tiled(random((0, 5)), random((0, 5)))
# run: tiled(random((5, 0)), random((2, 2)))
# run: tiled(random((1, 1)), random((1, 1)))
# run: tiled(random((40, 37)), random((39, 37)))
# run: tiled(random((40, 37)), random((40, 20)))
# run: tiled(random((20, 18)), random((18, 20)).T)
# run: tiled(random((20, 18))[::-1, ::-1], random((40, 18))[::2])
# run: x = random((21, 20)); tiled(x[1:], x[:-1])
# run: x = random((21, 20)); tiled(x[:-1], x[1:])
# run: x = random((20, 20)); tiled(x, x[::-1])
# run: x = random((20, 20)); tiled(x.T, x)
def tiled(a, b):
    n, m = a.shape
    for ii in range(0, n, 16):
        for jj in range(0, m, 16):
            for i in range(ii, min(ii + 16, n)):
                for j in range(jj, min(jj + 16, m)):
                    b[i, j] = 2.0 * a[i, j]


#numptx export blocks(float64[:], float64[:])
# run: blocks(random(200), random(200))
# structure: launches==1 allocs=0 copies=0
# run: blocks(random(128), random(130))
# structure: launches==1 allocs=0 copies=0
# run: blocks(random(0), random(0))
# run: blocks(random(1), random(1))
# run: blocks(random(100), random(99))
# run: blocks(random(100), random(0))
# run: x = random(101); blocks(x[1:], x[:-1])
# run: x = random(101); blocks(x[:-1], x[1:])
# run: x = random(100); blocks(x, x[::-1])
def blocks(x, y):
    n = len(x)
    for s in range(0, n, 64):
        for k in range(s, min(s + 64, n)):
            y[k] = x[k]


# The end has a name, and the array's comes first.
#numptx export ends(float64[:], float64[:])
# run: ends(random(29), random(29))
# structure: launches==1 allocs=0 copies=0
# run: ends(random(29), random(28))
# run: ends(random(0), random(3))
def ends(x, y):
    n = len(x)
    for s in range(0, n, 8):
        end = min(n, s + 8)
        for k in range(s, end, 3):
            y[k] = x[k]


#numptx export inner(float64[:], float64[:])
# run: inner(random(50), random(50))
# structure: launches==1 allocs=0 copies=0
# run: inner(random(50), random(49))
# structure: launches==1 allocs=0 copies=0
# run: inner(random(50), random(48))
# run: inner(random(0), random(0))
# run: inner(random(1), random(1))
# run: inner(random(2), random(0))
# run: inner(random(3), random(2))
# run: inner(random(33), random(33))
# run: x = random(40); inner(x[1:], x[:-1])
# run: x = random(40); inner(x, x)
def inner(x, y):
    n = len(x)
    for s in range(0, n, 16):
        for k in range(max(s, 1), min(s + 16, n - 1)):
            y[k] = x[k - 1] + x[k + 1]


#numptx export falling(float64[:], float64[:])
# run: falling(random(50), random(50))
# structure: launches==1 allocs=0 copies=0
# run: falling(random(48), random(50))
# structure: launches==1 allocs=0 copies=0
# run: falling(random(50), random(40))
# run: falling(random(0), random(0))
# run: falling(random(1), random(1))
# run: x = random(40); falling(x[1:], x[:-1])
# run: x = random(40); falling(x, x[::-1])
def falling(x, y):
    n = len(x)
    for s in range(n - 1, -1, -8):
        for k in range(s, max(s - 8, -1), -1):
            y[k] = x[k]


# Falling from the lesser of two, in steps.
#numptx export falling_steps(float64[:], float64[:], int)
# run: falling_steps(random(50), random(50), 41)
# structure: launches==1 allocs=0 copies=0
# run: falling_steps(random(50), random(50), 60)
# run: falling_steps(random(50), random(50), -3)
# run: falling_steps(random(20), random(10), 9)
# run: falling_steps(random(20), random(10), 10)
def falling_steps(x, y, last):
    for s in range(len(x) + 5, -1, -8):
        for k in range(min(s, last), max(s - 8, -1), -2):
            y[k] = x[k]


#numptx export transposed(float64[:,:], float64[:,:])
# run: transposed(random((20, 13)), random((13, 20)))
# structure: launches==1 allocs=0 copies=0
# run: transposed(random((16, 8)), random((13, 20)))
# structure: launches==1 allocs=0 copies=0
# run: transposed(random((20, 13)), random((20, 13)))
# run: transposed(random((20, 13)), random((13, 19)))
# run: transposed(random((0, 3)), random((3, 0)))
# run: x = random((20, 20)); transposed(x, x)
# run: x = random((20, 20)); transposed(x, x.T)
def transposed(a, b):
    n, m = a.shape
    for ii in range(0, n, 8):
        for jj in range(0, m, 8):
            for i in range(ii, min(ii + 8, n)):
                for j in range(jj, min(jj + 8, m)):
                    b[j, i] = a[i, j]


#numptx export product(float64[:,:], float64[:,:], float64[:,:])
# run: product(random((12, 19)), random((19, 10)), random((12, 10)))
# structure: launches==1 allocs=0 copies=0
# run: product(random((16, 8)), random((8, 8)), random((16, 8)))
# structure: launches==1 allocs=0 copies=0
# run: product(random((3, 2)), random((2, 4)), random((3, 4)))
# run: product(random((3, 0)), random((0, 4)), random((3, 4)))
# run: product(random((12, 19)), random((18, 10)), random((12, 10)))
# run: product(random((12, 19)), random((19, 9)), random((12, 10)))
# run: x = random((12, 12)); product(x, random((12, 12)), x)
# run: x = random((12, 12)); product(x, x, random((12, 12)))
def product(a, b, c):
    n, m = c.shape
    depth = a.shape[1]
    for ii in range(0, n, 8):
        for jj in range(0, m, 8):
            for kk in range(0, depth, 8):
                for i in range(ii, min(ii + 8, n)):
                    for j in range(jj, min(jj + 8, m)):
                        for k in range(kk, min(kk + 8, depth)):
                            c[i, j] += a[i, k] * b[k, j]


#numptx export product_of_sums(float32[:,:], float32[:,:], float32[:,:])
# run: product_of_sums(random((12, 19), float32), random((19, 10), float32), random((12, 10), float32))
# structure: launches==1 allocs=0 copies=0
# run: product_of_sums(random((3, 0), float32), random((0, 4), float32), random((3, 4), float32))
# run: product_of_sums(random((9, 4), float32), random((3, 9), float32), random((9, 9), float32))
def product_of_sums(a, b, c):
    n, m = c.shape
    for ii in range(0, n, 8):
        for jj in range(0, m, 8):
            for i in range(ii, min(ii + 8, n)):
                for j in range(jj, min(jj + 8, m)):
                    s = np.float32(0)
                    for k in range(a.shape[1]):
                        s += a[i, k] * b[k, j]
                    c[i, j] = s


#numptx export slices(float64[:], float64[:])
# run: slices(random(200), random(200))
# structure: launches==1 allocs=0 copies=0
# run: slices(random(128), random(130))
# structure: launches==1 allocs=0 copies=0
# run: slices(random(100), random(99))
# run: slices(random(0), random(0))
# run: slices(random(1), random(1))
# run: x = random(101); slices(x[1:], x[:-1])
# run: x = random(101); slices(x[:-1], x[1:])
# run: x = random(100); slices(x, x[::-1])
def slices(x, y):
    n = len(x)
    for s in range(0, n, 64):
        y[s:min(s + 64, n)] = 2.0 * x[s:min(s + 64, n)]


#numptx export tiles_of_slices(float64[:,:], float64[:,:])
# run: tiles_of_slices(random((20, 13)), random((20, 13)))
# structure: launches==1 allocs=0 copies=0
# run: tiles_of_slices(random((20, 13)), random((20, 12)))
# run: tiles_of_slices(random((16, 8)), random((20, 12)))
# run: tiles_of_slices(random((0, 8)), random((0, 8)))
# run: x = random((21, 9)); tiles_of_slices(x[1:], x[:-1])
def tiles_of_slices(a, b):
    n, m = a.shape
    for ii in range(0, n, 8):
        for jj in range(0, m, 8):
            b[ii:min(ii + 8, n), jj:min(jj + 8, m)] = 2.0 * a[ii:min(ii + 8, n), jj:min(jj + 8, m)]


# A window around each row's diagonal, of a run-time width.
#numptx export band(float64[:,:], float64[:,:], int)
# run: band(random((20, 20)), random((20, 20)), 3)
# structure: launches==1 allocs=0 copies=0
# run: band(random((20, 12)), random((20, 12)), 3)
# run: band(random((20, 12)), random((20, 11)), 1)
# run: band(random((20, 20)), random((20, 20)), -1)
# run: band(random((20, 20)), random((20, 20)), 100)
# run: band(random((0, 20)), random((0, 20)), 2)
def band(a, b, r):
    n, m = a.shape
    for i in range(n):
        for j in range(max(i - r, 0), min(i + r + 1, m)):
            b[i, j] = 2.0 * a[i, j]


# Several times, in each of which points need what others made before.
#numptx export smoothed(float64[:], float64[:], int)
# run: smoothed(random(50), random(50), 4)
# run: smoothed(random(50), random(49), 1)
# run: smoothed(random(2), random(2), 3)
# run: smoothed(random(33), random(40), 3)
# run: x = random(40); smoothed(x[1:], x[:-1], 2)
def smoothed(x, y, steps):
    n = len(x)
    for t in range(steps):
        for s in range(0, n, 16):
            for k in range(max(s, 1), min(s + 16, n - 1)):
                y[k] = x[k - 1] + x[k + 1]
        for s in range(0, n, 16):
            for k in range(max(s, 1), min(s + 16, n - 1)):
                x[k] = 0.5 * y[k]
