"""Clusters of points that lie close together, and points that belong to none."""

import numpy as np


def near(points, i, eps):
    d = np.sqrt(np.sum((points - points[i]) ** 2, axis=1))
    return [j for j in range(len(points)) if d[j] <= eps]


#numptx export labels(float64[:,:], float, int)
# run: labels(array([[0.0, 0.0], [0.1, 0.0], [0.0, 0.1], [5.0, 5.0], [5.1, 5.0], [9.0, 9.0]]), 0.3, 2)
# run: labels(zeros((0, 2)), 1.0, 2)
# run: labels(zeros((1, 3)), 1.0, 1)
# run: labels(array([[0.0], [nan], [0.1]]), 1.0, 2)
def labels(points, eps, least):
    label = np.full(len(points), -1)
    visited = [False] * len(points)
    cluster = 0
    for i in range(len(points)):
        if visited[i]:
            continue
        visited[i] = True
        seeds = near(points, i, eps)
        if len(seeds) < least:
            continue
        label[i] = cluster
        while seeds:
            j = seeds.pop()
            if label[j] == -1:
                label[j] = cluster
            if visited[j]:
                continue
            visited[j] = True
            more = near(points, j, eps)
            if len(more) >= least:
                seeds += more
        cluster += 1
    sizes = {c: int(np.sum(label == c)) for c in range(cluster)}
    return label, sizes


#numptx export neighbours_in_cells(float64[:,:], float)
# run: neighbours_in_cells(array([[0.1, 0.1], [0.2, 0.9], [1.5, 0.2], [3.9, 3.9]]), 1.0)
# run: neighbours_in_cells(zeros((0, 2)), 1.0)
# run: neighbours_in_cells(array([[-0.5, -0.5], [0.5, 0.5]]), 2.0)
def neighbours_in_cells(points, size):
    cells = {}
    for i, (x, y) in enumerate(points):
        cells.setdefault((int(x // size), int(y // size)), []).append(i)
    pairs = []
    for (a, b), members in cells.items():
        for da in (-1, 0, 1):
            for db in (-1, 0, 1):
                for j in cells.get((a + da, b + db), []):
                    for i in members:
                        if i < j and np.hypot(points[i, 0] - points[j, 0], points[i, 1] - points[j, 1]) < size:
                            pairs.append((i, j))
    return sorted(pairs), {cell: len(members) for cell, members in cells.items()}


#numptx export islands(bool[:,:])
# run: islands(array([[True, True, False], [False, False, True], [True, False, True]]))
# run: islands(zeros((2, 2), dtype=bool))
# run: islands(ones((1, 1), dtype=bool))
def islands(mask):
    todo = {(i, j) for i in range(mask.shape[0]) for j in range(mask.shape[1]) if mask[i, j]}
    sizes = []
    while todo:
        stack = [min(todo)]
        todo.remove(stack[0])
        size = 0
        while stack:
            i, j = stack.pop()
            size += 1
            for cell in ((i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)):
                if cell in todo:
                    todo.discard(cell)
                    stack.append(cell)
        sizes.append(size)
    return sizes
