"""Ufuncs of two results with `out=`: both are known to fit before one is written, and the result without a destination has the shape of all."""

import numpy as np


#numptx export both(float64[::], float64[::], float64[::], float64[::])
# run: both(arange(6.0) + 1.5, full(6, 2.0), zeros(6), zeros(6))
# structure: launches==2 allocs==0 copies==0
# run: both(array([7.5, -7.5, inf, nan, -0.0, 0.0]), array([2.0, 2.0, 2.0, 2.0, 2.0, 0.0]), zeros(6), zeros(6))
# run: o = zeros(6); both(arange(6.0) + 1.5, full(6, 2.0), o, o)
# run: x = arange(6.0) + 1.5; both(x, full(6, 2.0), x, x)
# run: x = arange(6.0) + 1.5; both(x, full(6, 2.0), zeros(6), x)
# run: x = arange(6.0) + 1.5; both(x, full(6, 2.0), x[::-1], zeros(6))
# run: x = arange(7.0) + 1.5; both(x[1:], full(6, 2.0), zeros(6), x[:-1])
# run: o = zeros(12); both(arange(6.0) + 1.5, full(6, 2.0), o[::2], o[1::2])
# run: x = arange(6.0) + 1.5; both(x, full(6, 2.0), zeros(3), x)
# run: x = arange(6.0) + 1.5; both(x, full(6, 2.0), x, zeros(3))
# run: x = ones(1); both(x, full(1, 0.25), zeros(6), x)
# run: x = ones(1); both(x, full(1, 0.25), x, zeros(6))
# run: both(ones(1), full(1, 0.25), zeros(6), zeros(6))
# run: both(array([]), array([]), array([]), array([]))
# run: x = ones(1); both(x, array([]), x, array([]))
def both(x, y, q, r):
    return np.divmod(x, y, q, r)


#numptx export of_integers(int64[::], int64[::], int64[::], int64[::])
# run: of_integers(arange(6) * 3 - 7, full(6, 3), zeros(6, int64), zeros(6, int64))
# run: o = zeros(6, int64); of_integers(arange(6) * 3 - 7, full(6, 3), o, o)
# run: x = arange(6) * 3 - 7; of_integers(x, full(6, 3), x, x)
# run: x = arange(6) * 3 - 7; of_integers(x, full(6, 3), x, zeros(6, int64))
# run: x = arange(6) * 3 - 7; of_integers(x, full(6, 3), zeros(4, int64), x)
def of_integers(x, y, q, r):
    return np.divmod(x, y, out=(q, r))


#numptx export cast(float64[:], float32[:], float32[:])
# run: cast(arange(6.0) / 4, zeros(6, float32), zeros(6, float32))
# run: o = zeros(6, float32); cast(arange(6.0) / 4, o, o)
# run: cast(arange(1.0) + 1.75, zeros(6, float32), zeros(5, float32))
def cast(x, a, b):
    return np.modf(x, a, b)


#numptx export mantissas(float64[:], float64[:], float64[:])
# run: mantissas(arange(6.0) / 4, zeros(6), zeros(6))
# run: o = zeros(6); mantissas(arange(6.0) / 4, o, o)
# run: x = arange(6.0) / 4; mantissas(x, zeros(6), x)
def mantissas(x, m, e):
    return np.frexp(x, m, e)


#numptx export masked(float64[:], bool[:], float64[:], float64[:])
# run: masked(arange(6.0) / 4, arange(6) % 2 == 0, ones(6), ones(6))
# run: o = ones(6); masked(arange(6.0) / 4, arange(6) % 2 == 0, o, o)
# run: x = ones(1); masked(x, arange(6) % 2 == 0, ones(6), x)
# run: x = arange(6.0) / 4; masked(x, array([True]), ones(5), x)
def masked(x, mask, a, b):
    return np.modf(x, out=(a, b), where=mask)


#numptx export masked_integers(int64[:], bool[:], int64[:], int64[:])
# run: o = ones(6, int64); masked_integers(arange(6) * 3 - 7, arange(6) % 2 == 0, o, o)
def masked_integers(x, mask, a, b):
    return np.divmod(x, 3, out=(a, b), where=mask)


#numptx export one_given(float64[:], float64[:])
# run: one_given(arange(6.0) / 4, zeros(6))
# run: one_given(arange(1.0) + 1.75, zeros(6))
# run: x = arange(6.0) / 4; one_given(x, x)
# run: one_given(arange(6.0) / 4, zeros(1))
# run: one_given(arange(1.0), zeros(0))
def one_given(x, o):
    a, b = np.modf(x, out=(o, None))
    c, d = np.modf(x, out=(None, o))
    return a, b, c, d, np.modf(x, o)[1], np.frexp(x, o)[1], np.divmod(x, 0.5, o)[1]


#numptx export in_memory_order(float64[::,::], float64[::,::])
# run: in_memory_order(ones((1, 3)), zeros((3, 2)).T)
# run: in_memory_order(ones((2, 3)), zeros((3, 2)).T)
# run: in_memory_order(ones((3, 2)).T, zeros((3, 2)).T)
# run: in_memory_order(ones((3, 2)).T, zeros((2, 3)))
# run: in_memory_order(ones((2, 1)), zeros((2, 3)))
def in_memory_order(x, o):
    return np.modf(x, out=(o, None))[1]


#numptx export of_a_number(float64, float64[:,:])
# run: of_a_number(2.75, zeros((2, 3)))
# run: of_a_number(2.75, zeros((0, 3)))
def of_a_number(s, o):
    return np.modf(s, out=(o, None)), np.divmod(s, 2, out=(None, o))


#numptx export of_one_name(float64[:], float64[:], int64[:], int64[:])
# run: of_one_name(arange(6.0) + 1.5, zeros(6), arange(6) * 3, zeros(6, int64))
def of_one_name(x, o, i, n):
    return np.divmod(x, 2.0, o, o), np.divmod(i, 4, n, n), np.divmod(i, 4, out=(i, i))
