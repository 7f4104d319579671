"""Where the extreme is: the first one, the last one of equals, along two and three indices."""

import numpy as np


#numptx export last_least(float64[:], float)
# run: last_least(array([3.0, 1.0, 2.0, 1.0, 5.0]), 9.0)
# structure: launches=1 copies=0
# run: last_least(array([3.0, 1.0]), 0.5)
# run: last_least(array([3.0, 1.0]), 1.0)
# run: last_least(np.floor(random(5000) * 50), 9.0)
# run: last_least(array([]), 1.0)
# run: last_least(array([nan, inf, nan, inf, nan]), inf)
# run: last_least(array([nan, nan]), inf)
# run: last_least(array([nan, nan]), nan)
# run: last_least(array([nan, 4.0, nan, 4.0, 7.0]), inf)
def last_least(x, m):
    k = -1
    for i in range(len(x)):
        if x[i] <= m:
            m = x[i]
            k = i
    return float(m), k


#numptx export last_greatest(int32[:])
# run: last_greatest(array([3, 7, 2, 7, 5], dtype=int32))
# structure: launches=1 copies=0
# run: last_greatest(np.full(4, -2**31, dtype=int32))
# run: last_greatest(integers(0, 9, 3000, int32)[::-3])
def last_greatest(x):
    m = np.int32(-2**31)
    k = 100
    for i in range(2, len(x), 1):
        if m <= x[i]:
            m = x[i]
            k = i
    return float(m), k


#numptx export by_a_step(float32[:], int)
# run: by_a_step(np.floor(random(900, float32) * 20), 7)
# run: by_a_step(np.floor(random(900, float32) * 20), -7)
# run: by_a_step(zeros(30, dtype=float32), -3)
# run: by_a_step(zeros(30, dtype=float32), 4)
def by_a_step(x, step):
    m, k = np.float32(5.0), -1
    for i in range(len(x) - 1, -1, -3):
        if x[i] <= m:
            m, k = x[i], i
    if step == 0:
        return m, k, -1
    n, j = np.float32(-1.0), -1
    for i in range(3, 30, 2):
        if not x[i] < n:
            n, j = x[i], i
    return m, k, j


#numptx export only_some(float64[:], int64[:])
# run: only_some(np.floor(random(700) * 9), integers(0, 3, 700))
# run: only_some(array([inf, inf, inf]), array([0, 1, 0]))
# run: only_some(array([inf, inf, inf]), array([0, 0, 0]))
# run: only_some(array([inf, nan, inf]), array([1, 1, 0]))
def only_some(x, wanted):
    m, k = np.inf, -1
    for i in range(len(x)):
        if wanted[i] == 1 and x[i] <= m:
            m, k = x[i], i
    return float(m), k


#numptx export in_a_matrix(float64[:,:])
# run: in_a_matrix(np.floor(random((40, 30)) * 40))
# structure: launches=2 copies=0
# run: in_a_matrix(zeros((3, 4)))
# run: in_a_matrix(np.floor(random((40, 30)) * 40)[::-2, ::3].T)
# run: in_a_matrix(zeros((0, 4)))
# run: in_a_matrix(zeros((4, 0)))
# run: in_a_matrix(array([[nan, inf], [inf, nan]]))
def in_a_matrix(x):
    least, greatest = np.inf, -np.inf
    a = b = c = d = -1
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] < least:
                least, a, b = x[i, j], i, j
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] >= greatest:
                greatest, c, d = x[i, j], i, j
    return float(least), a, b, float(greatest), c, d


#numptx export pivot(float64[:,:], int)
# run: pivot(random((12, 12)) - 0.5, 4)
# structure: launches=1 copies=0
# run: pivot(random((12, 12)) - 0.5, 11)
# run: pivot(random((12, 12)) - 0.5, 12)
def pivot(a, k):
    best, row, column = 0.0, k, k
    for i in range(k, a.shape[0]):
        for j in range(k, a.shape[1]):
            if abs(a[i, j]) > best:
                best = abs(a[i, j])
                row = i
                column = j
    return float(best), row, column


#numptx export closest(float64[:], float64[:,:,:])
# run: closest(random(6), random((6, 7, 8)))
# run: closest(zeros(3), zeros((3, 4, 5)))
def closest(p, x):
    d, at = 1e300, (0, 0, 0)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            for k in range(x.shape[2]):
                e = (x[i, j, k] - p[i]) ** 2
                if e <= d:
                    d, at = e, (i, j, k)
    return float(d), at


#numptx export both_ends(int64[:])
# run: both_ends(integers(0, 5, 100))
def both_ends(x):
    """The first of the least and the last of the greatest: two orders, no reduction."""
    low, i0, high, i1 = 9, -1, -9, -1
    for i in range(len(x)):
        if x[i] < low:
            low, i0 = x[i], i
        if x[i] >= high:
            high, i1 = x[i], i
    return low, i0, high, i1
