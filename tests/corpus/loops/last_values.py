"""Names of a loop that are read after it: what the last iteration made of them, or what they were before."""

import numpy as np


#numptx export last_index(float64[:])
# run: last_index(random(10))
# structure: launches=1 copies=0
# run: last_index(random(0))
def last_index(x):
    for i in range(len(x)):
        x[i] = x[i] * 2.0
    return i


#numptx export last_of_two(float64[:,:])
# run: last_of_two(random((4, 5)))
# structure: launches=1 copies=0
# run: last_of_two(random((0, 5)))
# run: last_of_two(random((4, 0)))
def last_of_two(x):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            x[i, j] = i + j
    return i * 100 + j


#numptx export goes_on(float64[:], float64[:], int)
# run: goes_on(random(10), zeros(10), 6)
# run: goes_on(random(10), zeros(10), 0)
# run: goes_on(random(10), zeros(10), -3)
# run: goes_on(random(10), zeros(10), 11)
def goes_on(x, y, n):
    i = 7
    for i in range(n):
        y[i] = x[i]
    while i < len(x):
        y[i] = 1.0
        i += 1
    return i


#numptx export backwards(float64[:], int, int)
# run: backwards(random(30), 20, 3)
# structure: launches=2 copies=0
# run: backwards(random(30), 3, 20)
# run: backwards(random(30), 4, 3)
def backwards(x, first, last):
    i = -1
    twice = 0
    for i in range(first, last, -4):
        x[i] = 0.0
        twice = 2 * i + 1
    return i, twice


#numptx export mean_of(float64[:])
# run: mean_of(random(500))
# structure: launches=1 copies=0
# run: mean_of(random(0))
def mean_of(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    return s / (i + 1)


#numptx export stencil_and_edge(float64[:], float64[:])
# run: stencil_and_edge(random(50), zeros(50))
# run: stencil_and_edge(random(3), zeros(2))
def stencil_and_edge(x, y):
    for i in range(1, len(x) - 1):
        y[i] = x[i - 1] + x[i + 1]
    y[i + 1] = x[i + 1]


# The slice is empty where the loop inside has one iteration: what is stored may then have another extent.
#numptx export rows_before_the_last(int32[:], int32[:,:])
# run: b = arange(1).astype(int32); rows_before_the_last(b, b.reshape(1, 1))
# run: b = arange(3).astype(int32); rows_before_the_last(b, b.reshape(1, 3))
# run: b = arange(3).astype(int32); rows_before_the_last(b, b.reshape(3, 1))
# run: rows_before_the_last(zeros(0, dtype=int32), zeros((1, 1), dtype=int32))
def rows_before_the_last(x, z):
    r = np.ones(z.shape)
    for t in range(3):
        for i in range(len(x)):
            pass
        r[:i] = z
    return r
