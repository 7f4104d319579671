"""Dictionaries that make what is missing."""

import collections
from collections import defaultdict

import numpy as np


#numptx export grouped_by_length(str list)
# run: grouped_by_length(["a", "bb", "cc", "d"])
# run: grouped_by_length([])
# run: grouped_by_length(["", "", "é"])
def grouped_by_length(words):
    groups = defaultdict(list)
    for word in words:
        groups[len(word)].append(word)
    return dict(groups), len(groups), 2 in groups, sorted(groups), groups.get(9, [])


#numptx export graph_of((int, int) list)
# run: graph_of([(0, 1), (1, 2), (0, 2)])
# run: graph_of([])
# run: graph_of([(5, 5)])
def graph_of(edges):
    neighbours = collections.defaultdict(set)
    degrees = defaultdict(int)
    for a, b in edges:
        neighbours[a].add(b)
        neighbours[b].add(a)
        degrees[a] += 1
        degrees[b] += 1
    return {node: sorted(others) for node, others in neighbours.items()}, dict(degrees), degrees == dict(degrees)


#numptx export summed((str, float) list)
# run: summed([("a", 1.5), ("b", 2.0), ("a", -0.5)])
# run: summed([])
# run: summed([("", float("inf"))])
def summed(entries):
    sums = defaultdict(float)
    least = defaultdict(lambda: float("inf"))
    for name, value in entries:
        sums[name] += value
        least[name] = min(least[name], value)
    missing = sums["missing"]
    return dict(sums), dict(least), missing, "missing" in sums, "missing" in least


#numptx export table_of_pairs(str list)
# run: table_of_pairs(["ab", "ac", "ab"])
# run: table_of_pairs([])
# run: table_of_pairs(["xx"])
def table_of_pairs(words):
    following = defaultdict(lambda: defaultdict(int))
    for word in words:
        following[word[0]][word[1]] += 1
    best = {}
    for first, counts in following.items():
        best[first] = max(counts.values())
    return {first: dict(counts) for first, counts in following.items()}, best


def zeros():
    return np.zeros(2)


#numptx export moments((str, float) list)
# run: moments([("a", 1.0), ("b", 2.0), ("a", 3.0)])
# run: moments([])
# run: moments([("a", -1.0)])
def moments(entries):
    sums = defaultdict(zeros)
    pairs = defaultdict(lambda: [0.0, 0.0])
    for name, value in entries:
        sums[name] += np.array([1.0, value])
        pairs[name][0] += 1.0
        pairs[name][1] += value
    return [(name, both) for name, both in sums.items()], dict(pairs)


#numptx export reached(int)
# run: reached(3)
# run: reached(0)
# run: reached(1)
def reached(n):
    now = defaultdict(lambda: 0)
    now[0] = 1
    for _ in range(n):
        then = defaultdict(lambda: 0)
        for place, ways in now.items():
            then[place + 1] += ways
            then[place - 1] += ways
        now = then
    started = defaultdict(int, {7: n})
    started.update({8: 2})
    popped = started.pop(7)
    return dict(now), dict(started), popped, started.setdefault(9, 4), list(started.keys())


#numptx export grown_meanwhile(int)
# run: grown_meanwhile(1)
# run: grown_meanwhile(0)
# run: grown_meanwhile(2)
def grown_meanwhile(n):
    d = defaultdict(int, {k: k for k in range(n)})
    total = 0
    for key in d:
        total += d[key + 1]
    return total
