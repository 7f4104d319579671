"""Lists and dictionaries of arrays, and lists among loops over arrays."""

import numpy as np


#numptx export rows_kept(float64[:,:])
# run: rows_kept(array([[1.0, -2.0], [3.0, 4.0]]))
# run: rows_kept(ones((0, 2)))
def rows_kept(x):
    kept = []
    i = 0
    while i < len(x):
        if x[i].sum() > 0:
            kept.append(x[i] * 2.0)
        i += 1
    total = np.float64(0.0)
    for row in kept:
        row += 1.0
        total += row.sum()
    return kept, total


#numptx export views_kept(float64[:])
# run: views_kept(array([1.0, 2.0, 3.0, 4.0]))
# run: views_kept(array([]))
def views_kept(x):
    views = []
    n = len(x)
    while n > 0:
        views.append(x[:n])
        n //= 2
    for view in views:
        view += 1.0
    return len(views)


#numptx export members(float64[:] list, float64[:])
# run: members([array([1.0, 2.0]), array([3.0, 4.0])], array([1.0, 1.0]))
# run: members([], array([1.0]))
def members(xs, y):
    total = np.float64(0.0)
    for x in xs:
        x *= 2.0
        total += y.sum()
    xs.append(y)
    y[:] = 3.0
    return total


#numptx export named(str:float64[:] dict)
# run: named({"a": array([1.0]), "b": array([2.0, 3.0])})
# run: named({})
def named(table):
    sums = {}
    for name, x in table.items():
        sums[name] = float(x.sum())
    return sums


#numptx export history(float64[:], int)
# run: history(array([1.0, 2.0]), 3)
# run: history(array([]), 0)
def history(x, n):
    states = [x.copy()]
    for _ in range(min(n, 5)):
        x = x * 0.5 + 1.0
        states.append(x)
    return states[-1] + 1.0, len(states), states[0]


#numptx export filled(int list)
# run: filled([1, 0, 2, 1])
# run: filled([])
def filled(xs):
    counts = np.zeros(8)
    for x in xs:
        if 0 <= x < 8:
            counts[x] += 1.0
    return counts, [c for c in counts if c > 0]
