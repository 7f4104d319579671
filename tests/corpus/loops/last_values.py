"""Names of a loop that are read after it: what the last iteration made of them, or what they were before."""

import math

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


#numptx export last_product(float64[:], int)
# run: last_product(random(10), 4)
# run: last_product(random(10), 0)
# run: last_product(random(10), -1)
# run: last_product(random(10), 11)
# run: last_product(random(0), 1)
# run: last_product(random(10), 10)
# structure: launches=1 copies=0
def last_product(x, n):
    t = 0.0
    for i in range(n):
        t = x[i] * i
    return float(t)


#numptx export last_quotient(float64[:], int64[:], int)
# run: last_quotient(random(10), array([3, 4, 0, 5]), 4)
# run: last_quotient(random(10), array([3, 4, 5, 0]), 4)
# run: last_quotient(random(10), array([3, 4, 5, 7]), 4)
# run: last_quotient(random(10), array([3, 4, 5, 7]), 0)
# run: last_quotient(random(10), array([3, 4, 5, 7]), 5)
# run: last_quotient(random(10) - 2.0, array([3, 4, 5, 7]), 4)
def last_quotient(x, k, n):
    t = -1.0
    for i in range(n):
        t = math.sqrt(x[i]) / int(k[i]) + 7 // int(k[i])
    return t


#numptx export last_term(float64[:])
# run: last_term(random(1))
# run: last_term(random(0))
# run: last_term(random(1000))
# structure: launches=3 copies=0
def last_term(x):
    t = 0.0
    s = 0.0
    for i in range(len(x)):
        t = x[i] / 3 + math.sin(x[i])
        s += t
    return float(s), float(t)


#numptx export last_stored(float64[:], float64[:])
# run: last_stored(random(10), zeros(10))
# run: last_stored(random(10), zeros(9))
# run: last_stored(random(0), zeros(9))
# run: x = random(10); last_stored(x, x)
# run: x = random(10); last_stored(x[:9], x[1:])
# run: x = random(10); last_stored(x[1:], x[:9])
def last_stored(x, y):
    t = 0.0
    for i in range(len(x)):
        t = x[i] / 3 * i
        y[i] = t + 1
    return float(t)


#numptx export last_of_gathered(float64[:], int64[:])
# run: last_of_gathered(random(9), array([0, 8, -9]))
# run: last_of_gathered(random(9), array([0, 9, -9]))
# run: last_of_gathered(random(9), array([0, 8, -10]))
# run: last_of_gathered(random(0), zeros(0, dtype=int64))
def last_of_gathered(x, at):
    t = 0.0
    for i in range(len(at)):
        t = x[at[i]] * i
    return float(t)


#numptx export last_remainder(int, int)
# run: last_remainder(100, 7)
# run: last_remainder(100, 0)
# run: last_remainder(0, 0)
# run: last_remainder(-5, 7)
# structure: launches=0 copies=0
def last_remainder(n, k):
    t = -1
    for i in range(n):
        t = 1000 // k + i % 3
    return t
