"""Sums by loops over scalars, in loops whose iterations depend on each other: the threads of the launch share them."""

import numpy as np


#numptx export forward(float64[:,:], float64[:])
#numptx export forward(float32[:,:], float32[:])
#numptx export forward(complex128[:,:], complex128[:])
# run: forward(random((100, 100)) + 100 * eye(100), random(100))
# structure: launches=2 allocs=1 copies=0 syncs=0
# run: forward(random((200, 210)) + 200 * eye(200, 210), random(200))
# run: forward(random((70, 70), dtype=float32) + 70 * eye(70, dtype=float32), random(70, dtype=float32))
# run: forward(random((70, 70), dtype=complex128) + 70 * eye(70, dtype=complex128), random(70, dtype=complex128))
# run: forward(ones((3, 3)), array([-0.0, -0.0, 1.0]))
# run: forward(ones((2, 2), dtype=complex128), array([complex(inf, -0.0), complex(-0.0, inf)]))
# run: forward(where(random((80, 80)) < 0.01, nan, random((80, 80))), random(80))
# run: forward(ones((0, 0)), random(0))
# run: forward(random((20, 19)), random(20))
# run: forward(random((20, 20)), random(21))
def forward(l, b):
    n = len(b)
    x = np.zeros_like(b)
    for i in range(n):
        s = b[i]
        for j in range(i):
            s -= l[i, j] * x[j]
        x[i] = s / l[i, i]
    return x


#numptx export backward(float64[:,:], float64[:])
# run: backward(random((100, 100)) + 100 * eye(100), random(100))
# structure: launches=2 allocs=1 copies=0 syncs=0
# run: backward(ones((1, 1)), random(1))
# run: backward(ones((0, 0)), random(0))
# run: backward(random((20, 20)), random(21))
def backward(a, b):
    n = len(b)
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        s = 0.0
        for j in range(i + 1, n):
            s += a[i, j] * x[j]
        x[i] = (b[i] - s) / a[i, i]
    return x


# What it starts with is the sum of no iteration: -0.0 stays what it is.
#numptx export added(float64[:], float64[:])
# run: added(random(90), random(90))
# structure: launches=2 allocs=1 copies=0 syncs=0
# run: added(array([-0.0, 1.0, 2.0]), zeros(3))
# run: added(random(0), random(0))
def added(b, x):
    for i in range(len(b)):
        s = b[i]
        for j in range(i):
            s += x[j] * 0.01
        x[i] = s
    return x, np.signbit(x)


#numptx export multiplied(float64[:], float64[:])
#numptx export multiplied(complex128[:], complex128[:])
# run: multiplied(random(60) + 0.5, random(60) + 0.5)
# structure: launches=1 allocs=0 copies=0 syncs=0
# run: multiplied(array([complex(inf, 1.0), 1.0, 2j]), ones(3, dtype=complex128))
def multiplied(b, x):
    for i in range(len(b)):
        s = b[i]
        for j in range(i):
            s *= x[j]
        x[i] = s * 0.5
    return x


# Integers wrap, and extremes of them are exact.
#numptx export greatest(int32[:], int64[:])
# run: greatest(integers(-1000, 1000, 80).astype(int32), zeros(80, dtype=int64))
# structure: launches=1 allocs=0 copies=0 syncs=0
# run: greatest(integers(-1000, 1000, 0).astype(int32), zeros(0, dtype=int64))
def greatest(b, x):
    for i in range(len(x)):
        m = np.int64(b[i])
        for j in range(i):
            if x[j] - b[j] > m:
                m = x[j] - b[j]
        x[i] = m - 3
    return x


# Two values, a value that is looked at, and a sum by a step: these all threads have for themselves, beside a loop that they share.
#numptx export looked_at(float64[:], float64[:,:])
# tolerance: 0
# run: looked_at(random(40), random((40, 40)))
# structure: launches=1 allocs=0 copies=0 syncs=0
# run: looked_at(random(0), random((0, 40)))
def looked_at(x, y):
    for i in range(len(x)):
        s = 0.0
        for j in range(i):
            s += x[j] if s < 3.0 else 0.25 * x[j]
        t = 1.0
        for j in range(0, i, 3):
            t += x[j]
        x[i] = s / t
        for k in range(y.shape[1]):
            y[i, k] = x[i] + k


# In the points of a parallel loop sums are in the order of the program.
#numptx export in_points(float64[:,:], float64[:,:], int)
# tolerance: 0
# run: in_points(random((30, 30)), random((30, 30)), 5)
# structure: launches=1 allocs=0 copies=0 syncs=0
# run: in_points(random((30, 30)), random((30, 30)), 0)
def in_points(a, b, n):
    for _ in range(n):
        for i in range(a.shape[0]):
            s = a[i, 0]
            for j in range(b.shape[1]):
                s += b[i, j] * a[i, j]
            b[i, 0] = s / 30
        for i in range(a.shape[0]):
            a[i, 1] = b[a.shape[0] - 1 - i, 0]


# A few iterations, as many as are known, are no sum that is worth waiting for.
#numptx export few(float64[:,:], float64[:,:])
# tolerance: 0
# run: few(random((50, 3)), random((50, 20)))
# structure: launches=1 allocs=0 copies=0 syncs=0
def few(x, y):
    for i in range(1, x.shape[0]):
        s = 0.0
        for d in range(3):
            s += x[i, d] * x[i - 1, d]
        x[i, 0] = s
        for k in range(y.shape[1]):
            y[i, k] = y[i - 1, k] + s
