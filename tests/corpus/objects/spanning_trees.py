"""Sets that are joined until all is one: components, and trees of least weight."""

import numpy as np


def root_of(parent, i):
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


#numptx export components(int, int64[:,:])
# run: components(6, array([[0, 1], [3, 4], [1, 2]]))
# run: components(3, zeros((0, 2), dtype=int64))
# run: components(2, array([[0, 1], [1, 0], [0, 0]]))
# run: components(2, array([[0, 2]]))
def components(n, edges):
    parent = list(range(n))
    size = [1] * n
    for k in range(len(edges)):
        a = root_of(parent, int(edges[k, 0]))
        b = root_of(parent, int(edges[k, 1]))
        if a == b:
            continue
        if size[a] < size[b]:
            a, b = b, a
        parent[b] = a
        size[a] += size[b]
    labels = np.array([root_of(parent, i) for i in range(n)])
    return labels, sorted({int(label) for label in labels})


#numptx export least_tree(int, (float,int,int) list)
# run: least_tree(4, [(3.0, 0, 1), (1.0, 1, 2), (2.0, 0, 2), (1.0, 2, 3)])
# run: least_tree(1, [])
# run: least_tree(3, [(-1.0, 0, 1), (-1.0, 0, 1)])
def least_tree(n, edges):
    group = {v: v for v in range(n)}
    chosen = []
    total = 0.0
    for weight, a, b in sorted(edges):
        if group[a] != group[b]:
            old, new = group[b], group[a]
            for v in group:
                if group[v] == old:
                    group[v] = new
            chosen.append((a, b))
            total += weight
    if len(set(group.values())) > 1:
        return total, chosen, "forest"
    return total, chosen, "tree"


#numptx export tree_of_points(float64[:,:])
# run: tree_of_points(array([[0.0, 0.0], [3.0, 4.0], [0.0, 1.0]]))
# run: tree_of_points(array([[1.0, 2.0]]))
# run: tree_of_points(zeros((3, 2)))
def tree_of_points(points):
    n = points.shape[0]
    inside = [0]
    outside = list(range(1, n))
    edges = []
    while outside:
        pairs = [(i, j) for i in inside for j in outside]
        lengths = [float(np.sqrt(np.sum((points[i] - points[j]) ** 2))) for i, j in pairs]
        k = lengths.index(min(lengths))
        i, j = pairs[k]
        edges.append((i, j, lengths[k]))
        inside.append(j)
        outside.remove(j)
    total = 0.0
    for edge in edges:
        total += edge[2]
    return edges, total
