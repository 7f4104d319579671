"""Graphs as lists of edges: neighbours in compressed rows, levels of a breadth-first search, components, and k-cores."""

import numpy as np


def neighbours_of_all(edges, n):
    """Both ends of each edge have the other one; loops and repeated edges count once. Where each row begins, and the rows."""
    both = np.vstack((edges, edges[:, ::-1]))
    both = np.unique(both[both[:, 0] != both[:, 1]], axis=0)
    order = np.lexsort((both[:, 1], both[:, 0]))
    starts = np.searchsorted(both[order, 0], np.arange(n + 1))
    return starts, both[order, 1]


def all_neighbours(starts, rows, nodes):
    """The neighbours of several nodes, each once."""
    lengths = starts[nodes + 1] - starts[nodes]
    offsets = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return np.unique(rows[np.repeat(starts[nodes], lengths) + offsets])


#numptx export levels(int64[:,2], int, int)
# run: levels(integers(0, 20, (25, 2)), 20, 3)
# run: levels(integers(0, 15, (2, 40)).T[::-3], 15, 0)
# run: levels(zeros((0, 2), int64), 3, 1)
# run: levels(array([[0, 0], [1, 1]]), 2, 1)
def levels(edges, n, source):
    """How many edges away each node is, -1 where it cannot be reached, and how many nodes each level has."""
    starts, rows = neighbours_of_all(edges, n)
    level = np.full(n, -1)
    frontier = np.array([source])
    seen = frontier
    depth = 0
    while frontier.size > 0:
        level[frontier] = depth
        frontier = np.setdiff1d(all_neighbours(starts, rows, frontier), seen, assume_unique=True)
        seen = np.union1d(seen, frontier)
        depth += 1
    return level, np.bincount(level[level >= 0], minlength=depth), seen


#numptx export components(int64[:,2], int)
# run: components(integers(0, 30, (20, 2)), 30)
# run: components(integers(0, 12, (9, 2))[::-2, ::-1], 12)
# run: components(zeros((0, 2), int64), 4)
def components(edges, n):
    """Labels go along edges until nothing changes; then components are numbered, and sorted by size."""
    labels = np.arange(n)
    while True:
        lower = labels.copy()
        np.minimum.at(lower, edges[:, 0], labels[edges[:, 1]])
        np.minimum.at(lower, edges[:, 1], labels[edges[:, 0]])
        lower = lower[lower]
        if np.array_equal(lower, labels):
            break
        labels = lower
    _, first, number, sizes = np.unique(labels, return_index=True, return_inverse=True, return_counts=True)
    return number, first[np.lexsort((first, -sizes))], np.sort(sizes)[::-1]


#numptx export core_numbers(int64[:,2], int)
# run: core_numbers(integers(0, 12, (40, 2)), 12)
# run: core_numbers(integers(0, 9, (50, 2))[::-2], 10)
# run: core_numbers(array([[0, 0]]), 1)
def core_numbers(edges, n):
    """The largest k for which a node is in a part where each node has k neighbours."""
    starts, rows = neighbours_of_all(edges, n)
    degrees = np.ediff1d(starts)
    cores = np.zeros(n, dtype=np.int64)
    left = np.ones(n, dtype=bool)
    k = 0
    while left.any():
        weak = np.flatnonzero(left & (degrees <= k))
        if weak.size == 0:
            k += 1
            continue
        cores[weak], left[weak] = k, False
        for node in weak:
            degrees[rows[starts[node] : starts[node + 1]]] -= 1
    return cores, np.bincount(cores)
