"""Points are given to the nearest of some of them, and each group takes its most central point."""

import numpy as np


#numptx export medoids(float64[:,:], int list, int)
# run: medoids(array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [8.0, 8.0], [8.0, 9.0]]), [0, 1], 10)
# run: medoids(array([[3.0, 4.0]]), [0], 2)
# run: medoids(zeros((3, 2)), [0, 0], 2)
# run: medoids(zeros((3, 2)), [5], 2)
# run: medoids(zeros((3, 2)), [], 2)
def medoids(points, start, iterations):
    chosen = start[:]
    groups = [[0] for _ in chosen]
    for _ in range(iterations):
        for group in groups:
            group.clear()
        for i in range(len(points)):
            costs = [float(np.abs(points[i] - points[m]).sum()) for m in chosen]
            groups[costs.index(min(costs))].append(i)
        new = []
        for m, group in zip(chosen, groups):
            if not group:
                new.append(m)
                continue
            sums = [sum([float(np.abs(points[i] - points[j]).sum()) for j in group]) for i in group]
            new.append(group[sums.index(min(sums))])
        if new == chosen:
            break
        chosen = new
    return chosen, groups


#numptx export vote(float64[:,:], str list, float64[:], int)
# run: vote(array([[0.0], [1.0], [2.0], [10.0]]), ["a", "b", "a", "c"], array([1.4]), 3)
# run: vote(array([[0.0]]), ["ü"], array([7.0]), 5)
# run: vote(zeros((0, 1)), [], array([7.0]), 1)
def vote(points, names, query, k):
    order = sorted(range(len(points)), key=lambda i: np.sum((points[i] - query) ** 2))
    tally = {}
    for i in order[:k]:
        tally[names[i]] = tally.get(names[i], 0) + 1
    return max(tally, key=lambda name: tally[name]), tally
