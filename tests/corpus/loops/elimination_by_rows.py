"""Elimination with rows: an iteration updates a row by another one and by an element of its own, which NumPy reads once, before the row is written."""

import numpy as np


#numptx export eliminated(float64[:,:])
#numptx export eliminated(complex128[:,:])
#numptx export eliminated(float32[:,:])
# run: eliminated(random((20, 20)) + 20 * eye(20))
# structure: launches=1 copies=0
# run: eliminated(random((20, 31)))
# run: eliminated(random((19, 9)))
# run: eliminated((random((12, 12)) + 1j * random((12, 12))))
# run: eliminated(random((12, 12), dtype=float32))
# run: eliminated(random((24, 24)).T)
# run: eliminated(random((24, 24))[::-1, ::-1])
# run: eliminated(zeros((3, 3)))
# run: eliminated(ones((1, 1)))
# run: eliminated(ones((0, 0)))
# run: eliminated(ones((0, 4)))
# run: eliminated(ones((4, 0)))
def eliminated(a):
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            a[i] -= a[i, k] / a[k, k] * a[k]


#numptx export without_quotient(float64[:,:])
# run: without_quotient(random((20, 20)) / 4)
# structure: launches=1 copies=0
# run: without_quotient(random((9, 20)))
# run: without_quotient(random((9, 8)))
def without_quotient(a):
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            a[i] -= a[i, k] * a[k]


#numptx export lower_and_upper(float64[:,:])
#numptx export lower_and_upper(complex128[:,:])
# run: lower_and_upper(random((20, 20)) + 20 * eye(20))
# structure: launches=1 copies=0
# run: lower_and_upper(random((12, 12)) + 1j * random((12, 12)))
# run: lower_and_upper(random((9, 12)))
# run: lower_and_upper(random((12, 9)))
# run: lower_and_upper(ones((1, 1)))
# run: lower_and_upper(ones((0, 0)))
def lower_and_upper(a):
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            a[i, k + 1 :] -= a[i, k] * a[k, k + 1 :]


#numptx export with_right_hand_side(float64[:,:], float64[:])
# run: with_right_hand_side(random((20, 20)) + 20 * eye(20), random(20))
# structure: launches=1 copies=0
# run: a = random((20, 20)); with_right_hand_side(a, a[3])
# run: a = random((20, 20)); with_right_hand_side(a, a[:, 19])
# run: with_right_hand_side(random((9, 12)), random(9))
# run: with_right_hand_side(random((9, 12)), random(8))
# run: with_right_hand_side(random((9, 8)), random(9))
# run: with_right_hand_side(ones((0, 0)), random(0))
def with_right_hand_side(a, b):
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            f = a[i, k] / a[k, k]
            a[i, k:] -= f * a[k, k:]
            b[i] -= f * b[k]


# All rows but one.
#numptx export gauss_jordan(float64[:,:])
# run: gauss_jordan(random((20, 20)) + 20 * eye(20))
# structure: launches=1 copies=0
# run: gauss_jordan(random((12, 24)))
# run: gauss_jordan(random((70, 80)) + 9 * eye(70, 80))
# run: gauss_jordan(random((12, 11)))
# run: gauss_jordan(zeros((3, 3)))
# run: gauss_jordan(ones((1, 1)))
# run: gauss_jordan(ones((0, 0)))
def gauss_jordan(a):
    n = a.shape[0]
    for k in range(n):
        a[k, :] /= a[k, k]
        for i in range(n):
            if i != k:
                a[i, :] -= a[i, k] * a[k, :]


#numptx export gauss_jordan_continued(float64[:,:], float64[:,:])
# run: gauss_jordan_continued(random((20, 20)) + 20 * eye(20), eye(20))
# structure: launches=1 copies=0
# run: gauss_jordan_continued(random((9, 9)), random((9, 2)))
# run: gauss_jordan_continued(random((9, 9)), random((8, 2)))
# run: a = random((9, 18)); gauss_jordan_continued(a[:, :9], a[:, 9:])
# run: a = random((9, 18)); gauss_jordan_continued(a[:, :9], a[:, 3:12])
def gauss_jordan_continued(a, b):
    n = a.shape[0]
    for k in range(n):
        f = a[k, k]
        a[k] /= f
        b[k] /= f
        for i in range(n):
            if i == k:
                continue
            f = a[i, k]
            a[i] -= f * a[k]
            b[i] -= f * b[k]


