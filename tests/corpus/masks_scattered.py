"""What a mask chooses, written at indices that it chooses too: nothing moves, points that are not chosen write nothing."""
import numpy as np


#numptx export pairs(float64[:,:], int64[:], int64[:], bool[:], float64[:])
# run: pairs(zeros((4, 6)), integers(-4, 4, 50), integers(-6, 6, 50), random(50) > 0.5, random(50))
# structure: launches=6 copies=0 syncs=1
# run: pairs(zeros((4, 6)), integers(-4, 4, 5000), integers(-6, 6, 5000), random(5000) > 0.99, random(5000))
# run: pairs(zeros((40, 60)), integers(0, 40, 5000), integers(0, 60, 5000), random(5000) > 0.5, random(5000))
# run: pairs(zeros((4, 6)), array([0, 9, -5, 3]), array([0, 0, 7, -6]), array([True, False, False, True]), random(4))
# run: pairs(zeros((4, 6)), array([0, 9, -5, 3]), array([0, 0, 7, -6]), array([True, False, True, True]), random(4))
# run: pairs(zeros((4, 6)), array([0, 9, 1, 3]), array([0, 0, 7, -6]), array([True, False, True, True]), random(4))
# run: pairs(zeros((4, 6)), array([9, 9, 1, 5]), array([0, 0, 7, -6]), array([False, False, False, True]), random(4))
# run: pairs(zeros((4, 6)).T[::-1], integers(-4, 4, 50), integers(-4, 4, 50), zeros(50, dtype=bool), random(50))
# run: pairs(zeros((0, 6)), array([0, 9]), array([0, 0]), zeros(2, dtype=bool), random(2))
# run: pairs(zeros((4, 6)), integers(0, 4, 0), integers(0, 6, 0), zeros(0, dtype=bool), random(0))
# run: pairs(zeros((4, 6)), integers(0, 4, 3), integers(0, 6, 3), zeros(2, dtype=bool), random(3))
# run: a = arange(24.0).reshape(4, 6); pairs(a, arange(4), arange(4), arange(4) % 2 == 0, a[1, :4])
def pairs(a, i, j, m, v):
    """Of several values for one element the last one stays."""
    a[i[m], j[m]] = v[m] * 2.0


#numptx export constants(int64[:], int64[:], bool[:], int)
# run: constants(zeros(9, dtype=int64), integers(-9, 9, 50), random(50) > 0.5, 7)
# structure: launches=4 copies=0 syncs=1
# run: constants(zeros(9, dtype=int64), array([0, 9, -10, 3]), array([True, False, False, True]), 7)
# run: constants(zeros(9, dtype=int64), array([0, 9, -10, 3]), array([True, False, True, True]), 7)
# run: constants(zeros(9, dtype=int64), array([0, 9, 10, 3]), array([True, True, True, True]), 7)
def constants(a, i, m, n):
    a[i[m]] = n


#numptx export totals(float64[:], int64[:], float64[:], bool[:])
# run: totals(zeros(9), integers(-9, 9, 50), random(50), random(50) > 0.5)
# run: totals(zeros(9), array([0, 9, -10, 0]), random(4), array([True, False, False, True]))
# run: totals(zeros(9), array([0, 9, -10, 0]), random(4), array([True, False, True, True]))
def totals(a, i, v, m):
    np.add.at(a, i[m], v[m])


#numptx export twice(float64[:], float64[:], int64[:], bool[:])
# run: twice(zeros(9), zeros(9), integers(0, 9, 50), random(50) > 0.5)
# structure: launches=9 copies=0 syncs=2
# run: twice(zeros(9), zeros(8), integers(8, 9, 50), random(50) > 0.5)
def twice(a, b, i, m):
    """The mask changes once what it chose is written."""
    a[i[m]] = 1.0
    b[i[m]] = 2.0
    np.logical_not(m, m)


