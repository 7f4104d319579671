"""Histograms, covariances, averages, interpolation."""
import numpy as np

#numptx export histograms(float64[:], int)
# run: histograms(random(1000), 10)
# run: histograms(array([1.0, 2.0, 3.0, 4.0]), 3)
# run: histograms(array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]), 6)
# run: histograms(ones(4), 2)
# run: histograms(arange(0.0), 3)
# run: histograms(arange(20.0)[::-3], 5)
# run: histograms(array([1.0, nan]), 3)
# run: histograms(array([1.0, inf]), 3)
# run: histograms(ones(4), 0)
def histograms(x, n):
    return np.histogram(x, n), np.histogram(x, bins=n)[0]


#numptx export weighted(float64[:], float64[:], int)
# run: weighted(random(1000), random(1000), 10)
# run: weighted(random(10), random(9), 10)
# run: weighted(random(9000)[::-3], random(6000)[::2], 7)
# run: weighted(integers(0, 8, 4000) * 0.125, random(4000), 7)
# run: weighted(where(arange(4000) == 17, nan, 1.0), ones(4000), 7)
# run: weighted(arange(0.0), arange(0.0), 7)
# run: weighted(full(3000, 2.5), random(3000) - 0.5, 4)
# run: weighted(random(50), random(50), 20)
def weighted(x, w, n):
    counts = np.histogram(x, n)[0]
    sums = np.histogram(x, n, weights=w)[0]
    return counts, sums, sums / counts


#numptx export ranged(float64[:], float, float)
# run: ranged(random(100), 0.25, 0.75)
# run: ranged(array([nan, 0.3, -1.0, 2.0, 0.5, 0.25]), 0.25, 0.5)
# run: ranged(random(100), 0.5, 0.5)
# run: ranged(random(100), 0.75, 0.25)
# run: ranged(random(0), 0.25, 0.75)
def ranged(x, low, high):
    return np.histogram(x, 5, range=(low, high)), np.histogram(x, 4, (low, high), density=True)


# Weights of other dtypes, values beyond the range and on edges: many in a bin, and few.
#numptx export weighed_otherwise(int32[:], float32[:], int64[:], float32[:])
# run: weighed_otherwise(integers(-20, 20, 3000, dtype=int32), random(3000, dtype=float32), integers(-9, 9, 3000), random(3000, dtype=float32))
# run: weighed_otherwise(integers(-20, 20, 30, dtype=int32), random(30, dtype=float32), integers(-9, 9, 30), random(30, dtype=float32))
def weighed_otherwise(k, w, n, x):
    ranged = np.histogram(k, 5, range=(-10, 15), weights=n)
    return ranged, np.histogram(x, 3, weights=w), np.histogram(x, 4, (0.25, 0.5), weights=n, density=True)[0], np.histogram(k, 3, weights=n)


#numptx export of_others(float32[:,:], int64[:])
# run: of_others(random((5, 6), dtype=float32), integers(-5, 9, 40))
# run: of_others(random((5, 6), dtype=float32).T, array([3]))
def of_others(x, k):
    return np.histogram(x), np.histogram(k), np.histogram_bin_edges(k, 3), np.bincount(k[k >= 0], minlength=4)


#numptx export counted(int64[:], float64[:])
# run: counted(array([0, 3, 1, 1, 7]), random(5))
# run: counted(array([0, -3]), random(2))
# run: counted(array([0, 3]), random(3))
# run: counted(integers(0, 5, 3000), random(3000))
# run: counted(where(arange(3000) == 2000, -1, 3), random(3000))
# run: counted(integers(0, 5, 6000)[::-2], random(6000)[::2])
def counted(k, w):
    return np.bincount(k), np.bincount(k, minlength=10), np.bincount(k, weights=w)


#numptx export covariances(float64[:,:], float64[:])
# run: covariances(random((3, 10)), random(5))
# run: covariances(random((10, 3)).T, random(10)[::-2])
# run: covariances(array([[1.0, 2.0, inf], [1.0, nan, 3.0]]), array([1.0, nan]))
def covariances(x, y):
    return np.cov(x), np.cov(np.transpose(x)), np.cov(x, rowvar=False), np.cov(x, bias=True), np.cov(x, ddof=0), np.corrcoef(x), np.cov(y)


#numptx export covariances_of_others(float32[:,:], int64[:,:])
# run: covariances_of_others(random((3, 10), dtype=float32), integers(-9, 9, (4, 6)))
def covariances_of_others(x, k):
    return np.cov(k), np.cov(x).dtype == np.float64


#numptx export averages(float64[:,:], float64[:,:])
# run: averages(random((3, 4)), random((3, 4)))
# run: averages(random((3, 4)), zeros((3, 4)))
# run: averages(random((3, 4)).T, random((3, 4)).T)
def averages(x, w):
    return np.average(x), np.average(x, axis=1), np.average(x, weights=w), np.average(x, 0, w)


#numptx export interpolated(float64[:], float64[:], float64[:])
# run: interpolated(random(20) * 6 - 1, arange(5.0), arange(5.0) ** 2)
# run: interpolated(array([0.0, -0.0, 4.0, nan, inf, -inf, 2.0, 2.5]), arange(5.0), arange(5.0) ** 2)
# run: interpolated(arange(3.0), array([1.0]), array([7.0]))
# run: interpolated(arange(3.0), arange(0.0), arange(0.0))
# run: interpolated(arange(3.0), arange(3.0), arange(2.0))
# run: interpolated(arange(0.0), arange(3.0), arange(3.0))
def interpolated(x, xp, fp):
    return np.interp(x, xp, fp), np.interp(x, xp, fp, left=-1.0, right=99.0)
