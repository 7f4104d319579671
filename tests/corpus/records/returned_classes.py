"""What is returned is of the class that Python gives: tuples, deques, counters, dictionaries with defaults, and instances in lists."""

from collections import Counter, defaultdict, deque
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


class Peak(NamedTuple):
    position: int
    height: float


@dataclass(frozen=True)
class Span:
    first: int
    last: int


#numptx export squares(int list)
# run: squares([3, -1, 2])
# run: squares([])
def squares(xs):
    return tuple(x * x for x in xs)


#numptx export last_three(float64 list)
# run: last_three([1.0, 2.0, nan, -0.0])
# run: last_three([])
def last_three(xs):
    return deque(xs, maxlen=3)


#numptx export rotated(int list, int)
# run: rotated([1, 2, 3], 1)
# run: rotated([], 2)
def rotated(xs, by):
    q = deque(xs)
    q.rotate(by)
    return q, len(q)


#numptx export letters(str)
# run: letters('hello')
# run: letters('')
def letters(text):
    return Counter(text)


#numptx export by_length(str list)
# run: by_length(['a', 'bb', 'c'])
# run: by_length([])
def by_length(words):
    groups = defaultdict(list)
    for word in words:
        groups[len(word)].append(word)
    return groups


#numptx export totals(str list, float64 list)
# run: totals(['a', 'b', 'a'], [0.5, inf, 2.0])
# run: totals([], [])
def totals(names, values):
    sums = defaultdict(float)
    for name, value in zip(names, values):
        sums[name] += value
    return sums


#numptx export nested(int list)
# run: nested([1, 2, 3])
# run: nested([])
def nested(xs):
    rows = [tuple(range(x)) for x in xs]
    recent = {x: deque([x, x + 1], 2) for x in xs}
    return rows, recent


#numptx export peaks(float64[:])
# run: peaks(array([0.0, 2.0, 1.0, 3.0, 0.0]))
# run: peaks(array([]))
# run: peaks(array([1.0, 5.0, 4.0, nan, 2.0])[::-1])
def peaks(x):
    found = []
    for i in range(1, len(x) - 1):
        if x[i - 1] < x[i] > x[i + 1]:
            found.append(Peak(i, x[i]))
    return found


#numptx export spans(int list)
# run: spans([1, 2, 3, 7, 8, 10])
# run: spans([])
def spans(xs):
    found = []
    if xs:
        first = last = xs[0]
        for x in xs[1:]:
            if x != last + 1:
                found.append(Span(first, last))
                first = x
            last = x
        found.append(Span(first, last))
    return found


#numptx export spans_by_parity(int list)
# run: spans_by_parity([1, 2, 4])
# run: spans_by_parity([])
def spans_by_parity(xs):
    groups = {}
    for x in xs:
        groups.setdefault(x % 2 == 0, []).append((x, Span(x, x + 1)))
    return groups


#numptx export chosen(int list, bool)
# run: chosen([1, 2], True)
# run: chosen([1, 2], False)
# run: chosen([], True)
def chosen(xs, whether):
    found = None
    if whether:
        found = tuple(xs)
    return found, Counter(xs)
