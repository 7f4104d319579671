"""Comprehensions and generator expressions: lists where the members are few and known, else loops that fill an array or fold."""

import numpy as np

TABLE = np.array([i * i for i in range(40)])
SMALL = [i + 0.5 for i in range(3)]
PAIRS = [(i, j) for i in range(3) for j in (10, 20) if i != 1]


#numptx export listed(float64[:], float)
# run: listed(arange(3.0), 2.0)
def listed(x, a):
    scaled = [k * x for k in (1.0, a, -0.0)]
    numbers = [k + 1 for k in range(4)]
    grid = [[i * 10 + j for j in range(3)] for i in range(2)]
    kept = [k for k in (1, 2, 3, 4) if k % 2 == 0]
    flat = [i * j for i in range(3) for j in range(i)]
    return scaled, numbers, grid, kept, flat, len(kept), SMALL, PAIRS


#numptx export arrays(float64[:], int)
# run: arrays(arange(4.0), 2)
def arrays(x, n):
    parts = [x[k:] for k in range(3)]
    total = parts[0].sum() + parts[1].sum() + parts[-1].sum()
    parts[0][1] = 100.0
    return parts, total, np.concatenate([p * n for p in parts]), np.stack([x + k for k in range(2)])


#numptx export unpacks(float64[:], float64[:])
# run: unpacks(arange(3.0), ones(3))
def unpacks(x, y):
    a, b = [v + w for v, w in ((x, y), (y, x))]
    return a, b, [n * v.sum() for n, v in enumerate([x, y], 1)]


#numptx export filled(int)
# run: filled(1)
# run: filled(7)
# run: filled(50)
def filled(n):
    return np.array([i * 0.5 for i in range(n)]), np.array([i * i for i in range(n)], dtype=np.int32)


#numptx export empties(int)
# run: empties(0)
# run: empties(-3)
# run: empties(2)
def empties(n):
    return (
        np.array([i * 0.5 for i in range(n)]),
        np.array([i for i in range(n)], dtype=np.int64),
        np.array([i > 1 for i in range(n)], dtype=bool),
    )


#numptx export filtered(int64[:], int)
# run: filtered(arange(10), 3)
# run: filtered(arange(10)[::-1], 1)
# run: filtered(array([7, 7, 8]), 7)
def filtered(x, k):
    return np.array([v * 2 for v in x if v % k == 0 if v > 0], dtype=np.int64)


#numptx export grid(int, int)
# run: grid(3, 4)
# run: grid(1, 1)
# run: grid(40, 2)
def grid(n, m):
    return np.array([[i * 10.0 + j for j in range(m)] for i in range(n)])


#numptx export rows(float64[:,:])
# run: rows(random((3, 4)))
# run: rows(random((40, 2)).T)
# run: rows(random((1, 3))[:, ::-1])
def rows(x):
    return np.array([2.0 * row + i for i, row in enumerate(x)])


#numptx export of_tuples(float64[:])
# run: of_tuples(arange(5.0))
# run: of_tuples(array([nan]))
def of_tuples(x):
    return np.array([(v, 2.0 * v, 1.0) for v in x])


#numptx export of_scalars(float32[:], int8[:])
# run: of_scalars(arange(5, dtype=float32), arange(5, dtype=int8))
# run: of_scalars(array([0.1, -0.0, inf], dtype=float32)[::-1], array([127, -128, 0], dtype=int8))
def of_scalars(x, y):
    return np.array([v * 2 for v in x]), np.array([v + 1 for v in y]), np.array([v > 0 for v in x])


