"""Loops whose iterations are independent where no element of an array that they only read is negative: knapsacks, paths of states. The least and the
largest element are found before the loop; where one is negative the loop runs in its order."""

import numpy as np


#numptx export knapsack(int64[:], int64[:], int)
# run: knapsack(integers(1, 9, 20, int64), integers(1, 50, 20, int64), 60)
# structure: launches==3
# run: knapsack(integers(0, 9, 20, int64), integers(-5, 50, 20, int64), 60)
# run: knapsack(integers(1, 9, 20, int64), integers(1, 50, 20, int64), 0)
# run: knapsack(integers(1, 99, 40, int64), integers(1, 50, 40, int64), 60)
# run: knapsack(integers(-3, 9, 20, int64), integers(1, 50, 20, int64), 60)
# run: knapsack(integers(-90, -80, 20, int64), integers(1, 50, 20, int64), 60)
# run: knapsack(integers(1, 9, 20, int64), integers(1, 50, 10, int64), 60)
# run: knapsack(integers(1, 9, 0, int64), integers(1, 50, 0, int64), 60)
# run: knapsack(array([3, 2**62, 5]), array([1, 2, 3]), 20)
# run: knapsack(array([3, -2**63, 5]), array([1, 2, 3]), 20)
def knapsack(weights, values, capacity):
    best = np.zeros(capacity + 1, dtype=np.int64)
    for i in range(len(weights)):
        for w in range(capacity, weights[i] - 1, -1):
            best[w] = max(best[w], best[w - weights[i]] + values[i])
    return best


#numptx export knapsack_by_if(int64[:], float64[:], int)
# run: knapsack_by_if(integers(1, 9, 20, int64), random(20), 60)
# structure: launches==3
# run: knapsack_by_if(integers(0, 9, 20, int64), random(20), 60)
# run: knapsack_by_if(integers(-2, 9, 20, int64), random(20), 60)
# run: knapsack_by_if(integers(1, 9, 20, int64), random(19), 60)
def knapsack_by_if(weights, values, capacity):
    best = np.zeros(capacity + 1)
    for i in range(len(weights)):
        for w in range(capacity, -1, -1):
            if w >= weights[i]:
                t = best[w - weights[i]] + values[i]
                if t > best[w]:
                    best[w] = t
    return best


#numptx export knapsack_in_place(int64[:], float64[:], float64[:])
# run: knapsack_in_place(integers(0, 9, 20, int64), random(20), zeros(60))
# structure: launches==2
# run: knapsack_in_place(integers(-9, 9, 20, int64), random(20), zeros(60))
# run: knapsack_in_place(integers(0, 9, 20, int64), random(15), zeros(60))
# run: knapsack_in_place(integers(0, 9, 20, int64), random(20), zeros(0))
# run: knapsack_in_place(integers(0, 9, 20, int64)[::-2], random(20), zeros(120)[::2])
def knapsack_in_place(weights, values, best):
    for i in range(len(weights)):
        c = weights[i]
        for w in range(len(best) - 1, c - 1, -1):
            best[w] = max(best[w], best[w - c] + values[i])


#numptx export knapsack_table(int64[:], int64[:], int)
# run: knapsack_table(integers(1, 9, 20, int64), integers(1, 50, 20, int64), 60)
# structure: launches==3
# run: knapsack_table(integers(0, 9, 20, int64), integers(1, 50, 20, int64), 60)
# run: knapsack_table(integers(-4, 9, 20, int64), integers(1, 50, 20, int64), 60)
# run: knapsack_table(integers(-4, 9, 0, int64), integers(1, 50, 0, int64), 60)
def knapsack_table(weights, values, capacity):
    n = len(weights)
    best = np.zeros((n + 1, capacity + 1), dtype=np.int64)
    for i in range(1, n + 1):
        for w in range(capacity + 1):
            if weights[i - 1] <= w:
                best[i, w] = max(best[i - 1, w], best[i - 1, w - weights[i - 1]] + values[i - 1])
            else:
                best[i, w] = best[i - 1, w]
    return best


#numptx export path_scores(float64[:,:], float64[:,:], int64[:])
# run: path_scores(random((5, 5)), random((5, 4)), integers(0, 4, 12, int64))
# structure: launches==4
# run: path_scores(random((40, 40)), random((40, 4)), integers(0, 4, 30, int64))
# run: path_scores(random((5, 5)), random((5, 4)), integers(-4, 4, 12, int64))
# run: path_scores(random((5, 5)), random((5, 4)), integers(0, 6, 12, int64))
# run: path_scores(random((1, 1)), random((1, 4)), integers(0, 4, 3, int64))
def path_scores(transitions, emissions, seen):
    n = transitions.shape[0]
    score = np.zeros((len(seen), n))
    back = np.zeros((len(seen), n), dtype=np.int64)
    for t in range(1, len(seen)):
        for s in range(n):
            best = -1e300
            which = 0
            for q in range(n):
                v = score[t - 1, q] + transitions[q, s]
                if v > best:
                    best = v
                    which = q
            score[t, s] = best + emissions[s, seen[t]]
            back[t, s] = which
    return score, back


#numptx export written_too(int64[:], float64[:])
# run: written_too(integers(0, 9, 30, int64), random(40))
# run: written_too(integers(0, 90, 30, int64), random(40))
def written_too(steps, x):
    """The array that decides is written: nothing is known of its elements."""
    for i in range(len(steps)):
        for w in range(len(x) - 1, steps[i] - 1, -1):
            x[w] = x[w] + x[w - steps[i]] * 0.25
        if i + 1 < len(steps):
            steps[i + 1] = steps[i + 1] - 3


#numptx export wrapping(int64[:], int64[:])
# run: wrapping(array([5, 2**63 - 1, 7]), zeros(20, int64))
# run: wrapping(array([5, 3, 7]), zeros(20, int64))
def wrapping(a, y):
    """NumPy's ints wrap."""
    for i in range(len(a)):
        for w in range(len(y) - 1, 0, -1):
            if a[i] + w >= 0:
                y[w] += y[w - 1] + a[i] + w


#numptx export by_parameter(float64[:], int)
# run: by_parameter(random(50), 3)
# run: by_parameter(random(50), 0)
# run: by_parameter(random(50), -3)
# run: by_parameter(random(50), 60)
def by_parameter(best, c):
    for w in range(len(best) - 1, c - 1, -1):
        best[w] = max(best[w], best[w - c] * 1.5)
