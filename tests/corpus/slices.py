"""Basic slicing in every form, and views of views."""

import numpy as np


#numptx export bounds(float64[:], int, int)
# run: bounds(random(10), 2, 7)
# run: bounds(random(10), -3, 20)
# run: bounds(random(10), 7, 2)
# run: bounds(random(10)[::-1], -100, -1)
# run: bounds(random(0), 0, 1)
# run: bounds(random(1), 0, 1)
def bounds(x, a, b):
    return x[a:b], x[a:], x[:b], x[:], x[-b:-a], x[::]


#numptx export steps(float64[:], int, int, int)
# run: steps(random(10), 1, 8, 2)
# run: steps(random(10), 8, 1, -2)
# run: steps(random(10), -1, -20, -3)
# run: steps(random(20)[::2], 0, 10, 7)
# run: steps(random(3), 5, 0, -1)
# run: steps(random(0), 5, 0, -1)
# run: steps(random(5), 0, 5, 0)
# run: steps(random(5), 2**62, -(2**62), -(2**61))
def steps(x, a, b, s):
    return x[a:b:s], x[::s], x[a::s], x[:b:s]


#numptx export none_bounds(float64[:])
# run: none_bounds(random(6))
# run: none_bounds(random(1))
def none_bounds(x):
    return x[None:None:None], x[None:3], x[:None:-1]


#numptx export axes(float64[:,:,:])
# run: axes(random((3, 4, 5)))
# run: axes(random((5, 4, 3)).T)
# run: axes(random((6, 4, 5))[::-2, 1:, ::2])
def axes(x):
    return x[1], x[:, 1], x[..., 1], x[1, ...], x[-1, :, 0], x[..., None], x[None, ..., 0, None], x[:, None, ::-1]


#numptx export points(float64[:,:], int, int)
# run: points(random((3, 4)), 1, 2)
# run: points(random((3, 4)), -3, -4)
# run: points(random((3, 4)), 3, 0)
# run: points(random((3, 4)), 0, -5)
# run: points(random((4, 3)).T, 2, 3)
def points(x, i, j):
    return x[i, j], x[i][j], x[(i, j)], x[i, j] + x[i][-1 - j]


#numptx export views_of_views(float64[:,:])
# run: views_of_views(random((8, 9)))
# run: views_of_views(random((9, 8)).T)
# run: views_of_views(random((2, 3)))
def views_of_views(x):
    a = x[1::2]
    b = a.T[::-1]
    c = b[:, ::-1]
    return a, b, c, c[1:][0], c.T[..., -1]


#numptx export store_through(float64[:,:])
# run: store_through(random((8, 9)))
# run: store_through(random((9, 8)).T)
# run: store_through(random((2, 2)))
def store_through(x):
    a = x[1::2].T
    b = a[::-1]
    b[0] = 5.0
    b[1:, 0] += 1.0
    a[0][:] = -b[1]
    return a, x


#numptx export slice_to_slice(float64[:,:])
# run: slice_to_slice(random((5, 6)))
# run: slice_to_slice(random((6, 5)).T)
def slice_to_slice(x):
    x[1:] = x[:-1]
    x[:, :-1] = x[:, 1:]
    x[::-1] = x
    x[0], x[1] = x[1].copy(), x[0].copy()
    return x


#numptx export ellipsis_store(float64[:,:,:], float)
# run: ellipsis_store(random((2, 3, 4)), 2.0)
# run: ellipsis_store(random((4, 3, 2)).T, 2.0)
# run: ellipsis_store(random((4, 3, 1)), 2)
def ellipsis_store(x, v):
    x[..., 0] = v
    x[0, ...] *= v
    x[...] -= x[:1]


#numptx export windows(float64[:], int)
# run: windows(random(30), 5)
# run: windows(random(3), 5)
def windows(x, n):
    total = np.zeros(n)
    for i in range(len(x) - n + 1):
        total += x[i : i + n]
    return total


#numptx export scalar_views(int64[:,:])
# run: scalar_views(integers(0, 9, (3, 4)))
def scalar_views(x):
    a = x[1]
    b = a[2]
    a[2] = 100
    return b, x


#numptx export bad_shape_store(float64[:], float64[:])
# run: bad_shape_store(random(5), random(4))
# run: bad_shape_store(random(5), random(5))
# run: bad_shape_store(random(5), random(1))
# run: bad_shape_store(random(0), random(1))
# run: bad_shape_store(random(0), random(0))
# run: bad_shape_store(random(1), random(0))
# run: bad_shape_store(random(1), random(5))
def bad_shape_store(x, y):
    x[:] = y
    return x


#numptx export backwards(int64[:])
# run: backwards(arange(0))
# run: backwards(arange(3))
def backwards(x):
    y = x + 1
    return np.flip(y), y[::-1], y[-1::-1], x[::-1]
