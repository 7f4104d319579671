"""Tuples of a length that only the run time knows as keys of dictionaries and members of sets."""

from collections import Counter, defaultdict

import numpy as np


#numptx export different_rows(int64[:,:])
# run: different_rows(array([[1, 2], [3, 4], [1, 2]]))
# run: different_rows(zeros((3, 0), dtype=int64))
def different_rows(x):
    seen = set()
    for row in x:
        seen.add(tuple(row))
    return len(seen), tuple(x[0]) in seen, tuple(x[0] + 1) in seen


#numptx export first_places(int64[:,:])
# run: first_places(array([[1, 2], [3, 4], [1, 2]]))
def first_places(x):
    places = {}
    for k, row in enumerate(x.tolist()):
        places.setdefault(tuple(row), k)
    return places, sorted(places), places.get(tuple([3, 4]), -1)


#numptx export counted(float64[:,:])
# run: counted(array([[0.0, 2.0], [-0.0, 2.0], [nan, 1.0], [nan, 1.0]]))
def counted(x):
    counts = {}
    for row in x:
        key = tuple(row)
        counts[key] = counts.get(key, 0) + 1
    return list(counts.values())


#numptx export grouped(str list)
# run: grouped(["listen", "silent", "enlist", "google"])
# run: grouped([])
def grouped(words):
    groups = defaultdict(list)
    for word in words:
        groups[tuple(sorted(word))].append(word)
    return list(groups.values()), Counter(tuple(sorted(word)) for word in words).most_common(1)


#numptx export partitions(int)
# run: partitions(4)
# run: partitions(7)
def partitions(n):
    found = {(1,)}
    for _ in range(n - 1):
        larger = set()
        for partition in found:
            parts = list(partition)
            larger.add(tuple(parts + [1]))
            for k in range(len(parts)):
                if k == 0 or parts[k - 1] > parts[k]:
                    more = parts.copy()
                    more[k] += 1
                    larger.add(tuple(more))
        found = larger
    return sorted(found), len(found)


#numptx export in_order(int64[:,:])
# run: in_order(array([[9, 1], [3, 4], [5, 6], [17, 2], [3, 4]]))
def in_order(x):
    return list(set([tuple(row.tolist()) for row in x])), set([tuple(row.tolist()) for row in x])


#numptx export missing(int list)
# run: missing([1, 2])
# run: missing([1])
# run: missing([])
def missing(xs):
    table = {(1, 2): 0.5}
    table[tuple(xs + [7])] = 1.0
    return table[tuple(xs)]


#numptx export nested(int, int)
# run: nested(2, 3)
def nested(n, m):
    visited = {}
    for i in range(n):
        state = tuple([k * i for k in range(m)])
        visited[i, state] = visited.get((i - 1, state), 0) + 1
        visited[0, state] = i
    return visited


#numptx export written(int list)
# run: written([1, 2])
# run: written([1])
def written(xs):
    table = {tuple(xs): 1}
    table.pop(tuple(xs))
    table[tuple(xs + [0])] = 2
    del table[tuple(xs + [0])]
    a, b = set([tuple(xs)]), set([tuple(xs[::-1])])
    return len(table), a | b, a & b, a - b, a == b, np.array(sorted(a | b))


#numptx export of_one(int, int list)
# run: of_one(3, [1, 2])
# run: of_one(1, [3])
def of_one(n, xs):
    table = {(n,): 1}
    table[(n + 1,)] = 2
    table[tuple(xs)] = 4
    return table, table[n,], table[(n + 1,)], {n: 5}.get(n)


#numptx export arrays(float64[:,:], int)
# run: arrays(arange(6.0).reshape(2, 3), 1)
def arrays(x, n):
    x[n,] += 1.0
    x[(0,)] = 7.0
    return x[(n,)], x[n,], x[:,], x[[1, 0],], x[x[:, 0] > 2.0,]