#numptx export raising(int8[:], int)
# run: raising(arange(40, dtype=int8), 3)
# run: raising(arange(40, dtype=int8), 0)
# run: raising(arange(40, dtype=int8), 500)
def raising(x, k):
    return np.array([100 // k + i for i in range(len(x))], dtype=np.int8)


#numptx export sums(float64[:], int)
# run: sums(random(5), 4)
# run: sums(array([0.75]), 1)
# run: sums(array([inf, nan, 1.0]), 3)
def sums(x, n):
    return (
        sum(v * v for v in x),
        sum(i for i in range(n)),
        sum(i * j for i in range(n) for j in range(i)),
        sum(v for v in x if v > 0.5),
        sum([1.5 * i for i in range(n)]),
        sum(i > 1 for i in range(n)),
        sum((i for i in range(n)), 10) if False else sum(k for k in (1, 2, 3)),
    )


#numptx export extremes(int64[:], float)
# run: extremes(array([3, -1, 7]), 2.0)
# run: extremes(array([5]), -2.0)
# run: extremes(array([], dtype=int64), 1.0)
def extremes(x, a):
    return (
        max(v * 2 for v in x),
        min(v - 1 for v in x),
        max(a * i for i in range(len(x))),
        min((3, 1, 2)),
        max(k for k in (1, 5, 2)),
    )


#numptx export nans(float64[:])
# run: nans(array([nan, 1.0, 2.0]))
# run: nans(array([1.0, nan, 2.0]))
# run: nans(array([2.0, 1.0, nan]))
def nans(x):
    return max(v for v in x), min(v for v in x)


#numptx export quantified(float64[:], int)
# run: quantified(array([1.0, 2.0, 0.0]), 3)
# run: quantified(array([1.0, 2.0]), 5)
# run: quantified(array([]), 0)
# run: quantified(array([0.0, nan]), 1)
def quantified(x, n):
    return (
        any(v == 0.0 for v in x),
        all(v > 0.0 for v in x),
        any(10 // (i - 2) < 0 for i in range(n)),
        all([v > 0.5 for v in x]),
        any(v > 0 for row in (x, x) for v in row),
    )


#numptx export stops_early(int64[:])
# run: stops_early(array([3, 0, 5]))
# run: stops_early(array([3, 1]))
# run: stops_early(array([3, 12]))
def stops_early(x):
    return any(x[len(x) + v - 4] > 4 for v in x)


#numptx export lists_at_run_time(int)
# run: lists_at_run_time(40)
# run: lists_at_run_time(2)
# run: lists_at_run_time(3)
def lists_at_run_time(n):
    values = [i * i for i in range(n)]
    halves = [0.5 * v for v in values]
    total = 0
    for v in values:
        total += v
    return (
        len(values), values[0], values[-1], total, sum(values), max(halves), min(values), halves[n // 2],
        np.array(values), np.array(halves), any([v > 3 for v in values]),
    )


#numptx export out_of_range(int, int)
# run: out_of_range(3, 2)
# run: out_of_range(3, 3)
# run: out_of_range(3, -3)
# run: out_of_range(3, -4)
def out_of_range(n, i):
    values = [2.0 * k for k in range(n)]
    return values[i]


#numptx export nested_lists(int, int)
# run: nested_lists(3, 40)
# run: nested_lists(40, 3)
def nested_lists(n, m):
    table = [[i * j for j in range(m)] for i in range(n)]
    return table[1][2], len(table), len(table[0]), sum(table[2]), np.array(table)


#numptx export in_functions(float64[:], int)
# run: in_functions(random(6), 3)
# run: in_functions(random((6, 2))[:, 0], 1)
def in_functions(x, n):
    return np.sum([v * n for v in x]), np.max([x[i] for i in range(n)]), np.stack([x * i for i in range(n)]).sum()


#numptx export tuples(float64[:])
# run: tuples(arange(3.0))
def tuples(x):
    return tuple(k * x for k in range(2)), list(k * 2 for k in (1, 2)), tuple([k for k in range(3)])


#numptx export scope(int)
# run: scope(4)
def scope(i):
    values = [i * 10 for i in range(3)]
    other = [j * i for j in range(3)]
    return i, values, other, sum(i for i in range(i)), TABLE[i]


#numptx export rows_as_lists(float64[:,:])
# run: rows_as_lists(random((3, 4)))
# run: rows_as_lists(random((2, 40))[:, ::-3])
def rows_as_lists(x):
    y = np.zeros(x.shape[1])
    y[:] = [2.0 * float(v) for v in x[0]]
    return np.array([[v * 2 for v in row] for row in x]), y


#numptx export bound_anew(int)
# run: bound_anew(2)
# run: bound_anew(5)
# run: bound_anew(40)
def bound_anew(n):
    values = [i for i in range(n)]
    if n > 3:
        values = [2 * i for i in range(n + 1)]
    for _ in range(3):
        values = [v + 1 for v in values]
    return values[0], len(values), sum(values)
