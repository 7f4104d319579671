"""Where the extreme is, by its position alone: each iteration reads the element at the position that was handed on."""

import numpy as np


#numptx export greatest(float64[:])
# run: greatest(np.floor(random(5000) * 50))
# structure: launches=1 allocs=2 copies=0
# run: greatest(random(700)[::-3])
# run: greatest(array([], dtype=float64))
# run: greatest(array([3.0]))
# run: greatest(array([3.0, 7.0]))
# run: greatest(array([7.0, 7.0, 3.0, 7.0]))
# run: greatest(array([nan, 1.0, 2.0]))
# run: greatest(array([1.0, nan, 2.0, nan]))
# run: greatest(array([nan, nan, nan]))
# run: greatest(array([-inf, -inf, nan, -inf]))
# run: greatest(array([-0.0, 0.0, -0.0]))
def greatest(x):
    k = 0
    for j in range(1, len(x)):
        if x[j] > x[k]:
            k = j
    return k


#numptx export last_least(int32[:])
# run: last_least(integers(0, 9, 3000, int32))
# structure: launches=1 copies=0
# run: last_least(integers(0, 9, 3000, int32)[::-2])
# run: last_least(np.full(5, 2**31 - 1, dtype=int32))
# run: last_least(array([], dtype=int32))
# run: last_least(array([4], dtype=int32))
def last_least(x):
    k = 0
    for j in range(len(x)):
        if x[k] >= x[j]:
            k = j
    return k


# The first position may be any int, also one that counts from the end, or is of no element.
#numptx export from_start(float64[:], int, int, int)
# run: from_start(np.floor(random(900) * 30), 7, 0, 900)
# structure: launches=1 copies=0
# run: from_start(np.floor(random(900) * 30), 899, 3, 800)
# run: from_start(np.floor(random(90) * 30), -1, 3, 80)
# run: from_start(np.floor(random(90) * 30), -90, 3, 80)
# run: from_start(np.floor(random(90) * 30), -91, 3, 80)
# run: from_start(np.floor(random(90) * 30), 90, 3, 80)
# run: from_start(np.floor(random(90) * 30), 90, 80, 80)
# run: from_start(np.floor(random(90) * 30), 7, -20, 80)
# run: from_start(np.floor(random(90) * 30), 7, 20, 91)
# run: from_start(np.floor(random(90) * 30), 7, -91, 80)
# run: from_start(array([], dtype=float64), 0, 0, 0)
# run: from_start(array([], dtype=float64), 0, 0, 1)
# run: from_start(array([2.0, nan, 1.0]), 1, 0, 3)
def from_start(x, k, first, end):
    for j in range(first, end):
        if x[j] < x[k]:
            k = j
    return k


#numptx export from_the_end(float32[:], float32[:])
# run: from_the_end(np.floor(random(800, float32) * 20), random(800, float32))
# structure: launches=1 copies=0
# run: from_the_end(np.floor(random(801, float32) * 20)[::-1], random(801, float32))
# run: from_the_end(array([], dtype=float32), array([], dtype=float32))
# run: from_the_end(array([nan, 1, 1, nan], dtype=float32), ones(4, dtype=float32))
# run: from_the_end(random(5, float32), random(4, float32))
# run: from_the_end(random(5, float32), random(6, float32))
def from_the_end(x, y):
    k = len(x) - 1
    for j in range(len(x) - 1, -1, -2):
        if (x[k] - 3) * y[k] <= (x[j] - 3) * y[j]:
            k = j
    return k


#numptx export wanted_only(float64[:], int64[:])
# run: wanted_only(np.floor(random(700) * 9), integers(0, 3, 700))
# structure: launches=1 copies=0
# run: wanted_only(array([1.0, 2.0, 3.0]), array([0, 0, 0]))
# run: wanted_only(array([1.0, nan, 3.0]), array([0, 1, 1]))
def wanted_only(x, wanted):
    k = 0
    for j in range(len(x)):
        if wanted[j] == 1 and x[j] > x[k]:
            k = j
    return k


