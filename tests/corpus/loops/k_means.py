"""Lloyd's steps of k-means: each point to its nearest centre, each centre to the mean of its points."""

import numpy as np


#numptx export k_means(float64[:,:], float64[:,:], int)
# run: k_means(random((6, 2)), random((2, 2)), 2)
# run: k_means(random((31, 3)), random((5, 3)), 3)
# run: k_means(random((200, 2)), random((7, 2)), 4)
# run: k_means(random((4, 2)), random((6, 2)), 2)
# large: k_means(random((20000, 3)), random((8, 3)), 3)
def k_means(points, centres, steps):
    n, dimensions = points.shape
    k = centres.shape[0]
    label = np.zeros(n, dtype=np.int64)
    for _ in range(steps):
        for i in range(n):
            best = np.inf
            for c in range(k):
                distance = 0.0
                for d in range(dimensions):
                    distance += (points[i, d] - centres[c, d]) ** 2
                if distance < best:
                    best = distance
                    label[i] = c
        total = np.zeros((k, dimensions))
        count = np.zeros(k, dtype=np.int64)
        for i in range(n):
            c = label[i]
            count[c] += 1
            for d in range(dimensions):
                total[c, d] += points[i, d]
        for c in range(k):
            if count[c] > 0:
                for d in range(dimensions):
                    centres[c, d] = total[c, d] / count[c]
    return label


#numptx export k_means_arrays(float64[:,:], float64[:,:], int)
# run: k_means_arrays(random((6, 2)), random((2, 2)), 2)
# run: k_means_arrays(random((31, 3)), random((5, 3)), 3)
# run: k_means_arrays(random((400, 2)), random((7, 2)), 4)
# large: k_means_arrays(random((100000, 4)), random((16, 4)), 5)
# bench: k_means_arrays(random((100000, 4)), random((16, 4)), 10)
def k_means_arrays(points, centres, steps):
    label = np.zeros(len(points), dtype=np.int64)
    for _ in range(steps):
        distance = np.sum((points[:, None, :] - centres) ** 2, axis=2)
        label = np.argmin(distance, axis=1)
        for c in range(len(centres)):
            mine = label == c
            if np.any(mine):
                centres[c] = np.sum(np.where(mine[:, None], points, 0.0), axis=0) / np.count_nonzero(mine)
    return label
