"""Parameters have NumPy's positions, also those behind one that takes its default only."""

import numpy as np


#numptx export covariance(float64[:], float64[:])
# run: x = random(12); covariance(x, x ** 2)
# run: covariance(arange(3.0), array([2.0, 0.0, 1.0]))
def covariance(x, y):
    return np.cov(x, y)


#numptx export correlation(float64[:], float64[:])
# run: x = random(12); correlation(x, x ** 2)
def correlation(x, y):
    return np.corrcoef(x, y)[0, 1], np.corrcoef(x, y)


#numptx export weighted(float64[:], float64[:])
# run: weighted(random(12), random(12))
# run: weighted(arange(3.0), array([1.0, -1.0, 0.0]))
def weighted(x, w):
    return np.average(x, None, w, True)


#numptx export covariances(float64[:,:], float64[:,:], float64[:])
# run: covariances(random((3, 5)), random((4, 5)), random(5))
# run: covariances(random((3, 5)).T, random((4, 5)).T, random(3))
def covariances(x, y, v):
    if x.shape[1] == y.shape[1]:
        return np.cov(x, y), np.cov(x, y, True, True), np.cov(x, None, True, False, 0), np.cov(v, y)
    return np.cov(x, None, False), np.cov(x, y, False), np.cov(x, y, False, False, 2), np.cov(x, None, False, True)


#numptx export averages(float64[:,:], float64[:], int64[:,:])
# run: averages(random((3, 4)), random(4), integers(0, 5, (3, 4)))
# run: averages(random((3, 4)), random(3), integers(0, 5, (3, 4)))
def averages(x, w, k):
    return (
        np.average(x, 1, w, returned=True),
        np.average(x, 0, None, True),
        np.average(k, None, None, True),
        np.average(k, 1, k + 1, True, keepdims=True),
    )


#numptx export sorts(float64[:,:])
# run: sorts(random((4, 3)))
def sorts(x):
    return np.sort(x, 0, "stable", None), np.argsort(x, -1, None, None), x.argsort(0, "quicksort"), np.median(x, 1, None, False)


#numptx export casts(float64[:,:])
# run: casts(random((4, 3)))
def casts(x):
    return (
        x.astype(np.float32, "F", "same_kind", True, True),
        x.astype(np.int64, "K", "unsafe"),
        np.astype(x, np.float32),
        np.asarray(x, np.float32, None),
        np.zeros_like(x, np.float32, "F", True, (2, 3)),
        np.full_like(x, 2.0, None, "C", True, (2,)),
    )


#numptx export ranges(int)
# run: ranges(7)
def ranges(n):
    return np.linspace(0.0, 1.0, n, False, False, np.float32), np.arange(0, n, 2, np.float32), np.eye(n, None, 1, float, "C")


#numptx export methods(float64[:], int64[:])
# run: methods(random(6), array([3, 0, 5]))
def methods(x, k):
    y = x.copy()
    y.put(k, x[:3], "clip")
    return x.take(k, 0), y, x.clip(0.2, 0.6), x.clip(min=0.5), x.dot(x), x.repeat(2), x.sum(0, None, None, True), x.clip(None, 0.5)


#numptx export several(float64[:], float64[:,:])
# run: several(random(3), random((2, 3)))
def several(x, y):
    return np.atleast_2d(x, y, 1.0), np.atleast_3d(x), np.atleast_1d(2.0, x), np.concatenate((x, x), 0, None)


#numptx export ufuncs(float64[:], bool[:])
# run: ufuncs(random(5), array([True, False, True, True, False]))
def ufuncs(x, m):
    y = np.zeros_like(x)
    return np.add(x, x, y, where=m, order="K", subok=True), np.sqrt(x, None), np.matmul(x, x, None, casting="same_kind")
