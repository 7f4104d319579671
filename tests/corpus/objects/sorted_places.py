"""Places in sorted lists, and what itertools makes of lists."""

import bisect
import functools
import itertools
from bisect import bisect_left, insort
from itertools import accumulate, chain, combinations, permutations, product

import numpy as np


#numptx export graded(int list)
# run: graded([33, 99, 77, 70, 89, 90, 100])
# run: graded([])
# run: graded([-1, 60])
def graded(scores):
    limits = [60, 70, 80, 90]
    return ["FDCBA"[bisect.bisect(limits, score)] for score in scores]


#numptx export places(float list, float)
# run: places([1.0, 2.0, 2.0, 3.0], 2.0)
# run: places([], 1.0)
# run: places([1.0], float("nan"))
def places(xs, v):
    ys = sorted(xs)
    return bisect_left(ys, v), bisect.bisect_right(ys, v), bisect.bisect_left(np.array(ys), v)


#numptx export kept_sorted(int list)
# run: kept_sorted([3, 1, 2, 3])
# run: kept_sorted([])
# run: kept_sorted([-1])
def kept_sorted(xs):
    ordered = []
    for x in xs:
        insort(ordered, x)
    bisect.insort_left(ordered, 2)
    return ordered, bisect.bisect_left([(1, 2), (3, 4)], (2, 0)), bisect.bisect_left(ordered, 2, 1)


#numptx export increasing(int list)
# run: increasing([10, 9, 2, 5, 3, 7, 101, 18])
# run: increasing([])
# run: increasing([1, 1])
def increasing(xs):
    tails = []
    for x in xs:
        k = bisect_left(tails, x)
        if k == len(tails):
            tails.append(x)
        else:
            tails[k] = x
    return len(tails)


#numptx export pairs_of(int list)
# run: pairs_of([1, 2, 3])
# run: pairs_of([])
# run: pairs_of([4])
def pairs_of(xs):
    sums = [a * b for a, b in combinations(xs, 2)]
    orders = list(permutations(xs, 2))
    with_same = list(itertools.combinations_with_replacement(xs, 2))
    both = [f"{a}{b}" for a, b in product("ab", xs)]
    return sums, orders, with_same, both, list(product(range(2), repeat=3)), len(list(combinations(xs, 0)))


#numptx export chained(int list, int list)
# run: chained([1, 2], [3])
# run: chained([], [])
# run: chained([5], [])
def chained(xs, ys):
    total = 0
    for v in chain(xs, ys, (7,)):
        total += v
    flat = list(chain.from_iterable([xs, ys]))
    running = list(accumulate(chain(xs, ys)))
    most = list(accumulate(xs, max))
    numbered = [(k, y) for k, y in zip(itertools.count(1), ys)]
    return total, flat, running, most, list(itertools.islice(xs, 1)), numbered, list(itertools.pairwise(flat))


#numptx export folded(int list)
# run: folded([2, 3, 4])
# run: folded([])
# run: folded([5])
def folded(xs):
    return functools.reduce(lambda a, b: a * b, xs, 1), functools.reduce(lambda a, b: a + b, xs)


#numptx export nearest(float64[:,:])
# run: nearest(array([[0.0, 0.0], [3.0, 4.0], [1.0, 0.0]]))
# run: nearest(zeros((1, 2)))
# run: nearest(array([[1.0, 1.0], [1.0, 1.0]]))
def nearest(points):
    best = np.inf
    for i, j in combinations(range(len(points)), 2):
        best = min(best, float(np.sqrt(((points[i] - points[j]) ** 2).sum())))
    return best
