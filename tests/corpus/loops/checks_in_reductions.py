"""Reductions whose points make checks: where one fails, the loop runs as it is written, and raises where Python does."""

import math

import numpy as np


#numptx export gathered(float64[:], int64[:])
# run: gathered(random(9), array([0, 8, 3, -1, -9]))
# run: gathered(arange(9.0), integers(-9, 9, 100000))
# run: gathered(random(9), zeros(0, dtype=int64))
# run: gathered(random(0), zeros(0, dtype=int64))
# run: gathered(random(0), array([0, 8]))
# run: gathered(random(9), array([0, 9, 3, 100]))
# run: gathered(random(9), array([0, 8, -10]))
# run: gathered(random(9), array([2**62, -2**62]))
# run: gathered(random(9)[::-2], array([0, 4, 3, -1, -5])[::-1])
# structure: launches=1 copies=0
def gathered(x, at):
    s = 0.0
    for i in range(len(at)):
        s += x[at[i]]
    return float(s)


#numptx export roots(float64[:])
# run: roots(random(1000))
# run: roots(random(0))
# run: roots(array([1.0, 4.0, -1.0, 9.0]))
# run: roots(array([1.0, nan, inf]))
def roots(x):
    s = 0.0
    for i in range(len(x)):
        s += math.sqrt(x[i])
    return s


#numptx export weighted(float64[:,:], int64[:], int64[:], float64[:])
# run: weighted(random((4, 5)), array([0, 3, -4]), array([4, 0, -5]), random(3))
# run: weighted(random((4, 5)), array([0, 3, -5]), array([4, 0, -5]), random(3))
# run: weighted(random((4, 5)), array([0, 3, -4]), array([4, 5, -5]), random(3))
# run: weighted(random((4, 5)), array([0, 3, -4]), array([4, 0, -5]), random(2))
# run: weighted(random((4, 0)), array([0, 3, -4]), array([4, 0, -5]), random(3))
# run: weighted(random((0, 5)), zeros(0, dtype=int64), array([4, 0, -5]), random(3))
def weighted(a, row, column, w):
    s = 0.0
    for k in range(len(row)):
        s += w[k] * a[row[k], column[k]]
    return float(s)


#numptx export where_within(float64[:], int64[:])
# run: where_within(random(9), array([0, 8, 3, 9, -9, 100, -100]))
# run: where_within(random(9), array([0, 8, 3, 9, -9, 100, 2**62]))
# run: where_within(random(0), array([0, 8, 3, 9, -9, 100, -100]))
def where_within(x, at):
    s = 0.0
    n = 0
    for i in range(len(at)):
        if 0 <= at[i] < len(x):
            s += x[at[i]]
            n += 1
    return float(s), n


#numptx export twice_removed(float64[:], int64[:], int64[:])
# run: twice_removed(random(9), array([0, 8, 3]), array([2, 1, -3, 0]))
# run: twice_removed(random(9), array([0, 9, 3]), array([2, 0, -3, 0]))
# run: twice_removed(random(9), array([0, 9, 3]), array([2, 1, -3, 0]))
# run: twice_removed(random(9), array([0, 8, 3]), array([2, 1, -4, 0]))
def twice_removed(x, inner, outer):
    largest = -math.inf
    for i in range(len(outer)):
        v = x[inner[outer[i]]]
        if v > largest:
            largest = v
    return largest


#numptx export rows(float64[:], int64[:,:])
# run: rows(random(9), integers(-9, 9, (30, 20)))
# run: rows(random(9), array([[0, 1], [8, 9]]))
# run: rows(random(9), zeros((3, 0), dtype=int64))
# run: rows(random(9), zeros((0, 3), dtype=int64))
def rows(x, at):
    s = 0.0
    for i in range(at.shape[0]):
        for j in range(at.shape[1]):
            s += x[at[i, j]]
    return float(s)


#numptx export asserted(float64[:])
# run: asserted(random(1000))
# run: asserted(array([1.0, 2.0, -1.0]))
# run: asserted(array([1.0, nan, -1.0]))
def asserted(x):
    s = 0.0
    for i in range(len(x)):
        if x[i] < 0.0:
            raise ValueError("negative")
        s += x[i]
    return s


#numptx export divided(int64[:], int64[:])
# run: divided(integers(-9, 9, 50), integers(1, 9, 50))
# run: divided(integers(-9, 9, 50), integers(0, 2, 50))
def divided(a, b):
    s = 0
    for i in range(len(a)):
        s += int(a[i]) // int(b[i]) & 65535
    return s


#numptx export decided_by_carried(float64[:], int64[:])
# run: decided_by_carried(random(9), array([0, 8, 3, 100]))
# run: decided_by_carried(random(9) - 2.0, array([0, 100, 3, 100]))
def decided_by_carried(x, at):
    ok = True
    for i in range(len(at)):
        ok = ok and x[at[i]] > 0.0
    return ok


#numptx export counted(int64[:], int64[:])
# run: counted(zeros(5, dtype=int64), array([0, 4, -5]))
# run: counted(ones(5, dtype=int64), array([0, 4, 3]))
# run: counted(ones(5, dtype=int64), array([0, 4, 5]))
def counted(x, at):
    n = 0
    for i in range(len(at)):
        if x[at[i]] > 0:
            n += 1
    return n
