"""Returned parameters and views, in every way that a function can hand them on: compiled for test_identity.py and test_leaks.py."""

import numpy as np

#numptx export same(float64[:,:])
def same(x):
    return x

#numptx export tail(float64[:,:], int)
def tail(x, i):
    return x[i:]

#numptx export either(float64[:,:], float64[:,:], bool)
def either(x, y, first):
    if first:
        chosen = x
    else:
        chosen = y
    return chosen

#numptx export tail_of_either(float64[:,:], float64[:,:], bool)
def tail_of_either(x, y, first):
    chosen = x
    if not first:
        chosen = y
    return chosen[1:]

#numptx export whole_or_all(float64[:,:], bool)
def whole_or_all(x, whole):
    chosen = x
    if not whole:
        chosen = x[:]
    return chosen

def handed_on(x):
    return x

def rows_from(x, i):
    return x[i:]

#numptx export through(float64[:,:])
def through(x):
    return handed_on(handed_on(x))

#numptx export tail_through(float64[:,:], int)
def tail_through(x, i):
    return rows_from(handed_on(x), i)

#numptx export family(float64[:,:])
def family(x):
    return x, x[1:], x.T, (x[:, 0], x)

#numptx export member((int, float64[:,:]))
def member(p):
    return p[1]

#numptx export second(float64[:,:], float64[:,:])
def second(x, y):
    return y[1:]

#numptx export sum_and_view(float64[:,:], float64[:,:])
def sum_and_view(x, y):
    return x + y, y[:, ::-1]

#numptx export spread(float64[:,:])
def spread(x):
    return np.broadcast_to(x[0], (4, 3))

#numptx export fresh_tail(float64[:,:])
def fresh_tail(x):
    y = x + 1.0
    return y[1:]

#numptx export fresh_views(float64[:,:])
def fresh_views(x):
    y = x * 2.0
    return y[1:], y.T, (y, y[:, 1])

#numptx export after_a_loop(float64[:,:], int)
def after_a_loop(x, n):
    chosen = x
    for _ in range(n):
        chosen = chosen[1:]
    return chosen

#numptx export rows_apart(float64[:,:], int, int)
def rows_apart(x, i, j):
    y = x + 1.0
    return y[i] + y[j], y[1:]

#numptx export double_in_place(float64[:,:])
def double_in_place(x):
    x *= 2.0

#numptx export view_twice(float64[:,:])
def view_twice(x):
    t = x[1:]
    return t, t

#numptx export fresh_twice(float64[:,:])
def fresh_twice(x):
    t = x + 1.0
    u = t[1:]
    return t, u, (t, [u, t])

#numptx export through_branches(float64[:,:], bool)
def through_branches(x, tail):
    if tail:
        t = x[1:]
        u = t
    else:
        t = x + 1.0
        u = t
    return t, u

#numptx export through_a_loop(float64[:,:], int)
def through_a_loop(x, n):
    t = x[1:]
    u = t
    for i in range(n):
        t = x[i:]
        u = t
    return u, t

#numptx export on_some_paths(float64[:,:], float64[:,:], bool, int)
def on_some_paths(x, y, swaps, n):
    t = x[1:]
    u = x[:1]
    v = y
    w = y + 1.0
    if swaps:
        u = t
        v = w
    for i in range(n):
        t, w = w, t
    return t, u, v, w

# Equal views are objects of their own.
#numptx export equal_views(float64[:,:])
def equal_views(x):
    t = x + 1.0
    return x[1:], x[1:], t, t[:], t[:]

#numptx export twice_among_others(float64[:,:], float64[:,:])
def twice_among_others(x, y):
    t = x.T
    return t, y, (t, [y]), x.T, t

def given(t):
    return t, t

#numptx export of_helpers(float64[:,:])
def of_helpers(x):
    first, second = given(x[1:])
    third, fourth = given(x * 2.0)
    return fourth, second, third, first
