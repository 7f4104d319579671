"""Lists, sets and texts of `float16`: sorted, searched and compared by value, and written as NumPy writes them."""

import bisect
import heapq
from collections import deque

import numpy as np

# 0 of both signs, subnormal, smallest normal, the largest, infinite.
SPECIAL = [1.0, -1.0, 0.0, -0.0, 6e-8, -6e-8, 6.1e-5, 65504.0, -65504.0, np.inf, -np.inf, 0.1, 2048.0, 1e-4, 1000.0, 0.015625]


def special(n=16):
    return np.array(SPECIAL[:n], np.float16)


def halves(*values):
    return np.array(values, np.float16)


#numptx export in_order(float16[:])
# run: in_order(special())
# run: in_order(special()[::-1])
# run: in_order(halves(-0.0, 0.0, -1.0))
# run: in_order(halves(0.5))
# run: in_order(halves())
# run: in_order((random(100) - 0.5).astype(float16))
def in_order(x):
    xs = list(x)
    xs.sort()
    return sorted(x), sorted(x, reverse=True), str(xs), sorted(set(x)), np.array(xs, dtype=np.float16)


#numptx export rows_in_order(float16[:])
# run: rows_in_order(special())
# run: rows_in_order(halves())
def rows_in_order(x):
    return sorted([list(x), list(x[::-1])]), tuple(x) == tuple(x[::-1]), sorted([(list(x), 1), (list(x[1:]), 0)])


#numptx export extremes(float16[:])
# run: extremes(special())
# run: extremes(halves(-0.0, 0.0))
# run: extremes(halves(0.0, -0.0))
# run: extremes(halves(nan, 1.0, 2.0))
# run: extremes(halves(1.0, nan, 0.5))
# run: extremes(halves(6e-8, -6e-8, 1.2e-7))
# run: extremes(halves(6e-8))
def extremes(x):
    xs = list(x)
    return max(xs), min(xs), np.signbit(max(xs)), np.signbit(min(xs))


#numptx export smallest(float16[:])
# run: smallest(special())
# run: smallest(halves(2.0, -3.0))
# run: smallest(halves())
def smallest(x):
    return heapq.nsmallest(3, x), heapq.nlargest(3, x)


#numptx export places(float16[:], float16)
# run: places(special(), float16(0.1))
# run: places(special(), float16(-0.0))
# run: places(special(), float16(-1))
# run: places(special(), float16(-inf))
# run: places(special(), float16(nan))
# run: places(halves(), float16(1))
def places(x, a):
    xs = sorted(x)
    return bisect.bisect_left(xs, a), bisect.bisect(xs, a), bisect.bisect_left(np.array(xs), a)


#numptx export as_text(float16[:])
# run: as_text(special())
# run: as_text(halves(nan, -0.0, 0.333, 9.996e-05, 999.5, 1000.5, 1e4, -1234.5, 3e-5, 0.0001))
# run: as_text(halves(0.1))
# run: as_text(halves())
def as_text(x):
    return str(list(x)), f"{list(x)}", repr(sorted(x)), "%s" % list(x), "{}".format(deque(x)), [f"{v}" for v in x]


#numptx export every_text(uint16[:])
# run: every_text(arange(0x7c01).astype(uint16))
# run: every_text(arange(0x8000, 0xfc01).astype(uint16))
def every_text(bits):
    return str(list(bits.view(np.float16)))


#numptx export in_message(float16[:])
# run: in_message(special())
# run: in_message(halves())
def in_message(x):
    if len(x) > 0:
        raise ValueError(f"{list(x)}")
    return 0


#numptx export in_sets(float16[:], float16[:])
# run: in_sets(special(), special()[3:])
# run: in_sets(halves(0.0, 1, 2), halves(-0.0, 2))
# run: in_sets(halves(), halves(-0.0, 0.0))
def in_sets(x, y):
    both = set(x) | set(y)
    return both, set(x) & set(y), set(x) - set(y), set(x) <= set(y), len(both), str(set(x)), sorted(set(x) ^ set(y))


#numptx export extremes_of_sets(float16[:])
# run: extremes_of_sets(special())
# run: extremes_of_sets(halves(-0.0))
# run: extremes_of_sets(halves(2, 1, 2))
def extremes_of_sets(x):
    return min(set(x)), max(set(x))


#numptx export as_keys(float16[:])
# run: as_keys(special())
# run: as_keys(halves())
def as_keys(x):
    seen = set()
    seen.add(tuple(x))
    return tuple(-x) in seen, tuple(x + 0) in seen, {tuple(x): 1}, {"a": sorted(x)}


#numptx export printed(float16[:])
# run: printed(special(8))
# run: printed(halves())
def printed(x):
    print(list(x), set(x[:1]))
