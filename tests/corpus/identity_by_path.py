"""Which results are one object where branches, loops and several returns decide: as in Python, whatever lies at the same place."""

import numpy as np


#numptx export exchanged(float64[:], bool)
# run: exchanged(arange(4.0), True)
# run: exchanged(arange(9.0), True)
# run: exchanged(arange(4.0), False)
def exchanged(x, flag):
    t = x[::2]
    if flag:
        t, x = x, t
    # A view of the same elements as x is another object.
    return t, (x[:5], x)


#numptx export chosen(float64[:], bool)
# run: chosen(arange(4.0), True)
# run: chosen(arange(4.0), False)
def chosen(x, flag):
    a, b = x[1:], x[1:]
    c = a if flag else b
    return a, b, c


#numptx export last_of_loop(float64[:], int)
# run: last_of_loop(arange(4.0), 0)
# run: last_of_loop(arange(4.0), 1)
# run: last_of_loop(arange(4.0), 2)
# run: last_of_loop(arange(4.0), 5)
def last_of_loop(x, n):
    first = last = before = x[1:]
    for i in range(n):
        before = last
        last = x[1:]
        if i == 0:
            first = last
    return first, before, last, x


#numptx export nested(float64[:], int, int)
# run: nested(arange(4.0), 2, 3)
# run: nested(arange(4.0), 3, 0)
# run: nested(arange(4.0), 0, 2)
# run: nested(arange(4.0), 1, 1)
# run: nested(arange(4.0), 3, 2)
def nested(x, n, m):
    a = b = c = x[:]
    for i in range(n):
        c = a
        if i % 2 == 0:
            for _ in range(m):
                b = a
                a = x[:]
        else:
            a = b
    return a, b, c


#numptx export while_loop(float64[:], int)
# run: while_loop(arange(4.0), 0)
# run: while_loop(arange(4.0), 1)
# run: while_loop(arange(4.0), 6)
def while_loop(x, n):
    a, b = x[1:], x[2:]
    while n > 0:
        a, b = b, a
        if n == 3:
            b = x[1:]
        n -= 1
    return b, a, b


#numptx export early(float64[:], int)
# run: early(arange(4.0), 0)
# run: early(arange(4.0), 1)
# run: early(arange(4.0), 2)
# run: early(arange(4.0), 3)
def early(x, n):
    t = x[1:]
    if n == 0:
        return t, t
    if n == 1:
        return t, x[1:]
    for i in range(n):
        if i == 2:
            return x, x
        t = x[1:] if i % 2 else x
    return t, x


#numptx export fresh(float64[:], bool)
# run: fresh(arange(4.0), True)
# run: fresh(arange(4.0), False)
def fresh(x, flag):
    a = x * 2
    b = x * 3
    if flag:
        b = a
    return a, b, [b, a[:]]


#numptx export empty(float64[:], bool)
# run: empty(arange(4.0), True)
# run: empty(arange(4.0), False)
# run: empty(zeros(0), False)
def empty(x, flag):
    a, b = x[:0], x[4:]
    if flag:
        a = b
    return a, b, x[:0]


def pair(x, flag):
    t = x.T
    return (t, t) if flag else (x, t)


#numptx export helper(float64[:,:], bool)
# run: helper(arange(6.0).reshape(2, 3), True)
# run: helper(arange(6.0).reshape(2, 3), False)
def helper(x, flag):
    a, b = pair(x, flag)
    c, d = pair(x, not flag)
    return a, b, c, d


#numptx export given(float64[:], float64[:], bool)
# run: a = arange(3.0); given(a, a, True)
# run: a = arange(3.0); given(a, a, False)
# run: a = arange(3.0); given(a, a[:], True)
# run: given(arange(3.0), arange(3.0), False)
def given(x, y, flag):
    z = x if flag else y
    return x, y, z, z[:]
