"""Indices that are made of points of an axis, and what masks choose of them: no check looks whether they are within bounds."""
import numpy as np


#numptx export of_a_grid(float64[:], float64[:], int, int)
# run: of_a_grid(random(5), random(7), 5, 7)
# structure: launches=7 syncs=2
# run: of_a_grid(random(5), random(7), 0, 7)
# run: of_a_grid(random(4), random(7), 5, 7)
# run: of_a_grid(random(5), random(6), 5, 7)
# run: of_a_grid(random(5), random(7), -1, 7)
def of_a_grid(x, y, n, m):
    """Nothing says that x has n elements: that is checked."""
    i, j = np.mgrid[0:n, 0:m]
    return np.linspace(0.0, 1.0, n)[i] + np.linspace(1.0, 2.0, m)[j], x[i] * y[j]


#numptx export lines(int, int)
# run: lines(5, 7)
# structure: launches=3 syncs=1
# run: lines(0, 7)
# run: lines(5, 1)
def lines(n, m):
    i, j = np.mgrid[0:n, 0:m]
    return np.linspace(0.0, 1.0, n)[i] + np.linspace(1.0, 2.0, m)[j]


#numptx export escaping(float64[:,:], int)
# run: escaping(random((6, 5)) * 4.0, 12)
# structure: launches=76 syncs=12
# run: escaping(random((6, 5)) * 4.0, 0)
# run: escaping(zeros((6, 5)), 4)
# run: escaping(ones((6, 5)) * 9.0, 4)
# run: escaping(zeros((0, 5)), 4)
# run: escaping(random((1, 1)), 30)
# run: escaping((random((12, 5)) * 4.0)[::-2, ::-1], 9)
def escaping(a, n):
    """What has grown too large is noted where it came from, the rest goes on."""
    rows, columns = np.mgrid[0:a.shape[0], 0:a.shape[1]]
    steps = np.zeros(a.shape, dtype=np.int64)
    last = np.zeros(a.shape)
    rows, columns = rows.reshape(a.size), columns.reshape(a.size)
    z = a.copy().reshape(a.size)
    for k in range(n):
        if not len(z):
            break
        np.multiply(z, z, z)
        np.add(z, 0.1, z)
        gone = z > 2.0
        steps[rows[gone], columns[gone]] = k + 1
        last[rows[gone], columns[gone]] = z[gone]
        np.logical_not(gone, gone)
        z = z[gone]
        rows, columns = rows[gone], columns[gone]
    return steps, last, z


#numptx export other_axis(float64[:,:], int)
# run: other_axis(random((6, 5)), 4)
# run: other_axis(random((5, 6)), 4)
# run: other_axis(random((6, 6)), 4)
def other_axis(a, n):
    """Rows are used as columns: an error where there are more of them."""
    rows, columns = np.mgrid[0:a.shape[0], 0:a.shape[1]]
    kept = rows[a > 0.2]
    for k in range(n):
        a[0, kept] = k
        kept = kept[kept != k]
    return kept


#numptx export moved_on(float64[:], bool[:])
# run: moved_on(random(9), array([True, False, True, False, True, False, True, False, False]))
# run: moved_on(random(9), array([True, False, True, False, True, False, True, False, True]))
# run: moved_on(random(9), zeros(9, dtype=bool))
def moved_on(a, m):
    """Indices that are written are others."""
    i = np.arange(len(a))[m]
    j = i
    j += 1
    return a[i]


#numptx export backwards(float64[:], bool[:])
# run: backwards(random(9), array([True, False, True, False, True, False, True, False, True]))
# run: backwards(random(9), array([False, False, True, False, True, False, True, False, True]))
def backwards(a, m):
    """An index below 0 counts from the end, one above the end is an error."""
    i = np.nonzero(m)[0] - 3
    return a[i], a[-i], a[i - 7]


#numptx export found(float64[:,:], float64[:])
# run: found(random((4, 6)) - 0.5, random(6))
# structure: syncs=2
# run: found(random((4, 6)) - 0.5, random(5))
# run: found(zeros((4, 6)), random(6))
# run: found(zeros((0, 6)), random(6))
# run: found((random((4, 12)) - 0.5)[::-1, ::-2], random(6))
def found(a, weights):
    """What is found in an array lies within it."""
    i, j = np.nonzero(a > 0.0)
    return a[i, j], a[i, 0], weights[j]


#numptx export in_turns(float64[:], int)
# run: in_turns(random(8), 5)
# run: in_turns(random(8), 9)
def in_turns(a, n):
    """The arrays change places, and one of them is not what it seems to be."""
    i, j = np.arange(len(a)), np.arange(n) * 2
    total = 0.0
    for k in range(n):
        total += a[i].sum()
        i, j = j, i
    return total


#numptx export narrow(float64[:], int)
# run: narrow(random(300), 300)
# run: narrow(random(100), 100)
# run: narrow(random(100), 50)
def narrow(a, n):
    """Small integers wrap round."""
    i = np.arange(n).astype(np.int8)
    return a[i]
