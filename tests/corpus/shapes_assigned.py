"""Arrays that get another shape in place: all their names see it, and nothing is copied."""

import numpy as np


#numptx export grown(float64[:,:])
# run: grown(random((3, 4)))
# run: grown(random((0, 4)))
def grown(x):
    y = x + 1.0
    y.shape = 2, -1, 2
    y[0] = 0.0
    return y, y.ndim


#numptx export named_twice(int64[:,:], int)
# run: named_twice(arange(12).reshape(2, 6), 4)
# run: named_twice(arange(12).reshape(2, 6), 5)
def named_twice(x, n):
    y = z = x * 2
    first = y[0]
    y.shape = n, 3
    z[1, 2] = -1
    z.shape = first.shape = y.size // len(x)
    return y.sum(), z + 1, first


#numptx export filled(int, int)
# run: filled(4, 3)
# run: filled(0, 3)
def filled(n, m):
    out = np.zeros(n * m)
    for i in range(n * m):
        out[i] = i % 5
    out.shape = (n, m)
    return out + 1.0


# A copy would be needed where it is transposed: AttributeError.
#numptx export turned(float64[:,:])
# run: turned(random((3, 4)))
# run: turned(random((1, 4)))
# run: turned(random((0, 4)))
def turned(x):
    y = (x + 1.0).T
    y.shape = y.size
    return y + 1.0


#numptx export strided(float64[:])
# run: strided(random(12))
# run: strided(random(13))
def strided(x):
    y = x[::2]
    y.shape = 3, 2
    y *= 2.0
    return y[0] + 1.0


#numptx export by_branch(float64[:,:], int)
# run: by_branch(random((2, 6)), 1)
# run: by_branch(random((2, 6)), 0)
def by_branch(x, n):
    y = x + 1.0
    if n > 0:
        y.shape = 4, 3
    else:
        y.shape = 6, 2
    return y * 2.0


def flattened(y):
    y.shape = y.size
    return y


#numptx export inlined(float64[:,:])
# run: inlined(random((5, 3)))
def inlined(x):
    return flattened(x * 2.0) + 1.0


# As in Rougier's Mandelbrot set: what has not diverged is kept.
#numptx export points_left(float64, float64, float64, float64, int, int, int, float64)
# run: points_left(-2.0, 0.5, -1.25, 1.25, 30, 20, 15, 2.0)
# run: points_left(3.0, 4.5, 3.25, 4.25, 5, 4, 15, 2.0)
# tolerance: 1e-12
def points_left(xmin, xmax, ymin, ymax, xn, yn, itermax, horizon):
    at_x, at_y = np.mgrid[0:xn, 0:yn]
    x = np.linspace(xmin, xmax, xn)[at_x]
    y = np.linspace(ymin, ymax, yn)[at_y]
    c = x + y * 1j
    n = np.zeros(c.shape, dtype=np.int64)
    last = np.zeros(c.shape, dtype=np.complex128)
    at_x.shape = at_y.shape = c.shape = xn * yn
    z = np.zeros(c.shape, np.complex128)
    for i in range(itermax):
        if not len(z):
            break
        np.multiply(z, z, z)
        np.add(z, c, z)
        far = abs(z) > horizon
        n[at_x[far], at_y[far]] = i + 1
        last[at_x[far], at_y[far]] = z[far]
        np.logical_not(far, far)
        z = z[far]
        at_x, at_y = at_x[far], at_y[far]
        c = c[far]
    return last.T, n.T


# Made in the body of the loop, and named twice there; a tuple target takes the shape last.
#numptx export by_iteration(float64[:,:], int)
# run: by_iteration(random((2, 6)), 3)
# run: by_iteration(random((2, 6)), 0)
def by_iteration(x, n):
    total = np.zeros((4, 3))
    for i in range(n):
        y = x + i
        w = y
        w.shape = 4, 3
        total += y
    return total


#numptx export in_a_tuple(float64[:,:])
# run: in_a_tuple(random((2, 6)))
def in_a_tuple(x):
    y = x * 2.0
    w, y.shape = y, (4, 3)
    for v, n in ((x + 1.0, 3), (x + 2.0, 4)):
        v.shape = n, 12 // n
        w = w + v.sum()
    return w, y, v


#numptx export by_branch_and_name(float64[:,:], int)
# run: by_branch_and_name(random((2, 6)), 1)
# run: by_branch_and_name(random((2, 6)), 0)
def by_branch_and_name(x, n):
    y = x + 1.0
    if n > 0:
        w = y
        w.shape = 4, 3
    return y
