"""Matrices of finite elements: what triangles add to places is collected in a dictionary, then in arrays."""

import numpy as np


#numptx export mass_of_triangles(float64[:,:], int64[:,:])
# run: mass_of_triangles(array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), array([[0, 1, 2], [1, 3, 2]]))
# run: mass_of_triangles(zeros((3, 2)), zeros((0, 3), dtype=int64))
# run: mass_of_triangles(zeros((3, 2)), array([[0, 1, 2]]))
# run: mass_of_triangles(ones((1, 2)), array([[0, 1, 2]]))
def mass_of_triangles(points, triangles):
    entries = {}
    for a, b, c in triangles:
        area = 0.5 * abs((points[b, 0] - points[a, 0]) * (points[c, 1] - points[a, 1]) - (points[c, 0] - points[a, 0]) * (points[b, 1] - points[a, 1]))
        corners = [int(a), int(b), int(c)]
        for i in corners:
            for j in corners:
                weight = 2.0 if i == j else 1.0
                entries[(i, j)] = entries.get((i, j), 0.0) + float(area) * weight / 12.0
    matrix = np.zeros((len(points), len(points)))
    for (i, j), value in entries.items():
        matrix[i, j] = value
    return matrix, len(entries)


#numptx export boundary_edges(int64[:,:])
# run: boundary_edges(array([[0, 1, 2], [1, 3, 2]]))
# run: boundary_edges(zeros((0, 3), dtype=int64))
# run: boundary_edges(array([[0, 1, 2], [0, 1, 2]]))
def boundary_edges(triangles):
    counts = {}
    for t in range(triangles.shape[0]):
        nodes = [int(v) for v in triangles[t]]
        for k in range(3):
            u, v = nodes[k], nodes[(k + 1) % 3]
            edge = (min(u, v), max(u, v))
            counts[edge] = counts.get(edge, 0) + 1
    return [edge for edge in counts if counts[edge] == 1]


#numptx export patches(float64[:,:], int list list)
# run: patches(arange(12.0).reshape(4, 3), [[0, 2], [1], [3, 3]])
# run: patches(arange(12.0).reshape(4, 3), [])
# run: patches(arange(6.0).reshape(2, 3), [[0, 5]])
def patches(values, groups):
    means = []
    for group in groups:
        total = np.zeros(values.shape[1])
        for row in group:
            total += values[row]
        means.append(total / len(group))
    return means
