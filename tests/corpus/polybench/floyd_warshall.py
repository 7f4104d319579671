"""Lengths of the shortest paths between all pairs of nodes."""

import numpy as np


#numptx export floyd_warshall(int32[:,:])
# run: floyd_warshall(integers(1, 100, (4, 4), dtype=int32))
# run: floyd_warshall(integers(1, 100, (13, 13), dtype=int32))
# run: floyd_warshall(integers(-3, 100, (25, 25), dtype=int32))
# large: floyd_warshall(integers(1, 1000, (220, 220), dtype=int32))
def floyd_warshall(path):
    n = path.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                through = path[i, k] + path[k, j]
                if through < path[i, j]:
                    path[i, j] = through


#numptx export floyd_warshall_min(float64[:,:])
# run: floyd_warshall_min(random((4, 4)))
# run: d = random((13, 13)); d[d > 0.5] = inf; floyd_warshall_min(d)
# run: floyd_warshall_min(random((25, 25)))
# large: floyd_warshall_min(random((220, 220)))
def floyd_warshall_min(path):
    n = path.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                path[i, j] = min(path[i, j], path[i, k] + path[k, j])
    return path


#numptx export floyd_warshall_outer(int32[:,:])
# run: floyd_warshall_outer(integers(1, 100, (4, 4), dtype=int32))
# run: floyd_warshall_outer(integers(1, 100, (13, 13), dtype=int32))
# run: floyd_warshall_outer(integers(1, 100, (70, 70), dtype=int32))
# large: floyd_warshall_outer(integers(1, 1000, (900, 900), dtype=int32))
# bench: floyd_warshall_outer(integers(1, 1000, (850, 850), dtype=int32))
def floyd_warshall_outer(path):
    for k in range(path.shape[0]):
        path[:] = np.minimum(path, path[:, k, None] + path[k])
