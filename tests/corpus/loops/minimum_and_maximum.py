"""Minimum and maximum in one loop, of which an iteration changes one at most: a reduction where the minimum begins no larger than the maximum."""

import math

import numpy as np


#numptx export both(float64[:])
# run: both(array([3.0, 2.0, 1.0]))
# run: both(array([1.0, 2.0, 3.0]))
# run: both(array([nan, 2.0, 3.0]))
# run: both(array([1.0, nan, inf, -inf]))
# run: both(array([0.0, -0.0, 0.0]) + 1.0)
# run: both(random(0))
# run: both(array([nan, nan]))
# run: both(random(1000))
# structure: launches=3 copies=0
def both(x):
    low = x[0]
    high = x[0]
    for i in range(len(x)):
        if x[i] < low:
            low = x[i]
        elif x[i] > high:
            high = x[i]
    return low, high


#numptx export high_first(int32[:])
# run: high_first(integers(-100, 100, 1000, dtype=int32))
# run: high_first(integers(-100, 100, 1, dtype=int32))
# run: high_first(integers(-100, 100, 0, dtype=int32))
def high_first(x):
    low = high = int(x[0])
    for w in x[1:]:
        v = int(w)
        if high < v:
            high = v
        elif v <= low:
            low = v
    return low, high


#numptx export with_indices(float64[:])
# run: with_indices(random(1000))
# run: with_indices(array([2.0, 1.0, 1.0, 3.0, 3.0]))
# run: with_indices(array([nan, 1.0, 1.0, 3.0, 3.0]))
# run: with_indices(array([2.0, nan, 1.0, nan, 3.0]))
# run: with_indices(array([2.0]))
# run: with_indices(array([5.0, 4.0, 3.0, 2.0]))
# run: with_indices(random(0))
def with_indices(x):
    low, high = x[0], x[0]
    at_low = at_high = 0
    for i in range(1, len(x)):
        if x[i] < low:
            low = x[i]
            at_low = i
        elif x[i] > high:
            high = x[i]
            at_high = i
    return low, high, at_low, at_high


#numptx export from_anything(float64[:], float, float)
# run: from_anything(random(1000), 0.5, 0.5)
# run: from_anything(random(1000), 0.4, 0.6)
# run: from_anything(random(1000), 0.6, 0.4)
# run: from_anything(array([3.0, 2.0, 1.0]), inf, -inf)
# run: from_anything(array([1.0, 2.0, 3.0]), inf, -inf)
# run: from_anything(array([3.0, 2.0, 1.0, 9.0]), nan, -inf)
# run: from_anything(array([3.0, 2.0, 1.0, 9.0]), inf, nan)
# run: from_anything(array([3.0, nan, 1.0, 9.0]), nan, nan)
# run: from_anything(array([3.0, nan, 1.0, 9.0]), -inf, inf)
# run: from_anything(random(0), inf, -inf)
def from_anything(x, low, high):
    for i in range(len(x)):
        v = float(x[i])
        if v < low:
            low = v
        elif v > high:
            high = v
    return low, high


#numptx export from_infinity(float64[:])
# run: from_infinity(array([3.0, 2.0, 1.0]))
# run: from_infinity(array([1.0, 2.0, 3.0]))
# run: from_infinity(array([2.0, 1.0, 3.0, 0.0]))
# run: from_infinity(random(0))
def from_infinity(x):
    low, high = math.inf, -math.inf
    for i in range(len(x)):
        v = float(x[i])
        if v < low:
            low = v
        elif v > high:
            high = v
    return low, high


#numptx export from_zero(int64[:])
# run: from_zero(integers(-100, 100, 1000))
# run: from_zero(array([-2**63, 2**63 - 1]))
# run: from_zero(zeros(0, dtype=int64))
def from_zero(x):
    low, high = 0, 0
    for i in range(len(x)):
        v = int(x[i])
        if v < low:
            low = v
        elif v > high:
            high = v
    return low, high


# The last one of equals is both, if it is looked at twice.
#numptx export equals(float64[:])
# run: equals(array([1.0, 1.0, 1.0]))
# run: equals(array([1.0, 2.0, 0.0, 2.0, 0.0]))
def equals(x):
    low = high = x[0]
    at_low = at_high = 0
    for i in range(1, len(x)):
        if x[i] <= low:
            low = x[i]
            at_low = i
        elif x[i] >= high:
            high = x[i]
            at_high = i
    return low, high, at_low, at_high


