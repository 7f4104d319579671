"""Lists that grow in the forms that loops have: under conditions, read while they grow, in a `while`, under two names."""

import numpy as np


#numptx export two_names(float64[:])
# run: two_names(array([1.0, -2.0]))
# run: two_names(array([]))
# run: two_names(array([nan]))
def two_names(x):
    ys = []
    zs = ys
    for v in x:
        ys.append(v)
    return len(zs)


#numptx export above_zero(float64[:])
# run: above_zero(array([1.0, -2.0, 3.0]))
# run: above_zero(array([nan, inf, -0.0]))
# run: above_zero(arange(6.0)[::-2])
def above_zero(x):
    out = []
    for v in x:
        if v > 0.0:
            out.append(v)
    return out


#numptx export until_above_zero(float64[:])
# run: until_above_zero(array([-1.0, -2.0, 3.0, -4.0]))
# run: until_above_zero(array([2.0]))
# run: until_above_zero(array([]))
def until_above_zero(x):
    ys = []
    for v in x:
        if v > 0:
            break
        ys.append(v)
    return ys


#numptx export running(float64[:])
# run: running(array([1.0, 2.0]))
# run: running(array([]))
# run: running(array([inf, -inf]))
def running(x):
    ys = [np.float64(0.0)]
    for v in x:
        ys.append(ys[-1] + v)
    return np.array(ys)


#numptx export halves(int)
# run: halves(40)
# run: halves(1)
# run: halves(-7)
def halves(n):
    ys = []
    while n > 1:
        ys.append(n)
        n //= 2
    return ys


#numptx export repeated(int, int)
# run: repeated(3, 2)
# run: repeated(0, 2)
# run: repeated(-1, 2)
def repeated(n, value):
    return [value] * n


#numptx export changed(float)
# run: changed(2.5)
# run: changed(nan)
# run: changed(-0.0)
def changed(x):
    t = [x, x, x]
    t[0] = 5.0
    return t


#numptx export positive(float, float)
# run: positive(1.0, -1.0)
# run: positive(-1.0, -1.0)
# run: positive(nan, 2.0)
def positive(a, b):
    return [x for x in (a, b) if x > 0]


#numptx export positions(float64[:], float64[:], int)
# run: positions(array([1.0, 2.0]), array([0.5, -1.0]), 3)
# run: positions(array([nan]), array([inf]), 1)
# run: positions(array([]), array([]), 2)
def positions(start, step, n):
    kept = [start.copy()]
    for _ in range(n):
        kept.append(kept[-1] + step)
    return np.array(kept)


#numptx export rows_of_different_lengths(int)
# run: rows_of_different_lengths(1)
# run: rows_of_different_lengths(2)
# run: rows_of_different_lengths(3)
def rows_of_different_lengths(n):
    rows = []
    i = 0
    while i < n:
        rows.append(np.ones(1 + i // 2))
        i += 1
    return np.array(rows)
