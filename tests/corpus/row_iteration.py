"""Iteration over arrays: every step sees a view, so that what a loop writes to it is written to the array."""

import numpy as np


#numptx export scaled_rows(float64[:,:])
# run: scaled_rows(random((4, 5)))
# run: scaled_rows(random((5, 4)).T)
# run: scaled_rows(random((8, 5))[::-2, ::-1])
# run: scaled_rows(random((0, 5)))
# run: scaled_rows(random((4, 0)))
# run: scaled_rows(random((1, 1)))
# structure: allocs=0 copies=0
# run: scaled_rows(broadcast_to(arange(3.0), (2, 3)))
def scaled_rows(a):
    for row in a:
        row *= 2.0
    return a


#numptx export numbered_rows(int64[:,:])
# run: numbered_rows(integers(0, 9, (4, 5)))
# run: numbered_rows(integers(0, 9, (5, 4)).T)
# structure: allocs=0 copies=0
# run: numbered_rows(integers(0, 9, (0, 3)))
def numbered_rows(a):
    for i, row in enumerate(a, 1):
        row[0] += i
        row[1:] -= row[0]
    return a


#numptx export pairs(float64[:,:], float64[:,:])
# run: pairs(random((4, 3)), random((4, 3)))
# structure: allocs=0 copies=0
# run: pairs(random((4, 3)), random((2, 3)))
# run: pairs(random((2, 3)), random((4, 3)))
# run: pairs(random((0, 3)), random((4, 3)))
# run: x = random((5, 3)); pairs(x[1:], x[:-1])
# run: x = random((5, 3)); pairs(x, x[::-1])
# run: x = random((3, 3)); pairs(x, x.T)
def pairs(a, b):
    for x, y in zip(a, b):
        x += y
        y[:] = x
    return a, b


#numptx export nested(float64[:,:,:])
# run: nested(random((2, 3, 4)))
# run: nested(random((4, 3, 2)).T)
# run: nested(random((2, 0, 4)))
def nested(a):
    for i, plane in enumerate(a):
        for j, row in enumerate(plane):
            row[...] = i * 10 + j
            plane[0, 0] = -1.0
    return a


#numptx export of_transpose(float64[:,:])
# run: of_transpose(random((3, 4)))
# run: of_transpose(random((4, 3)).T)
def of_transpose(a):
    for k, column in enumerate(a.T):
        column[::2] = k
    for row in a[::-1]:
        row[0] += row[-1]
    for row in reversed(a):
        row[-1] *= 2.0
    return a


#numptx export elements_are_copies(float64[:])
# run: elements_are_copies(random(5))
# run: elements_are_copies(random(5)[::-1])
def elements_are_copies(x):
    total = 0.0
    for k, value in enumerate(x):
        x[:] = k
        total += value
    return total, x


#numptx export last_row(float64[:,:])
# run: last_row(random((4, 5)))
# run: last_row(random((1, 5)))
def last_row(a):
    row = a[0]
    for row in a:
        row += 1.0
    row[:] = 0.0
    return row, a


#numptx export row_before(float64[:,:])
# run: row_before(random((4, 5)))
# run: row_before(random((5, 4)).T)
# run: row_before(random((1, 5)))
def row_before(a):
    before = a[0]
    for row in a[1:]:
        row += before
        before = row
    return before, a


#numptx export first_positive(float64[:,:])
# run: first_positive(array([[-1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))
# run: first_positive(array([[-1.0, 2.0], [-3.0, 4.0]]))
# run: first_positive(zeros((0, 2)))
def first_positive(a):
    found = a[:0]
    for row in a:
        if row[0] > 0:
            found = row[None]
            break
    return found


#numptx export returned_from_loop(float64[:,:])
# run: returned_from_loop(array([[-1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))
# run: returned_from_loop(array([[-1.0, 2.0], [-3.0, 4.0]]))
def returned_from_loop(a):
    for row in a:
        if row[0] > 0:
            return row
    return a[-1]


#numptx export three(float64[:,:,:], float64[:,:], int)
# run: three(random((3, 2, 2)), random((3, 2)), 5)
# run: three(random((3, 2, 2)), random((2, 2)), 5)
# run: three(random((3, 2, 2)), random((3, 2)), 1)
def three(a, b, n):
    for (plane, row), k in zip(zip(a, b), range(n)):
        plane += row
        row -= k
    return a, b


#numptx export unpacked(float64[:,:])
# run: unpacked(random((3, 4)))
# run: unpacked(random((4, 3)).T)
# structure: launches=2 allocs=0 copies=0
# run: unpacked(random((2, 4)))
# run: unpacked(random((4, 4)))
def unpacked(a):
    x, y, z = a
    x += y
    z[:] = 1.0
    return x, y, z


#numptx export unpacked_deeply(float64[:,:,:])
# run: unpacked_deeply(random((2, 2, 3)))
# run: unpacked_deeply(random((2, 3, 3)))
def unpacked_deeply(a):
    (x, y), (z, w) = a
    x[:], w[:] = w.copy(), x.copy()
    y += z
    return y, a


#numptx export over_tuple(float64[:], float64[:])
# run: over_tuple(random(4), random(5))
# run: x = random(5); over_tuple(x[1:], x[:-1])
def over_tuple(x, y):
    for v in (x, y, x[::2]):
        v += 1.0
    for v, w in zip((x, y), (y, x)):
        v[0] = w[1]
    return x, y