#numptx export one_strict(float64[:])
# run: one_strict(array([1.0, 1.0, 1.0]))
# run: one_strict(array([1.0, 2.0, 0.0, 2.0, 0.0]))
def one_strict(x):
    low = high = x[0]
    for i in range(1, len(x)):
        if x[i] <= low:
            low = x[i]
        elif x[i] > high:
            high = x[i]
    return low, high


# What is compared with is not what the other branch changes.
#numptx export of_two(float64[:], float64[:])
# run: of_two(random(100), random(100))
# run: of_two(array([3.0, 2.0, 1.0]), array([0.0, 5.0, 9.0]))
def of_two(x, y):
    low = x[0]
    high = y[0]
    for i in range(len(x)):
        if x[i] < low:
            low = x[i]
        elif y[i] > high:
            high = y[i]
    return low, high


#numptx export narrowing(float64[:])
# run: narrowing(random(100))
# run: narrowing(array([3.0, 2.0, 4.0, 1.0]))
def narrowing(x):
    low = high = x[0]
    for i in range(len(x)):
        if x[i] < low:
            low = x[i]
        elif x[i] > low:
            high = x[i]
    return low, high


#numptx export among_positive(float64[:])
# run: among_positive(random(100) - 0.5)
# run: among_positive(array([-3.0, 2.0, 4.0, 1.0]))
def among_positive(x):
    low = high = 1.5
    n = 0
    for i in range(len(x)):
        v = float(x[i])
        if v > 0.0:
            n += 1
            if v < low:
                low = v
            elif v > high:
                high = v
    return low, high, n


#numptx export of_unsigned(uint64[:], uint64, uint64)
# run: of_unsigned(array([3, 2**63 + 5, 2**64 - 1, 0], dtype=uint64), uint64(2**63), uint64(1))
# run: of_unsigned(array([3, 2**63 + 5, 2**64 - 1, 0], dtype=uint64), uint64(1), uint64(2**63))
def of_unsigned(x, low, high):
    for i in range(len(x)):
        if x[i] < low:
            low = x[i]
        elif x[i] > high:
            high = x[i]
    return low, high


#numptx export of_matrix(float64[:,:])
# run: of_matrix(random((30, 40)))
# run: of_matrix(array([[3.0, 2.0], [1.0, 5.0]]))
# run: of_matrix(random((1, 1)))
# run: of_matrix(random((0, 1)))
def of_matrix(x):
    low = x[0, 0]
    high = x[0, 0]
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] < low:
                low = x[i, j]
            elif x[i, j] > high:
                high = x[i, j]
    return low, high


#numptx export positions_of_both(float64[:])
# run: positions_of_both(array([2.0, 1.0, 1.0, 3.0, 3.0]))
# run: positions_of_both(array([nan, 1.0, 1.0, 3.0, 3.0]))
# run: positions_of_both(array([2.0, nan, 1.0, nan, 3.0]))
# run: positions_of_both(array([5.0, 4.0, 3.0, 2.0]))
# run: positions_of_both(array([5.0]))
# run: positions_of_both(random(0))
# run: positions_of_both(random(1000))
def positions_of_both(x):
    at_low = 0
    at_high = 0
    for i in range(1, len(x)):
        if x[i] < x[at_low]:
            at_low = i
        elif x[i] > x[at_high]:
            at_high = i
    return at_low, at_high


#numptx export positions_from(float64[:], int, int)
# run: positions_from(array([2.0, 1.0, 1.0, 3.0, 3.0]), 3, 1)
# run: positions_from(array([2.0, 1.0, 1.0, 3.0, 3.0]), 1, 3)
# run: positions_from(array([2.0, 1.0, 1.0, 3.0, 3.0]), -1, 5)
# run: positions_from(array([2.0, 1.0, 1.0, 3.0, 3.0]), 2, 2)
def positions_from(x, at_low, at_high):
    for i in range(1, len(x)):
        if x[i] < x[at_low]:
            at_low = i
        elif x[i] > x[at_high]:
            at_high = i
    return at_low, at_high
