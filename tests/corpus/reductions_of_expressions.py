"""Extremes, complex numbers, expressions and empty axes in reductions."""

import numpy as np


#numptx export extremes(float64[:,:], int16[:,:], bool[:,:])
# run: extremes(random((4, 5)), integers(-300, 300, (4, 5), dtype=int16), random((4, 5)) < 0.5)
# run: extremes(array([[1.0, nan], [nan, 2.0]]), integers(-300, 300, (1, 5), dtype=int16), random((5, 1)) < 0.5)
# run: extremes(array([[inf, -inf], [-0.0, 0.0]]), integers(-300, 300, (5, 4), dtype=int16).T, random((5, 1)) < 0.5)
# run: extremes(ones((0, 3)), integers(-300, 300, (1, 5), dtype=int16), random((5, 1)) < 0.5)
def extremes(x, y, z):
    return (
        x.max(),
        x.min(0),
        y.max(1),
        y.min(axis=(0, 1)),
        z.max(),
        z.min(1),
        np.ptp(x),
        np.ptp(y, axis=0),
        np.amax(x, keepdims=True),
        np.amin(x, 1, keepdims=True),
    )


#numptx export min_axis(float64[:,:])
# run: min_axis(ones((0, 3)))
# run: min_axis(ones((3, 0)))
# run: min_axis(ones((3, 2)))
def min_axis(x):
    return np.min(x, axis=0)


#numptx export complex_reductions(complex128[:,:], complex64[:])
# run: complex_reductions(random((3, 4)) + 1j * random((3, 4)), (random(5) - 1j * random(5)).astype(complex64))
# run: complex_reductions((random((4, 3)) + 1j * random((4, 3))).T, (random(10) - 1j * random(10)).astype(complex64)[::-2])
def complex_reductions(x, y):
    return x.sum(), x.prod(0), y.mean(), x.var(), x.std(1), y.sum(), x.mean(axis=0), np.any(x), np.all(y)


#numptx export of_expression(float64[:,:], float64[:])
# run: of_expression(random((3, 4)), random(4))
# run: of_expression(random((3, 1)), random(4))
# run: of_expression(random((3, 4)), random(1))
# run: of_expression(random((4, 3)).T, random(8)[::-2])
# run: of_expression(random((3, 4)), random(3))
def of_expression(x, y):
    z = x * y + 1.0
    return (
        z.sum(),
        z.sum(0),
        (x - y).max(1),
        np.sum(x * y[None, :] > 0.2, axis=0),
        np.sum(z.T, axis=0),
        z[1:].sum(),
        (z / z.sum(axis=1, keepdims=True)).sum(0),
    )


#numptx export empty_axes(float64[:,:,:])
# run: empty_axes(random((0, 3, 2)))
# run: empty_axes(random((2, 0, 3)))
# run: empty_axes(random((0, 3, 0)))
def empty_axes(x):
    return x.max(axis=1), np.argmax(x, 1), x.min(1)


#numptx export no_rows(float64[:,:])
# run: no_rows(random((0, 0)))
# run: no_rows(random((0, 3)))
# run: no_rows(random((3, 0)))
def no_rows(x):
    return np.max(x, axis=0)
