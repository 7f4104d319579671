"""Ranks of pages that link to each other: links in lists, ranks in an array."""

import numpy as np


#numptx export ranks(int list list, float, int)
# run: ranks([[1, 2], [2], [0]], 0.85, 20)
# run: ranks([[]], 0.85, 3)
# run: ranks([[0], [0], [0, 1]], 0.0, 1)
# run: ranks([], 0.5, 2)
# run: ranks([[9]], 0.5, 2)
def ranks(links, damping, iterations):
    n = len(links)
    rank = np.ones(n) / max(n, 1)
    for _ in range(iterations):
        new = np.full(n, (1.0 - damping) / max(n, 1))
        lost = 0.0
        for page, targets in enumerate(links):
            if targets:
                share = damping * rank[page] / len(targets)
                for target in targets:
                    new[target] += share
            else:
                lost += damping * rank[page]
        rank = new + lost / max(n, 1)
    order = sorted(range(n), key=lambda page: (-rank[page], page))
    return rank, order


#numptx export degrees((int,int) list)
# run: degrees([(0, 1), (1, 2), (1, 3), (1, 1)])
# run: degrees([])
# run: degrees([(-5, 7), (-5, 7)])
def degrees(edges):
    degree = {}
    for edge in edges:
        for node in edge:
            degree[node] = degree.get(node, 0) + 1
    counts = {}
    for d in degree.values():
        counts[d] = counts.get(d, 0) + 1
    hubs = [node for node, d in degree.items() if d == max(degree.values())]
    return degree, sorted(counts.items()), hubs


#numptx export clustering_coefficient(int64[:,:])
# run: clustering_coefficient(array([[0, 1, 1, 0], [1, 0, 1, 1], [1, 1, 0, 0], [0, 1, 0, 0]]))
# run: clustering_coefficient(zeros((2, 2), dtype=int64))
# run: clustering_coefficient(zeros((0, 0), dtype=int64))
def clustering_coefficient(adjacency):
    n = adjacency.shape[0]
    neighbours = []
    while len(neighbours) < n:
        i = len(neighbours)
        mine = set()
        for j in range(n):
            if adjacency[i, j]:
                mine.add(j)
        neighbours.append(mine)
    result = np.zeros(n)
    for i, mine in enumerate(neighbours):
        k = len(mine)
        if k < 2:
            continue
        links = 0
        for j in mine:
            links += len(mine & neighbours[j])
        result[i] = links / (k * (k - 1))
    return result
