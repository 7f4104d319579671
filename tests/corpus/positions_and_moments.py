"""Reductions to positions, flags, means and variances: axes, tuples of axes, keepdims, empty axes."""

import numpy as np


#numptx export positions(float64[:,:], int32[:,:], bool[:,:])
# run: positions(random((4, 5)), integers(-3, 3, (4, 5), dtype=int32), random((4, 5)) < 0.5)
# run: positions(array([[1.0, nan], [nan, 2.0]]), integers(-3, 3, (5, 4), dtype=int32).T, random((4, 5))[::-1] < 0.5)
# run: positions(zeros((3, 3)), integers(-3, 3, (5, 40), dtype=int32).T, random((4, 5))[::-1] < 0.5)
# run: positions(ones((0, 3)), integers(-3, 3, (4, 5), dtype=int32), random((4, 5)) < 0.5)
def positions(x, y, z):
    return (
        np.argmax(x),
        x.argmin(),
        np.argmax(x, axis=0),
        x.argmin(axis=1),
        y.argmax(),
        np.argmin(y, 0),
        y.argmax(-1),
        z.argmax(),
        z.argmin(1),
        np.argmax(x, axis=1, keepdims=True),
    )


#numptx export logic(float64[:,:], int8[:,:])
# run: logic(random((3, 4)), integers(0, 2, (3, 4), dtype=int8))
# run: logic(zeros((3, 4)), ones((0, 4), dtype=int8))
# run: logic(array([[nan, 0.0]]), zeros((4, 0), dtype=int8))
def logic(x, y):
    return (
        np.any(x),
        x.all(),
        np.all(x, axis=0),
        np.any(y, axis=1),
        y.all(axis=(0, 1)),
        np.any(x > 0.5, axis=0, keepdims=True),
        np.count_nonzero(y),
        np.count_nonzero(x, axis=0),
    )


#numptx export moments(float64[:,:], float32[:,:], int64[:,:])
# run: moments(random((5, 6)), random((5, 6), dtype=float32), integers(-9, 9, (5, 6)))
# run: moments(random((5, 6)) + 1e8, random((6, 5), dtype=float32).T, integers(-9, 9, (10, 6))[::-2])
# run: moments(random((1, 1)), random((1, 1), dtype=float32), integers(-9, 9, (1, 1)))
# run: moments(random((2, 0)), random((1, 4), dtype=float32), integers(-9, 9, (1, 1)))
# tolerance: 1e-5
def moments(x, y, z):
    return (
        x.mean(),
        np.mean(y, 0),
        z.mean(axis=1),
        x.var(),
        y.std(),
        z.var(0),
        np.std(x, axis=1, ddof=1),
        np.var(y, axis=(0, 1), keepdims=True),
        x.mean(keepdims=True),
        z.std(ddof=1),
    )


#numptx export positions_of_volumes(float64[:,:,:])
# run: positions_of_volumes(random((3, 4, 5)))
# run: positions_of_volumes(random((3, 4, 5)).T)
# run: positions_of_volumes(random((3, 4, 5)).transpose(1, 0, 2)[:, ::-1])
def positions_of_volumes(x):
    return np.argmin(x, axis=0), x.argmax(axis=1, keepdims=True)
