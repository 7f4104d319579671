"""Sums by loops over scalars, in loops whose iterations depend on each other: the threads of the launch share them."""

import numpy as np


#numptx export forward(float64[:,:], float64[:])
# run: forward(random((100, 100)) + 100 * eye(100), random(100))
# structure: launches=2 allocs=1 copies=0 syncs=0
# run: forward(random((200, 210)) + 200 * eye(200, 210), random(200))
# run: forward(ones((3, 3)), array([-0.0, -0.0, 1.0]))
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
