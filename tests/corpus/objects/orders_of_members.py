"""Arrays in lists lie in memory as they would alone."""

import numpy as np


#numptx export appended(float64[:,:], int)
# run: appended(arange(6.0).reshape(2, 3), 2)
# run: appended(asfortranarray(arange(6.0).reshape(2, 3)), 2)
# run: appended(ones((2, 3)), 0)
def appended(x, n):
    xs = []
    ys = []
    for k in range(n):
        xs.append(x.T * (k + 1.0))
        ys.append(x + k)
    return xs, ys


#numptx export in_f_order(float64[:,:], int)
# run: in_f_order(arange(6.0).reshape(2, 3), 2)
def in_f_order(x, n):
    xs = []
    for k in range(n):
        xs.append(np.asfortranarray(x) * (k + 1.0))
    first = xs[0]
    return first.flags.f_contiguous, first.strides, first + 1.0, np.array(xs), np.stack(xs), np.concatenate(xs)


#numptx export in_c_order(int)
# run: in_c_order(3)
def in_c_order(n):
    xs = []
    for k in range(n):
        xs.append(np.ones((2, 3)) * k)
    return xs, xs[0].flags.c_contiguous, np.array(xs)


#numptx export joined(float64[:,:] list)
# run: joined([asfortranarray(ones((2, 3))), asfortranarray(zeros((2, 3)))])
# run: joined([asfortranarray(ones((2, 3))), zeros((2, 3))])
# run: joined([zeros((2, 3)), asfortranarray(ones((2, 3)))])
def joined(xs):
    return np.concatenate(xs), np.concatenate(xs, axis=1), np.dstack(xs), np.stack(xs), np.stack(xs, axis=-1)
