"""Loops whose iterations are reductions of arrays: one launch with a row for each iteration."""

import numpy as np


#numptx export bin_means(float64[:], float64[:], int)
# run: bin_means(random(5000), random(5000), 60)
# structure: launches==3 allocs=2 copies=0 syncs=0
# run: bin_means(random(20), random(20), 4)
# run: bin_means(random(20), random(20), 0)
# run: bin_means(random(20), random(20), -1)
# run: bin_means(random(20), random(21), 4)
# run: bin_means(random(1), random(21), 4)
# run: bin_means(random(0), random(0), 4)
# run: bin_means(random(40)[::-2], random(20), 4)
def bin_means(data, radius, bins):
    largest = radius.max()
    result = np.zeros(bins)
    for i in range(bins):
        inside = np.logical_and(largest * i / bins <= radius, radius < largest * (i + 1) / bins)
        result[i] = data[inside].mean()
    return result


#numptx export group_means(float64[:,:], int64[:], int, float64[:,:])
# run: group_means(random((100, 3)), integers(0, 5, 100), 5, zeros((5, 3)))
# structure: launches==1 allocs=0 copies=0 syncs=0
# run: group_means(random((100, 3)), integers(0, 5, 100), 5, zeros((7, 3))[::-1])
# run: group_means(random((3, 100)).T, integers(0, 5, 100), 5, zeros((3, 5)).T)
# run: group_means(random((100, 3)), integers(0, 5, 100), 5, zeros((4, 3)))
# run: group_means(random((100, 1)), integers(0, 5, 100), 5, zeros((5, 3)))
# run: group_means(random((100, 2)), integers(0, 5, 100), 5, zeros((5, 3)))
# run: group_means(random((100, 3)), integers(0, 5, 99), 5, zeros((5, 3)))
# run: group_means(random((100, 3)), integers(0, 4, 100), 5, zeros((5, 3)))
# run: group_means(random((0, 3)), integers(0, 4, 0), 5, zeros((5, 3)))
# run: points = random((100, 3)); group_means(points, integers(0, 5, 100), 5, points[:5])
# run: points = random((100, 3)); group_means(points, integers(0, 5, 100), 5, points[95:])
def group_means(points, labels, k, centers):
    for c in range(k):
        centers[c] = points[labels == c].mean(axis=0)


#numptx export group_means_of_some(float64[:,:], int64[:], float64[:,:])
# run: group_means_of_some(random((100, 3)), integers(0, 5, 100), zeros((5, 3)))
# run: group_means_of_some(random((100, 3)), integers(0, 3, 100), ones((5, 3)))
# run: group_means_of_some(random((0, 3)), integers(0, 3, 0), ones((5, 3)))
def group_means_of_some(points, labels, centers):
    """Groups without members keep their centres."""
    for c in range(len(centers)):
        chosen = labels == c
        if chosen.any():
            centers[c] = points[chosen].mean(axis=0)


#numptx export known_groups(float64[:,:], int64[:], float64[:,:])
# run: known_groups(random((100, 3)), integers(0, 5, 100), zeros((5, 3)))
# structure: launches==3 copies=0 syncs=0
# run: known_groups(random((100, 3)), integers(0, 3, 100), ones((5, 3)))
# run: known_groups(random((100, 3)), integers(0, 3, 99), ones((5, 3)))
# run: known_groups(random((100, 2)), integers(0, 3, 100), ones((5, 3)))
# run: known_groups(random((0, 3)), integers(0, 3, 0), ones((5, 3)))
def known_groups(points, labels, centers):
    for c in range(len(centers)):
        if np.any(labels == c):
            centers[c] = points[labels == c].mean(axis=0)


#numptx export group_maxima(float64[:], int64[:], int, float64[:])
# run: group_maxima(random(100), integers(0, 5, 100), 5, zeros(5))
# structure: launches=6 copies=1 syncs=1
# run: group_maxima(random(100), integers(0, 5, 100) % 4 + integers(0, 5, 100) // 4, 4, zeros(5))
# run: group_maxima(random(100), integers(0, 3, 100), 5, ones(5))
# run: group_maxima(random(100), integers(0, 5, 100), 0, ones(5))
# run: group_maxima(random(0), integers(0, 5, 0), 5, ones(5))
# run: group_maxima(random(0), integers(0, 5, 0), 0, ones(5))
def group_maxima(x, labels, k, out):
    """An empty group raises, and leaves those after it as they were."""
    for c in range(k):
        out[c] = x[labels == c].max()


#numptx export deviations(float64[:], int64[:], int)
# run: deviations(random(100), integers(0, 5, 100), 5)
# structure: copies=0 syncs=0
# run: deviations(random(100), integers(0, 5, 100), 6)
def deviations(x, labels, k):
    deviation, size = np.zeros(k), np.zeros(k, dtype=np.int64)
    for c in range(k):
        y = x[labels == c]
        deviation[c] = y.std()
        size[c] = len(y)
    return deviation, size


#numptx export shifted(float64[:,:], float64[:], float64[:])
# run: shifted(random((6, 50)), random(50), zeros(9))
# structure: launches==1 allocs=0 copies=0 syncs=0
# run: shifted(random((6, 50)), random(50), zeros(7))
# run: shifted(random((6, 50)), random(1), zeros(9))
# run: x = random(60); shifted(x[:50].reshape(5, 10), x[:10], x[50:])
# run: x = random(60); shifted(x[:50].reshape(5, 10), x[:10], x[40:50])
def shifted(rows, weights, out):
    for i in range(len(rows)):
        out[i + 2] = np.sum(rows[i] * weights) * 0.5


#numptx export downwards(float64[:,:], float64[:])
# run: downwards(random((6, 50)), zeros(6))
# run: downwards(random((6, 50)), zeros(5))
def downwards(rows, out):
    for i in range(len(rows) - 1, -1, -2):
        out[i] = rows[i].sum() + i


#numptx export growing(float64[:], float64[:])
# run: growing(random(10), zeros(10))
def growing(x, out):
    """Rows of changing length are none of these."""
    for i in range(len(x)):
        out[i] = x[:i].sum()


#numptx export guarded(float64[:,:], float64[:], int)
# run: guarded(random((6, 50)), zeros(6), 6)
# run: guarded(random((6, 50)), zeros(4), 4)
# run: guarded(random((6, 50)), zeros(4), 5)
def guarded(rows, out, n):
    for i in range(len(rows)):
        if i < n:
            out[i] = rows[i].max()


#numptx export running(float64[:,:], float64[:])
# run: running(random((6, 50)), random(6))
def running(rows, out):
    """Each sum goes on from the one before."""
    for i in range(1, len(rows)):
        out[i] = np.sum(rows[i] * out[i - 1])
