"""Lengths of the shortest paths between all pairs of nodes."""

import numpy as np


#numptx export floyd_warshall(int32[:,:])
# run: floyd_warshall(integers(1, 100, (4, 4), dtype=int32))
# structure: launches==1 allocs=0 copies=0
# run: floyd_warshall(integers(1, 100, (13, 13), dtype=int32))
# run: floyd_warshall(integers(1, 100, (5, 9), dtype=int32))
# run: floyd_warshall(integers(1, 100, (1, 1), dtype=int32))
# run: floyd_warshall(zeros((0, 0), dtype=int32))
# run: floyd_warshall(integers(1, 100, (9, 5), dtype=int32))
# run: floyd_warshall(integers(-3, 100, (25, 25), dtype=int32))
# large: floyd_warshall(integers(1, 1000, (220, 220), dtype=int32))
# bench: floyd_warshall(integers(1, 1000, (850, 850), dtype=int32))
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


# The way to `k` is read before the row is written.
#numptx export floyd_warshall_hoisted(float64[:,:])
# run: floyd_warshall_hoisted(random((4, 4)))
# structure: launches==1 copies=0
# run: d = random((13, 13)); d[d > 0.5] = inf; floyd_warshall_hoisted(d)
# run: floyd_warshall_hoisted(random((25, 25)) - 0.1)
# run: floyd_warshall_hoisted(array([[nan, 1.0], [-inf, 2.0]]))
# large: floyd_warshall_hoisted(random((220, 220)))
def floyd_warshall_hoisted(path):
    n = len(path)
    for k in range(n):
        for i in range(n):
            to = path[i, k]
            for j in range(n):
                if to + path[k, j] < path[i, j]:
                    path[i, j] = to + path[k, j]


# Nodes that others may be gone through, of all that there are.
#numptx export reachable(bool[:,:], int, int)
# run: reachable(random((9, 9)) < 0.2, 0, 9)
# structure: launches<=9 copies=0
# run: reachable(random((9, 9)) < 0.2, 3, 6)
# run: reachable(random((9, 9)) < 0.2, 6, 3)
# run: reachable(random((9, 9)) < 0.2, 3, 12)
# run: reachable(random((9, 7)) < 0.2, 0, 9)
# run: reachable(random((5, 5)) < 0.4, -2, 5)
def reachable(to, first, last):
    n = to.shape[0]
    for k in range(first, last):
        for i in range(n):
            for j in range(n):
                to[i, j] = to[i, j] or (to[i, k] and to[k, j])


#numptx export reachable_from_one(bool[:,:], int)
# run: reachable_from_one(random((9, 9)) < 0.2, 9)
# structure: launches==1 copies=0
# run: reachable_from_one(random((9, 9)) < 0.2, 5)
# run: reachable_from_one(random((9, 9)) < 0.2, 11)
# run: reachable_from_one(random((9, 9)) < 0.2, 0)
def reachable_from_one(to, last):
    n = to.shape[0]
    for k in range(1, last):
        for i in range(n):
            for j in range(n):
                to[i, j] |= to[i, k] & to[k, j]


#numptx export floyd_warshall_outer(int32[:,:])
# run: floyd_warshall_outer(integers(1, 100, (4, 4), dtype=int32))
# run: floyd_warshall_outer(integers(1, 100, (13, 13), dtype=int32))
# run: floyd_warshall_outer(integers(1, 100, (70, 70), dtype=int32))
# large: floyd_warshall_outer(integers(1, 1000, (900, 900), dtype=int32))
# bench: floyd_warshall_outer(integers(1, 1000, (850, 850), dtype=int32))
def floyd_warshall_outer(path):
    for k in range(path.shape[0]):
        path[:] = np.minimum(path, path[:, k, None] + path[k])
