"""Records ordered and grouped: keys of several parts, ties, extremes, positions."""

import numpy as np


#numptx export ranked((str,float) list)
# run: ranked([("b", 2.0), ("a", 2.0), ("c", 5.0)])
# run: ranked([])
# run: ranked([("é", -1.0), ("é", -1.0)])
def ranked(records):
    by_score = sorted(records, key=lambda r: (-r[1], r[0]))
    records.sort(key=lambda r: r[1])
    names = [name for name, _ in by_score]
    places = {name: place for place, name in enumerate(names, start=1)}
    return by_score, records, places


#numptx export groups(int64[:], float64[:])
# run: groups(array([1, 2, 1, 2]), array([1.0, 2.0, 3.0, -2.0]))
# run: groups(array([], dtype=int64), array([]))
# run: groups(array([7]), array([nan]))
def groups(key, value):
    members = {}
    for k, v in zip(key, value):
        members.setdefault(int(k), []).append(float(v))
    sums = {k: sum(vs) for k, vs in members.items()}
    spread = {k: max(vs) - min(vs) for k, vs in members.items()}
    return members, sums, spread


#numptx export histogram(int list)
# run: histogram([3, 1, 3, 2, 3])
# run: histogram([])
# run: histogram([-1])
def histogram(values):
    counts = {}
    for v in values:
        if v not in counts:
            counts[v] = 0
        counts[v] += 1
    bars = [f"{v:>3} {'#' * counts[v]}" for v in sorted(counts)]
    mode = max(counts, key=lambda v: counts[v]) if counts else 0
    return counts, bars, mode


#numptx export thresholds(float64[:], float list)
# run: thresholds(array([0.5, 1.5, 2.5, 9.0]), [1.0, 2.0])
# run: thresholds(array([nan]), [0.0])
# run: thresholds(array([1.0]), [])
def thresholds(x, edges):
    bins = [[0.0 for _ in range(0)] for _ in range(len(edges) + 1)]
    for v in x:
        bins[sum([1 if v >= e else 0 for e in edges])].append(float(v))
    return bins, np.array([len(b) for b in bins])


#numptx export merged(float list, float list)
# run: merged([1.0, 4.0], [2.0, 3.0, 5.0])
# run: merged([], [1.0])
# run: merged([float("nan")], [0.0])
def merged(a, b):
    out = []
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            out.append(a[i])
            i += 1
        else:
            out.append(b[j])
            j += 1
    out.extend(a[i:])
    out.extend(b[j:])
    return out


#numptx export extremes(float list)
# run: extremes([3.0, 1.0, 2.0])
# run: extremes([])
# run: extremes([1.0])
def extremes(xs):
    lo, hi = min(xs), max(xs)
    pairs = [(i, x) for i, x in enumerate(xs) if x > lo]
    kinds = {i: "highest" if x == hi else "middle" for i, x in pairs}
    return lo, hi, pairs, kinds
