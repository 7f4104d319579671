"""Lists, dictionaries and sets of the caller that functions change."""

import numpy as np


#numptx export doubled(float list, float)
# run: doubled([1.0, -2.0, 3.5], 2.0)
# run: doubled([], 2.0)
# run: doubled([1, 2, -0.0, float("nan")], 0.0)
def doubled(xs, factor):
    for i in range(len(xs)):
        xs[i] *= factor
    return len(xs)


#numptx export collected(int list, int64[:])
# run: collected([7], array([1, 5, 2, 9]))
# run: collected([], array([], dtype=int64))
# run: collected([3, 3, 3], array([-1, -1]))
def collected(found, x):
    for v in x:
        if v > 1:
            found.append(int(v))
    return found


#numptx export queue_served(int list, int)
# run: queue_served([5, 4, 3, 2], 2)
# run: queue_served([1], 1)
# run: queue_served([1], 2)
def queue_served(queue, n):
    served = []
    for _ in range(n):
        served.append(queue.pop(0))
    queue.insert(0, -1)
    return served


#numptx export put_in_order((float, str) list)
# run: put_in_order([(2.0, "b"), (1.0, "z"), (1.0, "a")])
# run: put_in_order([])
# run: put_in_order([(0.0, ""), (-0.0, "é")])
def put_in_order(pairs):
    pairs.sort()
    pairs.reverse()


#numptx export tallied(str:int dict, str list)
# run: tallied({"b": 1}, ["a", "b", "a"])
# run: tallied({}, [])
# run: tallied({"z": 3, "a": -1}, ["z", "z"])
def tallied(counts, words):
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    if "z" in counts:
        del counts["z"]
        counts["last"] = 0


#numptx export reached(int set, int:int list dict, int)
# run: reached({9}, {0: [1, 2], 1: [3], 2: [3], 3: []}, 0)
# run: reached(set(), {5: []}, 5)
# run: reached({0}, {0: [1]}, 0)
def reached(seen, edges, start):
    stack = [start]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        stack.extend(edges[node])
    seen.discard(9)


#numptx export rows_filled(float list list, float)
# run: rows_filled([[1.0, 2.0], [], [3.0]], 0.5)
# run: rows_filled([], 0.5)
# run: rows_filled([[0.0]] * 3, 1.0)
def rows_filled(rows, value):
    for row in rows:
        row.append(value)
    rows.append([value])
    return rows[0], rows


#numptx export moved_between(int list, int list)
# run: moved_between([1, 2, 3], [4])
# run: moved_between([], [4])
# run: moved_between([2, 2], [])
def moved_between(source, target):
    while source:
        target.append(source.pop())
    target.append(len(source))
    return target


#numptx export twice_the_same(int list)
# run: twice_the_same([1, 2])
# run: twice_the_same([])
# run: twice_the_same([0])
def twice_the_same(xs):
    ys = xs
    ys.append(5)
    return xs, ys, [xs, ys]


#numptx export raises_half_way(float list, float list)
# run: raises_half_way([1.0, 2.0], [1.0, 0.0, 3.0])
# run: raises_half_way([], [])
# run: raises_half_way([0.5], [2.0])
def raises_half_way(out, xs):
    for x in xs:
        out.append(1.0 / x)
    return out


#numptx export grouped(str:int list dict, (str, int) list)
# run: grouped({}, [("a", 1), ("b", 2), ("a", 3)])
# run: grouped({"b": [0]}, [("a", 1), ("b", 2)])
# run: grouped({}, [])
def grouped(groups, pairs):
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return len(groups)


#numptx export arrays_kept(float64[:] list, float64[:])
# run: arrays_kept([array([1.0, 2.0])], array([3.0, 4.0, 5.0]))
# run: arrays_kept([], array([]))
# run: arrays_kept([array([0.0]), array([1.0])], array([2.0]))
def arrays_kept(kept, x):
    kept.append(x)
    kept.append(x[::-1])
    kept.append(x * 2.0)
    return len(kept)


#numptx export arrays_of_a_list(float64[:] list, float64[:])
# run: arrays_of_a_list([array([1.0, 2.0]), array([0.0])], array([3.0, 4.0, 5.0]))
# run: arrays_of_a_list([array([5.0])], array([2.0]))
# run: arrays_of_a_list([], array([2.0]))
def arrays_of_a_list(kept, x):
    kept.append(x)
    return kept[0], kept[0][1:], kept[-2], kept[::-1]


#numptx export swapped_members(int list list)
# run: swapped_members([[1], [2, 3]])
# run: swapped_members([[], []])
# run: swapped_members([[1]])
def swapped_members(rows):
    rows[0], rows[-1] = rows[-1], rows[0]
    rows[0].append(9)


#numptx export unchanged(float list, int list list)
# run: unchanged([1.0], [[1], [2]])
# run: unchanged([2.0, 3.0], [[]])
# run: unchanged([0.0], [])
def unchanged(xs, rows):
    return xs, rows, rows[:1], sum(xs)


#numptx export sliced_away(int list)
# run: sliced_away([1, 2, 3, 4, 5, 6])
# run: sliced_away([])
# run: sliced_away([1])
def sliced_away(xs):
    xs[1:3] = [10, 20, 30]
    del xs[::2]
    xs += [7]
    xs *= 2


#numptx export cleared(int set, str:float dict, int list)
# run: cleared({1, 2}, {"a": 1.0}, [1])
# run: cleared(set(), {}, [])
# run: cleared({-1}, {"": 0.0}, [0, 0])
def cleared(members, table, xs):
    members.clear()
    table.clear()
    xs.clear()
    members.update(xs)
    table["new"] = 1.0


#numptx export sieved(bool list)
# run: sieved([True] * 20)
# run: sieved([False])
# run: sieved([True, True])
def sieved(is_prime):
    for i in range(min(2, len(is_prime))):
        is_prime[i] = False
    for i in range(2, len(is_prime)):
        if is_prime[i]:
            for j in range(i * i, len(is_prime), i):
                is_prime[j] = False
    return np.array(is_prime)
