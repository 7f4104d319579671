"""Forms that programs with lists, dictionaries and strings usually have."""

import numpy as np


#numptx export as_lists(float64[:], int32[:,:], bool[:])
# run: as_lists(arange(3.0), arange(4, dtype=int32).reshape(2, 2), array([True, False]))
# run: as_lists(array([]), zeros((0, 2), dtype=int32), array([], dtype=bool))
# run: as_lists(arange(4.0)[::-2], arange(6, dtype=int32).reshape(2, 3).T, array([True]))
def as_lists(x, table, flags):
    return x.tolist(), table.tolist(), flags.tolist(), sorted(x.tolist(), reverse=True), len(set(table.ravel().tolist()))


#numptx export best_keys(str:int dict)
# run: best_keys({"a": 1, "b": 3, "c": 3})
# run: best_keys({})
# run: best_keys({"x": -1})
def best_keys(d):
    ordered = sorted(d, key=d.get), sorted(d.keys(), key=d.get, reverse=True)
    return ordered, max(d, key=d.get), min(d, key=d.get)


#numptx export from_keys(str list)
# run: from_keys(["b", "a", "b"])
# run: from_keys([])
# run: from_keys([""])
def from_keys(names):
    counts = dict.fromkeys(names, 0)
    shared = dict.fromkeys(names, [1])
    for name in names:
        counts[name] += 1
        shared[name].append(2)
    return counts, shared, list(dict.fromkeys(names))


#numptx export by_functions(str list, int list)
# run: by_functions(["b", "A", "cc"], [-3, 2, 1])
# run: by_functions([], [])
# run: by_functions(["É", "é"], [0])
def by_functions(words, numbers):
    return sorted(words, key=str.lower), sorted(words, key=len), sorted(numbers, key=abs), list(map(str.upper, words))


#numptx export chosen(int)
# run: chosen(0)
# run: chosen(1)
# run: chosen(-5)
def chosen(n):
    xs = [1, 2] if n else []
    ys = [n] if n < 0 else xs
    return xs, len(ys)


#numptx export taken_apart(int list)
# run: taken_apart([1, 2, 3, 4])
# run: taken_apart([1, 2])
# run: taken_apart([1])
def taken_apart(xs):
    first, *rest = xs
    *before, last = xs
    a, *middle, b = xs
    middle.append(9)
    return first, rest, before, last, a, middle, b


#numptx export columns((int, float) list)
# run: columns([(1, 2.0), (3, 4.0)])
# run: columns([(0, -1.0)])
# run: columns([])
def columns(pairs):
    a, b = zip(*pairs)
    return list(a), sum(b), len(a), a[0], max(b)


#numptx export turned(int list list)
# run: turned([[1, 2, 3], [4, 5, 6]])
# run: turned([])
# run: turned([[1, 2], [3]])
def turned(rows):
    return [list(column) for column in zip(*rows)], [sum(column) for column in zip(*rows)]


#numptx export tuples(int list)
# run: tuples([1, 2])
# run: tuples([])
# run: tuples([3, 3, 3])
def tuples(xs):
    t = tuple(xs)
    u = tuple(x + 1 for x in xs)
    return list(t), t == (1, 2), t < u, 3 in t, t.count(3), list(t[1:]), len(set(u)), isinstance(t, tuple), t == xs


#numptx export extended(int list)
# run: extended([1])
# run: extended([])
# run: extended([5, 6])
def extended(xs):
    ys = [0]
    ys.extend(2 * x for x in xs)
    ys.extend(x for x in range(2) if x)
    return ys


#numptx export widths(float, int, str)
# run: widths(3.14159, 8, "<")
# run: widths(-1.0, 0, ">")
# run: widths(float("inf"), 12, "^")
def widths(x, n, how):
    return f"{x:{n}.2f}|{n:{how}{n}d}|{x!r:>{n}}|{format(x, how + str(n))}"


#numptx export largest_rectangle(float64[:])
# run: largest_rectangle(array([2.0, 1.0, 5.0, 6.0, 2.0, 3.0]))
# run: largest_rectangle(array([]))
# run: largest_rectangle(array([1.0, 1.0]))
def largest_rectangle(heights):
    stack = []
    best = 0.0
    for i in range(len(heights)):
        height = float(heights[i])
        start = i
        while stack and stack[-1][1] > height:
            start, tall = stack.pop()
            best = max(best, tall * (i - start))
        stack.append((start, height))
    for start, tall in stack:
        best = max(best, tall * (len(heights) - start))
    return best


#numptx export slices(float64[:], int)
# run: slices(arange(4.0), 1)
# run: slices(array([]), 2)
# run: slices(arange(3.0), -1)
def slices(x, n):
    ys = [2.0 * float(v) for v in x]
    zs = [k * n for k in range(len(x))]
    return ys[1:], ys[:n], ys[::-1], sum(zs[1:]), zs[n:][:1], len(ys[n:]), np.array(ys[1:3])
