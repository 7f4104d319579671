"""Loops that use rows and elements of the arrays that they write, made before them: what all of them touch is one array."""

import numpy as np


#numptx export eliminated(float64[:,:])
# run: eliminated(random((20, 20)))
# structure: launches=79 allocs=80 copies=0
# run: eliminated(random((20, 30)))
# run: eliminated(random((30, 20)))
# run: eliminated(random((5, 5)).T)
# run: eliminated(random((9, 9))[::-1, ::-1])
# run: eliminated(zeros((3, 3)))
# run: eliminated(zeros((0, 0)))
# run: eliminated(ones((2, 0)))
# run: a = random((9, 9)); a[4] = 0.0; eliminated(a)
# run: a = random((9, 9)); a[4] = a[2]; eliminated(a)
def eliminated(a):
    n = a.shape[0]
    for k in range(n):
        p = a[k, k]
        if p == 0.0:
            return False
        for i in range(k + 1, n):
            f = a[i, k] / p
            for j in range(k, n):
                a[i, j] -= f * a[k, j]
    return True


#numptx export eliminated_until(float64[:,:], float64)
# run: eliminated_until(random((20, 20)), 0.01)
# run: eliminated_until(random((20, 20)), 0.0)
# run: eliminated_until(random((20, 20)), 1.0)
# run: eliminated_until(random((3, 2)), 0.0)
# run: eliminated_until(zeros((0, 0)), 0.0)
def eliminated_until(a, least):
    n = a.shape[0]
    for k in range(n):
        if abs(a[k, k]) < least:
            break
        for i in range(k + 1, n):
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] / a[k, k] * a[k, j]


#numptx export eliminated_in(float64[:,:], int)
# run: eliminated_in(random((20, 20)), 0)
# run: eliminated_in(random((20, 20)), 7)
# run: eliminated_in(random((20, 20)), 19)
# run: eliminated_in(random((20, 20)), 20)
# run: eliminated_in(random((20, 20)), -1)
# run: eliminated_in(random((20, 20)), -20)
# run: eliminated_in(random((20, 20)), -21)
# run: eliminated_in(random((20, 10)), 5)
# run: eliminated_in(random((10, 20)), -5)
# run: eliminated_in(zeros((0, 0)), 0)
def eliminated_in(a, k):
    n = a.shape[0]
    p = a[k, k]
    for i in range(k + 1, n):
        f = a[i, k] / p
        for j in range(k, n):
            a[i, j] -= f * a[k, j]


#numptx export two_rows(float64[:,:], int, int, float64)
# run: two_rows(random((5, 60)), 1, 3, 0.5)
# run: two_rows(random((5, 60)), 3, 3, 0.5)
# run: two_rows(random((5, 60)), -2, 3, 0.5)
# run: two_rows(random((5, 60)), 4, -1, 0.5)
# run: two_rows(random((5, 60)), 4, 5, 0.5)
# run: two_rows(random((60, 5)).T, 0, 1, 2.0)
# run: two_rows(zeros((2, 0)), 0, 1, 2.0)
def two_rows(a, k, l, f):
    r, s = a[k], a[l]
    for j in range(a.shape[1]):
        r[j] = s[j] * f + r[j]


#numptx export moved_along(float64[:,:], int, int)
# run: moved_along(random((5, 60)), 1, 3)
# run: moved_along(random((5, 60)), 3, 3)
# run: moved_along(random((5, 60)), -2, 3)
# run: moved_along(random((5, 60))[::-1, ::2], 4, 4)
# run: moved_along(zeros((2, 1)), 0, 1)
def moved_along(a, k, l):
    r, s = a[k], a[l]
    for j in range(1, a.shape[1]):
        r[j] = s[j - 1] + 1.0


#numptx export planes(float64[:,:,:], int)
# run: planes(random((3, 7, 8)), 1)
# run: planes(random((3, 7, 8)), 0)
# run: planes(random((3, 7, 8)), 2)
# run: planes(random((3, 7, 8)), 3)
# run: planes(random((8, 7, 3)).T, -3)
def planes(a, k):
    p = a[k]
    q = p[0]
    for i in range(a.shape[1]):
        for j in range(a.shape[2]):
            a[1, i, j] = p[i, j] + q[j]


#numptx export until_small(float64[:,:])
# run: until_small(random((3, 50)))
# run: until_small(zeros((3, 50)))
# run: until_small(random((3, 1)))
def until_small(a):
    first = a[0]
    n = 0
    while first[0] > 0.001:
        for j in range(a.shape[1]):
            first[j] = a[1, j] * first[j] * 0.5
        n += 1
    return n