#numptx export pivot(float64[:,:], int)
# run: pivot(random((300, 30)) - 0.5, 4)
# structure: launches=1 copies=0
# run: pivot(random((30, 30)) - 0.5, 29)
# run: pivot(random((30, 30)) - 0.5, 30)
# run: pivot(random((31, 30)) - 0.5, 30)
# run: pivot(random((31, 30)) - 0.5, -3)
# run: pivot(zeros((3, 3)), 0)
# run: pivot(array([[nan, 1.0], [2.0, 3.0]]), 0)
# run: pivot((random((30, 40)) - 0.5)[::-1, ::2].T, 3)
def pivot(a, k):
    p = k
    for i in range(k + 1, a.shape[0]):
        if abs(a[i, k]) > abs(a[p, k]):
            p = i
    return p


#numptx export on_the_diagonal(float64[:,:])
# run: on_the_diagonal(random((40, 40)))
# structure: launches=1 copies=0
# run: on_the_diagonal(random((40, 30)))
# run: on_the_diagonal(random((30, 40)))
# run: on_the_diagonal(zeros((0, 0)))
def on_the_diagonal(a):
    k = 0
    for j in range(a.shape[0]):
        if a[j, j] > a[k, k]:
            k = j
    return k


# The greatest and the least, by two positions.
#numptx export both(float64[:])
# run: both(random(900))
# structure: launches=1 copies=0
# run: both(array([nan, 1.0, 2.0]))
# run: both(array([], dtype=float64))
# run: both(ones(7))
def both(x):
    low = high = 0
    for j in range(1, len(x)):
        if x[j] < x[low]:
            low = j
        if x[j] > x[high]:
            high = j
    return low, high


# What is stated of a position is looked at in each iteration.
#numptx export stated(float64[:], int)
# run: stated(random(90), 90)
# run: stated(np.arange(90.0), 50)
# run: stated(-np.arange(90.0), 50)
# run: stated(array([]), 0)
def stated(x, most):
    k = 0
    for j in range(1, len(x)):
        assert k < j
        assert k < most
        if x[j] > x[k]:
            k = j
    return k


# Rows are independent.
#numptx export of_rows(float64[:,:], int64[:])
# run: of_rows(np.floor(random((50, 40)) * 30), zeros(50, dtype=int64))
# structure: launches=3
# run: of_rows(zeros((0, 4)), zeros(0, dtype=int64))
# run: of_rows(zeros((4, 0)), ones(4, dtype=int64))
# run: of_rows(where(random((50, 40)) < 0.1, nan, random((50, 40))), zeros(50, dtype=int64))
# run: of_rows(random((5, 4)), zeros(4, dtype=int64))
def of_rows(a, out):
    for i in range(a.shape[0]):
        k = 0
        for j in range(a.shape[1]):
            if a[i, j] > a[i, k]:
                k = j
        out[i] = k
    return out


# All that is compared are bools, and small ints.
#numptx export of_bytes(bool[:], uint8[:])
# run: of_bytes(random(400) < 0.1, integers(3, 250, 400, uint8))
# run: of_bytes(zeros(5, dtype=bool), zeros(5, dtype=uint8))
def of_bytes(x, y):
    k = m = 0
    for j in range(1, len(x)):
        if x[j] > x[k]:
            k = j
    for j in range(1, len(y)):
        if y[j] < y[m]:
            m = j
    return k, m


# An `exp` is not the same to the last bit everywhere: what is equal has to be so.
#numptx export by_a_function(float64[:], float64)
# run: by_a_function(np.floor(random(700) * 9) / 8, 0.3)
# run: by_a_function(array([]), 0.3)
def by_a_function(x, m):
    k = 0
    for j in range(1, len(x)):
        if np.exp(x[j]) > np.exp(x[k]):
            k = j
    n = 0
    for j in range(1, len(x)):
        if abs(x[j] - m) < abs(x[n] - m):
            n = j
    return k, n


# What is compared is no function of the position alone, and what is handed on no position of an element.
#numptx export neither(float64[:], float64[:], int64[:])
# run: neither(random(30), random(30), integers(0, 30, 30))
# run: neither(random(30), random(30), integers(-30, 31, 30))
# run: neither(array([]), array([]), array([], dtype=int64))
def neither(x, y, p):
    k = m = n = 0
    for j in range(len(x)):
        if x[j] > x[k] * y[j]:
            k = j
    for j in range(len(x)):
        if x[j] > x[m]:
            m = j // 2
    for j in range(len(x)):
        if x[j] > x[p[n]]:
            n = j
    return k, m, n