#numptx export rows(float64[:,:], int64[:], bool[:], float64[:,:])
# run: rows(zeros((7, 5)), integers(-7, 7, 3000), random(3000) > 0.99, random((3000, 5)))
# run: rows(zeros((7, 5)).T[::-1], integers(-5, 5, 3000), random(3000) > 0.5, random((3000, 7)))
# run: rows(zeros((7, 5)), integers(-7, 7, 3000), zeros(3000, dtype=bool), random((3000, 5)))
def rows(a, i, m, v):
    """Points that are not chosen come after those that are, and take nothing from them."""
    a[i[m]] = v[m]


#numptx export both(float64[:,:], int64[:,:], int64[:], int64[:], bool[:], float64[:])
# run: both(zeros((4, 6)), zeros((4, 6), dtype=int64), integers(0, 4, 50), integers(0, 6, 50), random(50) > 0.5, random(50))
# structure: launches=7 copies=0 syncs=2
# run: both(zeros((4, 6)), zeros((4, 6), dtype=int64), integers(0, 4, 5000), integers(0, 6, 5000), random(5000) > 0.99, random(5000))
# run: both(zeros((4, 6)), zeros((6, 4), dtype=int64).T, integers(-4, 4, 50), integers(-6, 6, 50), random(50) > 0.5, random(50))
# run: both(zeros((4, 6)), zeros((5, 7), dtype=int64), integers(-4, 4, 50), integers(-6, 6, 50), random(50) > 0.5, random(50))
# run: both(zeros((4, 6)), zeros((4, 5), dtype=int64), integers(0, 4, 50), array([5] * 50), random(50) > 0.1, random(50))
# run: both(zeros((4, 6)), zeros((0, 6), dtype=int64), integers(0, 4, 0), integers(0, 6, 0), zeros(0, dtype=bool), random(0))
def both(a, b, i, j, m, v):
    """Two arrays are written at the same places."""
    a[i[m], j[m]] = v[m]
    b[i[m], j[m]] = 3


#numptx export known_places(bool[:,:], int)
# run: known_places(random((9, 8)) > 0.5, 3)
# structure: launches=6
# run: known_places(random((60, 50)) > 0.9, 3)
# run: known_places(zeros((9, 8), dtype=bool), 3)
# run: known_places(ones((9, 8), dtype=bool).T, 3)
def known_places(m, k):
    """So are two that are read by nobody between."""
    i, j = np.mgrid[0:m.shape[0], 0:m.shape[1]]
    a, b = np.zeros(m.shape), np.zeros(m.shape, dtype=np.int64)
    a[i[m], j[m]] = 0.5
    b[i[m], j[m]] = k
    return a, b


#numptx export one_after_the_other(float64[:], float64[:], int64[:], bool[:])
# run: one_after_the_other(zeros(9), zeros(9), integers(0, 9, 50), random(50) > 0.5)
# run: a = zeros(9); one_after_the_other(a, a, integers(0, 9, 50), random(50) > 0.5)
# run: a = zeros(10); one_after_the_other(a[1:], a[:-1], integers(0, 9, 50), random(50) > 0.5)
def one_after_the_other(a, b, i, m):
    """Arrays that overlap are written one after the other."""
    a[i[m]] = 1.0
    b[i[m]] = 2.0


#numptx export own_indices(int64[:], bool[:])
# run: own_indices(array([3, 2, 1, 0]), array([True, True, False, True]))
# run: own_indices(array([3, 2, 9, 0]), array([True, True, False, True]))
# run: own_indices(array([3, 2, 9, 0]), array([True, True, True, True]))
def own_indices(i, m):
    """The indices are those before anything was written."""
    i[i[m]] = 5


#numptx export shrinking(float64[:], int64[:], int)
# run: shrinking(random(200) * 4.0, zeros(200, dtype=int64), 20)
# structure: syncs=30
# run: shrinking(zeros(0), zeros(0, dtype=int64), 20)
# run: shrinking(random(200) * 4.0, zeros(100, dtype=int64), 20)
def shrinking(z, steps, n):
    """What has grown too large is noted, the rest goes on."""
    place = np.arange(len(z))
    for k in range(n):
        if not len(z):
            break
        z = z * 1.25 + 0.1
        large = z > 8.0
        steps[place[large]] = k + 1
        np.logical_not(large, large)
        z, place = z[large], place[large]
    return z, steps
