"""`np.apply_along_axis`, compiled and plain: results of any shape and dtype, of arrays of any layout.

Each function below runs both ways on the same arguments; the results, or the exceptions' types, agree.
"""

import numpy as np
import pytest

import as_numpy

SOURCE = '''
import numpy as np


#numptx export along_with_arguments(float64[:,:])
#numptx export along_with_arguments(int64[:,:])
def along_with_arguments(x):
    return (
        np.apply_along_axis(np.percentile, 1, x, [25, 50]), np.apply_along_axis(np.convolve, 1, x, [1, 2, 1], "same"), np.apply_along_axis(np.where, 1, x > 0, x[0], 1.5),
        np.apply_along_axis(len, 0, x), np.apply_along_axis(ends_of, 0, x), np.apply_along_axis(ends_as_tuple, 1, x), np.apply_along_axis(lambda v: v, 0, x), np.apply_along_axis(lambda v: v[0] > 1, 0, x),
    )


#numptx export along_one(float64[:])
def along_one(x):
    return np.apply_along_axis(sorted_twice, 0, x), np.apply_along_axis(np.outer, 0, x, x[:2]), np.apply_along_axis(np.sum, -1, x), np.apply_along_axis(lambda v: v, 0, x)


#numptx export along_each(float64[:,:,:], float64[:,:,:,:])
def along_each(x, y):
    return [np.apply_along_axis(ends_of, k, x) for k in (0, 1, -1)], np.apply_along_axis(np.outer, 0, x, x[0, 0, :2]), np.apply_along_axis(np.outer, -2, x, x[0, 0, :2]), np.apply_along_axis(np.max, 1, y), np.apply_along_axis(ends_of, 2, y)


#numptx export along_and_back(float64[:,:])
def along_and_back(x):
    return np.apply_along_axis(first_doubled, 0, x)


#numptx export along_uneven(float64[:,:])
def along_uneven(x):
    return np.apply_along_axis(lambda v: v[v > 0], 1, x)


def first_doubled(v):
    v[0] *= 2
    return v[0] + v[1]


def ends_of(v):
    return np.array([v.min(), v.max()])


def ends_as_tuple(v):
    return v.min(), v.max()


def sorted_twice(v):
    return np.concatenate((np.sort(v), np.sort(v)))
'''


def reals(*shape):
    return np.sin(np.arange(np.prod(shape, dtype=int)) * 1.7).reshape(shape)


def whole(dtype, *shape):
    return ((np.arange(np.prod(shape, dtype=int)) * 37) % 7 - 2).astype(dtype).reshape(shape)


def cases():
    for x in (reals(3, 4), np.asfortranarray(reals(3, 4)), reals(3, 8)[::-1, ::2], reals(1, 3), whole(int, 4, 3), reals(0, 3), reals(3, 0)):
        yield "along_with_arguments", lambda x=x: (x,)
    for x in (reals(5), reals(9)[::-2], reals(1)):
        yield "along_one", lambda x=x: (x,)
    yield "along_each", lambda: (reals(2, 3, 4), reals(2, 3, 4, 2))
    yield "along_each", lambda: (np.asfortranarray(reals(3, 2, 4)), reals(1, 2, 3, 1))
    yield "along_each", lambda: (reals(2, 3, 4), reals(2, 0, 4, 2))
    yield "along_and_back", lambda: (reals(3, 4),)
    for x in ([[1.0, -1.0, 2.0], [3.0, 4.0, -1.0]], [[1.0, -1.0, 2.0], [3.0, 4.0, 5.0]], [[1.0, -1.0, -2.0], [3.0, 4.0, 5.0]], [[1.0, 1.0, 2.0], [3.0, -4.0, -5.0]]):
        yield "along_uneven", lambda x=x: (np.array(x),)


CASES = list(cases())


@pytest.mark.parametrize("k", range(len(CASES)), ids=lambda k: f"{CASES[k][0]}-{k}")
def test_as_numpy(k, workshop):
    as_numpy.compare(*workshop.pair(SOURCE, "applying"), *CASES[k])
