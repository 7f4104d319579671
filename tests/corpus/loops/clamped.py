"""Indices that data decide, kept in range by `min` and `max`: they need no check, so that what uses them is parallel, or a step of one launch."""

import numpy as np


#numptx export eliminated(float64[:,:], float64[:])
# run: eliminated(random((12, 12)), random(12))
# structure: launches==2
# run: eliminated(random((40, 40)), random(40))
# run: eliminated(random((9, 12)), random(12))
# run: eliminated(random((9, 9)), random(8))
# run: eliminated(random((1, 1)), random(1))
# run: eliminated(random((0, 0)), random(0))
# run: eliminated(array([[0.0, 1.0], [1.0, 0.0]]), array([3.0, 4.0]))
# run: eliminated(array([[nan, 1.0], [1.0, 2.0]]), array([3.0, 4.0]))
# run: eliminated(random((24, 12))[::2], random(24)[::-2])
def eliminated(a, b):
    """Gauss's elimination with row exchanges."""
    n = b.shape[0]
    rows = np.arange(n)
    for k in range(n):
        largest = np.max(np.abs(a[k:n, k]))
        p = min(max(int(np.min(np.where(np.abs(a[k:n, k]) == largest, rows[k:], n))), k), n - 1)
        for j in range(k, n):
            t = a[k, j]
            a[k, j] = a[p, j]
            a[p, j] = t
        t = b[k]
        b[k] = b[p]
        b[p] = t
        for i in range(k + 1, n):
            f = a[i, k] / a[k, k]
            b[i] -= f * b[k]
            for j in range(k + 1, n):
                a[i, j] -= f * a[k, j]


#numptx export rows(float64[:,:], int64[:])
# run: rows(random((6, 4)), array([0, 5, -1, 9, 2**63 - 1, -2**63]))
# run: rows(random((1, 4)), array([0, 5, -1]))
# run: rows(random((0, 4)), array([0, 5, -1]))
# run: rows(random((0, 4)), array([], dtype=int64))
def rows(x, q):
    out = np.zeros((len(q), x.shape[1]))
    for i in range(len(q)):
        r = min(max(q[i], 0), x.shape[0] - 1)
        for j in range(x.shape[1]):
            out[i, j] = x[r, j]
    return out


#numptx export other_way(float64[:], int64[:], int, int)
# run: other_way(random(10), integers(-20, 20, 30), 0, 9)
# run: other_way(random(10), integers(-20, 20, 30), 2, 5)
# run: other_way(random(10), integers(-20, 20, 30), 5, 2)
# run: other_way(random(10), integers(-20, 20, 30), -3, 9)
# run: other_way(random(10), integers(-20, 20, 30), 0, 10)
# run: other_way(random(10), integers(-20, 20, 30), -30, 2)
# run: other_way(random(10), array([2**63 - 1, -2**63, 3]), 0, 9)
def other_way(x, q, low, high):
    """The lower end comes last: where they are the wrong way round it is the one that counts."""
    out = np.zeros(len(q))
    for i in range(len(q)):
        out[i] = x[max(min(q[i], high), low)]
    return out


#numptx export beside(float64[:], int64[:])
# run: beside(random(10), integers(1, 9, 30))
# run: beside(random(10), integers(1, 10, 30))
# run: beside(random(10), integers(-5, 10, 30))
# run: beside(random(1), integers(-5, 10, 3))
def beside(x, q):
    """One further is out of range at the end."""
    out = np.zeros(len(q))
    for i in range(len(q)):
        at = max(0, min(q[i], len(x) - 1))
        out[i] = x[at] + x[at + 1] - x[at - 1]
    return out


#numptx export one_sided(float64[:], int64[:])
# run: one_sided(random(10), integers(-9, 10, 30))
# run: one_sided(random(10), integers(-9, 20, 30))
# run: one_sided(random(10), array([2**63 - 1, 0]))
# run: one_sided(random(10), array([-2**63, 0]))
def one_sided(x, q):
    """NumPy's ints wrap: what is not below 0 is, one further."""
    out = np.zeros(len(q))
    for i in range(len(q)):
        at = np.maximum(q[i], 0) + 1
        out[i] = x[at]
    return out


#numptx export steps(float64[:], int64[:], int)
# run: steps(random(9), integers(-20, 20, 9), 4)
# run: steps(random(9), integers(-20, 20, 9), 0)
# run: steps(random(9), integers(-20, 20, 8), 4)
# run: steps(random(1), integers(-20, 20, 1), 3)
# run: steps(random(0), integers(-20, 20, 0), 3)
def steps(x, q, n):
    """A time loop whose steps read and write what data choose."""
    m = len(x)
    y = np.zeros(m)
    for t in range(n):
        p = min(max(q[t], 0), m - 1)
        for i in range(m):
            y[i] = x[i] + x[p]
        for i in range(m):
            x[i] = y[i] * 0.5 + y[p]
    return y