# The pivot is one that the host knows: two launches for all rows, beside four that look for it.
#numptx export pivoted(float64[:,:], int64[:])
# run: pivoted(random((20, 20)) + 20 * eye(20), zeros(20, dtype=int64))
# structure: launches=118
# run: pivoted(random((12, 12)), zeros(12, dtype=int64))
# run: pivoted(random((40, 40)), zeros(40, dtype=int64))
# run: pivoted(eye(5)[::-1].copy(), zeros(5, dtype=int64))
# run: pivoted(zeros((4, 4)), zeros(4, dtype=int64))
# run: pivoted(random((9, 12)), zeros(9, dtype=int64))
# run: pivoted(random((9, 8)), zeros(9, dtype=int64))
# run: pivoted(random((9, 9)), zeros(8, dtype=int64))
# run: pivoted(ones((1, 1)), zeros(1, dtype=int64))
# run: pivoted(ones((0, 0)), zeros(0, dtype=int64))
def pivoted(a, piv):
    n = a.shape[0]
    for k in range(n):
        p = k + np.argmax(np.abs(a[k:, k]))
        piv[k] = p
        if p != k:
            t = a[k].copy()
            a[k] = a[p]
            a[p] = t
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            a[i, k + 1 :] -= a[i, k] * a[k, k + 1 :]


#numptx export pivoted_with_right_hand_side(float64[:,:], float64[:,:])
# run: pivoted_with_right_hand_side(random((20, 20)) + 20 * eye(20), random((20, 3)))
# structure: launches=118
# run: pivoted_with_right_hand_side(random((12, 12)), random((12, 3)))
# run: pivoted_with_right_hand_side(random((12, 12)), random((11, 3)))
# run: a = random((12, 24)); pivoted_with_right_hand_side(a[:, :12], a[:, 12:])
# run: a = random((12, 24)); pivoted_with_right_hand_side(a[:, :12], a[:, 6:])
def pivoted_with_right_hand_side(a, b):
    n = a.shape[0]
    for k in range(n):
        p = k + np.argmax(np.abs(a[k:, k]))
        if p != k:
            a[[k, p]] = a[[p, k]]
            b[[k, p]] = b[[p, k]]
        for i in range(k + 1, n):
            f = a[i, k] / a[k, k]
            a[i, k:] -= f * a[k, k:]
            b[i] -= f * b[k]


# Only one step, whose row may be any, also one counted from the end: then it is one of those that are written.
#numptx export step(float64[:,:], int)
# run: step(random((20, 20)), 3)
# run: step(random((20, 20)), 0)
# run: step(random((20, 20)), 19)
# run: step(random((20, 20)), -1)
# run: step(random((20, 20)), -20)
# run: step(random((20, 20)), -21)
# run: step(random((20, 20)), 20)
# run: step(random((20, 9)), 9)
# run: step(random((20, 9)), -9)
# run: step(random((0, 9)), 3)
def step(a, k):
    n = a.shape[0]
    for i in range(k + 1, n):
        a[i, k:] -= a[i, k] * a[k, k:]


#numptx export step_of_all(float64[:,:], int)
# run: step_of_all(random((20, 20)), 3)
# run: step_of_all(random((20, 20)), -3)
# run: step_of_all(random((20, 20)), 20)
# run: step_of_all(random((1, 1)), 3)
def step_of_all(a, k):
    n = a.shape[0]
    for i in range(n):
        if i != k:
            a[i] -= a[i, k] * a[k]


# The element is read once, also where the row runs backwards or ends with it.
#numptx export own_elements(float64[:,:])
# run: own_elements(random((20, 20)))
# structure: launches=1 copies=0
# run: own_elements(random((1, 7)))
# run: own_elements(random((7, 1)))
# run: own_elements(random((7, 0)))
def own_elements(a):
    for i in range(a.shape[0]):
        a[i] /= a[i, 0]
        a[i, ::-1] -= a[i, -1]
        a[i] *= a[i, a.shape[1] // 2]


#numptx export substituted(float64[:,:], float64[:], float64[:])
#numptx export substituted(complex128[:,:], complex128[:], complex128[:])
# run: substituted(random((20, 20)) + 20 * eye(20), random(20), zeros(20))
# run: substituted(random((9, 9)) + 1j, random(9) + 1j, zeros(9, dtype=complex128))
# run: substituted(random((9, 9)), random(8), zeros(9))
# run: x = random(9); substituted(random((9, 9)) + 9, x, x)
def substituted(a, b, x):
    n = a.shape[0]
    for k in range(n - 1, -1, -1):
        x[k] = (b[k] - a[k, k + 1 :] @ x[k + 1 :]) / a[k, k]
