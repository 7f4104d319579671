"""Arrays that one path makes read-only and another does not: results are writeable as NumPy's are, and a write raises on the path where it may not be made."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


#numptx export in_a_while(int64[:], int)
# run: in_a_while(arange(5), 0)
# run: in_a_while(arange(5), 1)
# run: in_a_while(arange(20).reshape(5, 4)[:, 3], 1)
# run: in_a_while(arange(5), 2)
def in_a_while(x, n):
    while n > 0:
        n -= 1
        x = x.reshape((-1, 1)).diagonal()
    return x, x[:1]


#numptx export turned(float64[:,:], int)
# run: turned(random((3, 3)), 0)
# run: turned(random((3, 3)), 1)
# run: turned(random((3, 3)), 2)
# run: turned(random((3, 3)), 3)
def turned(a, n):
    b, c = a, a.T
    for k in range(n):
        b, c = c, np.broadcast_to(b, b.shape)
    return b, c, b[0], c[::-1]


#numptx export written_by_path(float64[:,:], bool, bool)
# run: written_by_path(random((3, 3)), False, False)
# structure: launches<=1 allocs=0 copies=0
# run: written_by_path(random((3, 3)), True, False)
# run: written_by_path(random((3, 3)), False, True)
# run: written_by_path(random((3, 3)), True, True)
# run: written_by_path(random((0, 0)), False, True)
def written_by_path(a, diagonal, write):
    v = a.diagonal() if diagonal else a[1]
    if write:
        v[:] = 7.0
    return v, a


#numptx export element(float64[:], int, int)
# run: element(arange(4.0), 0, 2)
# run: element(arange(4.0), 1, 2)
# run: element(arange(4.0), 0, 9)
# run: element(arange(4.0), 1, 9)
# run: element(arange(4.0), 2, -9)
def element(x, n, at):
    y = x
    for _ in range(n):
        y = np.broadcast_to(y, (len(x),))
    y[at] = -1.0
    return x, y


#numptx export in_place(float64[:,:], bool)
# run: in_place(random((4, 3)), False)
# structure: launches<=3 allocs<=2 copies<=1
# run: in_place(random((4, 3)), True)
def in_place(a, fixed):
    if fixed:
        b = np.broadcast_to(a[0], a.shape)
    else:
        b = a[::-1]
    first = b[0, 0]
    b += 1.0
    b[1:] *= b[:-1]
    return a, b, first


#numptx export every_write(float64[:,:], bool, int)
# run: every_write(arange(9.0).reshape(3, 3), False, 0)
# run: every_write(arange(9.0).reshape(3, 3), True, 0)
# run: every_write(arange(9.0).reshape(3, 3), False, 1)
# run: every_write(arange(9.0).reshape(3, 3), True, 1)
# run: every_write(arange(9.0).reshape(3, 3), False, 2)
# run: every_write(arange(9.0).reshape(3, 3), True, 2)
# run: every_write(arange(9.0).reshape(3, 3), False, 3)
# run: every_write(arange(9.0).reshape(3, 3), True, 3)
# run: every_write(arange(9.0).reshape(3, 3), False, 4)
# run: every_write(arange(9.0).reshape(3, 3), True, 4)
# run: every_write(arange(9.0).reshape(3, 3), False, 5)
# run: every_write(arange(9.0).reshape(3, 3), True, 5)
# run: every_write(arange(9.0).reshape(3, 3), False, 6)
# run: every_write(arange(9.0).reshape(3, 3), True, 6)
# run: every_write(arange(9.0).reshape(3, 3), False, 7)
# run: every_write(arange(9.0).reshape(3, 3), True, 7)
# run: every_write(arange(9.0).reshape(3, 3), False, 8)
# run: every_write(arange(9.0).reshape(3, 3), True, 8)
# run: every_write(arange(9.0).reshape(3, 3), False, 9)
# run: every_write(arange(9.0).reshape(3, 3), True, 9)
# run: every_write(arange(9.0).reshape(3, 3), False, 10)
# run: every_write(arange(9.0).reshape(3, 3), True, 10)
# run: every_write(arange(9.0).reshape(3, 3), True, 11)
def every_write(a, fixed, way):
    b = np.broadcast_to(a, a.shape) if fixed else a.T
    if way == 0:
        b[b > 3.0] = 0.0
    elif way == 1:
        b[np.array([0, 2, 0])] = b[np.array([1, 1, 2])]
    elif way == 2:
        b[np.array([0, 2, 0])] += 1.0
    elif way == 3:
        np.add(b, b.T, out=b)
    elif way == 4:
        np.cumsum(b[0], out=b[1])
    elif way == 5:
        np.sum(b, axis=0, out=b[:, 0])
    elif way == 6:
        b.fill(2.0)
    elif way == 7:
        np.put(b, np.array([0, 8]), 5.0)
    elif way == 8:
        np.fill_diagonal(b, -1.0)
    elif way == 9:
        b.T[0] = b[:, 1]
    elif way == 10:
        for i in range(3):
            for j in range(i):
                b[i, j] = b[j, i]
    return a, b


#numptx export reshaped(float64[:,:], bool)
# run: reshaped(arange(6.0).reshape(2, 3), False)
# run: reshaped(arange(6.0).reshape(2, 3), True)
# run: reshaped(arange(3.0).reshape(1, 3), False)
# run: reshaped(arange(3.0).reshape(1, 3), True)
def reshaped(a, write):
    b = np.broadcast_to(a[0], (a.shape[0], 3)).reshape(-1)
    if write:
        b[0] = 9.0
    return a, b


def the_diagonal(a, flag):
    if flag:
        return a.diagonal()
    return a[0]


#numptx export from_a_function(float64[:,:], bool, bool)
# run: from_a_function(random((3, 3)), False, False)
# run: from_a_function(random((3, 3)), False, True)
# run: from_a_function(random((3, 3)), True, False)
# run: from_a_function(random((3, 3)), True, True)
def from_a_function(a, first, second):
    v, w = the_diagonal(a, first), the_diagonal(a, second)
    t = (v, w) if first else (w, v)
    t[1][0] = 1.0
    return t, v, a


#numptx export carried_and_written(float64[:,:], int)
# run: carried_and_written(arange(9.0).reshape(3, 3), 0)
# run: carried_and_written(arange(9.0).reshape(3, 3), 1)
# run: carried_and_written(arange(9.0).reshape(3, 3), 2)
# run: carried_and_written(arange(9.0).reshape(3, 3), 4)
def carried_and_written(a, n):
    v = a[0]
    for k in range(n):
        v[0] += 10.0
        if k == 2:
            v = sliding_window_view(a[1], 3)[0]
        else:
            v = v[::-1]
    return v, a


#numptx export early(float64[:,:], int)
# run: early(arange(9.0).reshape(3, 3), 0)
# run: early(arange(9.0).reshape(3, 3), 1)
# run: early(arange(9.0).reshape(3, 3), 2)
# run: early(arange(9.0).reshape(3, 3), 5)
def early(a, n):
    b = a
    for k in range(n):
        if k == 1:
            b = np.broadcast_to(a[0], (3, 3))
            break
        b = b.T
        b[k] = -1.0
    if n == 5:
        b[0, 0] = 4.0
    return b, a
