"""Arrays through which nothing may be written: given so by the caller, or made so by a view."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


#numptx export views_of(float64[:,:])
# run: views_of(random((3, 4)))
# structure: launches=0 allocs=0 copies=0
# run: views_of(broadcast_to(arange(4.0), (3, 4)))
# run: views_of(broadcast_to(arange(12.0).reshape(3, 4), (3, 4)))
# run: views_of(broadcast_to(1.0, (0, 4)))
def views_of(a):
    return a, a[1:], a.T, a[0], np.diagonal(a), np.broadcast_to(a, (2,) + a.shape), a.reshape(a.shape), np.flip(a)


#numptx export views_of_views(float64[:,:])
# run: views_of_views(random((3, 4)))
# structure: launches=0 allocs=0 copies=0
# run: views_of_views(random((4, 3)).T)
def views_of_views(a):
    d = a.diagonal()
    b = np.broadcast_to(a[0], a.shape)
    w = sliding_window_view(a, (2, 2))
    return d[::-1], d[:, None], b.T, b[0], w[0], w[0, 0, 0], w.T, d.reshape(-1), b[0].ravel()


#numptx export copies_may_be_written(float64[:,:])
# run: copies_may_be_written(random((3, 4)))
# run: copies_may_be_written(broadcast_to(arange(4.0), (3, 4)))
def copies_may_be_written(a):
    d = a.diagonal().copy()
    d[0] = 1.0
    w = sliding_window_view(a, (2, 2)) + 0.0
    w[0] = 2.0
    b = np.broadcast_to(a[0], a.shape).copy()
    b += 1.0
    return d, w, b, np.broadcast_to(a[0], (2, 4)).reshape(-1), a.diagonal().flatten(), np.diagonal(a)[0]


#numptx export on_one_path(float64[:,:], bool)
# run: on_one_path(random((3, 3)), True)
# run: on_one_path(random((3, 3)), False)
# run: on_one_path(broadcast_to(arange(3.0), (3, 3)), False)
def on_one_path(a, flag):
    v = a.diagonal() if flag else a[0]
    if flag:
        w = np.broadcast_to(v, (2, 3))
    else:
        w = a[:2]
    return v, w, a


#numptx export in_a_loop(float64[:,:], int)
# run: in_a_loop(random((3, 3)), 0)
# run: in_a_loop(random((3, 3)), 2)
# run: in_a_loop(random((3, 3)), 3)
def in_a_loop(a, n):
    v = a[0]
    for k in range(n):
        if k == 1:
            v = a.diagonal()
        else:
            v = v[::-1]
    return v, a


#numptx export written_parameter(float64[:])
# run: written_parameter(random(3))
# run: written_parameter(broadcast_to(1.0, 3))
def written_parameter(x):
    x[0] = 2.0
    return x


#numptx export read_parameter(float64[:])
# run: read_parameter(broadcast_to(1.0, 3))
# run: read_parameter(random(3))
def read_parameter(x):
    y = x * 2.0
    y[0] = 1.0
    return x, x[1:], y, x.imag, x.real


TABLE = np.array([1.0, 2.0, 3.0])


#numptx export constant_table(float64[:])
# run: constant_table(random(3))
def constant_table(x):
    x += TABLE
    y = TABLE.copy()
    y[0] = 0.0
    return x, y


#numptx export into_itself(float64[:], int)
# run: into_itself(arange(4.0), 1)
# run: into_itself(broadcast_to(arange(4.0), (4,)), 1)
def into_itself(a, n):
    """What changes nothing is a write too."""
    a[n:] = a[n:]


#numptx export whole_into_itself(float64[:], int)
# run: whole_into_itself(arange(4.0), 1)
# run: whole_into_itself(broadcast_to(arange(4.0), (4,)), 1)
# run: whole_into_itself(broadcast_to(1.0, (0,)), 1)
def whole_into_itself(a, n):
    v = a if n > 1 else a[:]
    v[...] = v


#numptx export rows_into_themselves(float64[:,:])
# run: rows_into_themselves(arange(12.0).reshape(3, 4))
# run: rows_into_themselves(broadcast_to(arange(12.0).reshape(3, 4), (3, 4)))
def rows_into_themselves(a):
    a[0], a[1] = a[0], a[1]


#numptx export element_into_itself(float64[:], int)
# run: element_into_itself(arange(4.0), 1)
# run: element_into_itself(broadcast_to(arange(4.0), (4,)), 1)
def element_into_itself(a, n):
    a[n] = a[n]


#numptx export part_into_itself(complex128[:])
# run: part_into_itself(arange(4.0) + 2j)
# run: part_into_itself(broadcast_to(arange(4.0) + 2j, (4,)))
def part_into_itself(z):
    z.real[...] = z.real


#numptx export own_memory_into_itself(float64[:])
# run: own_memory_into_itself(arange(4.0))
# structure: launches=1 allocs=1 copies=0
# run: own_memory_into_itself(broadcast_to(arange(4.0), (4,)))
def own_memory_into_itself(a):
    t = a + 1.0
    t[...] = t
    return t
