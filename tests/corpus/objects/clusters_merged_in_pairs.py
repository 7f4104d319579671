"""Clusters of points: the two nearest are merged until few are left; values on a line in groups without gaps."""

import numpy as np


def gap(a, b, points):
    return min([float(np.sum((points[i] - points[j]) ** 2)) for i in a for j in b])


#numptx export merged(float64[:,:], int)
# run: merged(array([[0.0, 0.0], [0.1, 0.0], [5.0, 5.0], [5.0, 5.1], [9.0, 0.0]]), 3)
# run: merged(zeros((1, 2)), 1)
# run: merged(zeros((0, 2)), 2)
# run: merged(ones((4, 1)), 1)
def merged(points, n_clusters):
    clusters = [[i] for i in range(len(points))]
    heights = []
    while len(clusters) > n_clusters:
        best = (float("inf"), -1, -1)
        for a in range(len(clusters)):
            for b in range(a + 1, len(clusters)):
                candidate = gap(clusters[a], clusters[b], points)
                if candidate < best[0]:
                    best = (candidate, a, b)
        height, a, b = best
        heights.append(height)
        clusters[a].extend(clusters[b])
        del clusters[b]
    return [sorted(c) for c in clusters], heights


#numptx export groups_on_a_line(float64[:], float)
# run: groups_on_a_line(array([9.0, 1.0, 5.2, 1.1, 5.0]), 0.5)
# run: groups_on_a_line(array([]), 0.5)
# run: groups_on_a_line(array([2.0, 2.0, -inf]), 0.0)
def groups_on_a_line(x, eps):
    groups = []
    for v in sorted(x):
        if groups and v - groups[-1][-1] <= eps:
            groups[-1].append(v)
        else:
            groups.append([v])
    return groups, [len(g) for g in groups], [sum(g) / len(g) for g in groups]


#numptx export average_linkage(float64[:,:])
# run: average_linkage(array([[0.0, 1.0, 4.0], [1.0, 0.0, 5.0], [4.0, 5.0, 0.0]]))
# run: average_linkage(zeros((1, 1)))
# run: average_linkage(full((2, 2), nan))
def average_linkage(distances):
    members = {}
    for i in range(len(distances)):
        members[i] = [i]
    steps = []
    label = len(distances)
    while len(members) > 1:
        keys = sorted(members)
        candidates = []
        for x, a in enumerate(keys):
            for b in keys[x + 1 :]:
                total = 0.0
                for i in members[a]:
                    for j in members[b]:
                        total += float(distances[i, j])
                candidates.append((total / (len(members[a]) * len(members[b])), a, b))
        height, a, b = min(candidates, key=lambda c: c[0])
        both = members[a] + members[b]
        del members[a], members[b]
        members[label] = both
        steps.append((a, b, height, len(members[label])))
        label += 1
    return steps
