"""Distances between all pairs of points, with three loops; and the nearest other point."""

import math

import numpy as np


#numptx export pairwise_distances(float64[:,:])
# run: pairwise_distances(random((4, 3)))
# run: pairwise_distances(random((13, 5)))
# run: pairwise_distances(random((60, 3)))
# run: pairwise_distances(random((3, 0)))
# run: pairwise_distances(random((20, 6))[::-2, ::2])
# large: pairwise_distances(random((600, 8)))
# bench: pairwise_distances(random((2048, 16)))
def pairwise_distances(points):
    m, n = points.shape
    result = np.empty((m, m))
    for i in range(m):
        for j in range(m):
            total = 0.0
            for k in range(n):
                difference = points[i, k] - points[j, k]
                total += difference * difference
            result[i, j] = math.sqrt(total)
    return result


#numptx export distances_above(float32[:,:])
# run: distances_above(random((4, 3), dtype=float32))
# run: distances_above(random((13, 5), dtype=float32))
# run: distances_above(random((50, 3), dtype=float32))
# large: distances_above(random((600, 8), dtype=float32))
def distances_above(points):
    m = len(points)
    result = np.zeros((m, m), dtype=np.float32)
    for i in range(m):
        for j in range(i + 1, m):
            for k in range(points.shape[1]):
                result[i, j] += (points[i, k] - points[j, k]) ** 2
            result[i, j] = np.sqrt(result[i, j])
            result[j, i] = result[i, j]
    return result


#numptx export nearest(float64[:,:])
# run: nearest(random((4, 3)))
# run: nearest(random((13, 5)))
# run: nearest(random((50, 2)))
# run: nearest(ones((3, 2)))
# large: nearest(random((1000, 3)))
def nearest(points):
    m, n = points.shape
    index = np.zeros(m, dtype=np.int64)
    distance = np.zeros(m)
    for i in range(m):
        best = np.inf
        for j in range(m):
            if i == j:
                continue
            total = 0.0
            for k in range(n):
                total += (points[i, k] - points[j, k]) ** 2
            if total < best:
                best = total
                index[i] = j
        distance[i] = np.sqrt(best)
    return index, distance
