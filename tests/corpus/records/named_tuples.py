"""Named tuples: made, read, replaced, compared, taken apart, carried by loops, in tuples and lists, and returned."""

from collections import namedtuple
from typing import NamedTuple

import numpy as np


class Point(NamedTuple):
    """A point in the plane."""

    x: float
    y: float = 0.0

    def norm(self):
        return np.hypot(self.x, self.y)

    @property
    def mirrored(self):
        return Point(self.y, self.x)

    def scaled(self, factor, shift=1.0):
        return self._replace(x=self.x * factor + shift, y=self.y * factor)


Pair = namedtuple("Pair", "first second")
Triple = namedtuple("Triple", ["a", "b", "c"], defaults=(2, 3.0))
Statistics = NamedTuple("Statistics", [("mean", float), ("spread", float), ("parts", "float64[:]")])
ORIGIN = Point(0.0)


#numptx export made(float, float)
# run: made(3.0, 4.0)
# run: made(-0.0, float("inf"))
# run: made(1e-300, float("-inf"))
def made(x, y):
    p = Point(x, y=y)
    return p, p.norm(), p.mirrored, p.scaled(2.0), p.scaled(0.5, shift=x), Point(x), p == Point(x, y), p != ORIGIN


#numptx export as_tuples(float, int)
# run: as_tuples(1.5, 2)
# run: as_tuples(-0.0, 0)
# run: as_tuples(1e300, -1)
def as_tuples(x, n):
    p = Pair(x, n)
    first, second = p
    total = 0.0
    for member in p:
        total += member
    joined = p + (1, *p)
    return p[0], p[-1], p[:1], len(p), first - second, total, joined, p * 2, sum(Point(x, 1.0)), tuple(p), p == (x, n)


#numptx export defaults(int)
# run: defaults(1)
# run: defaults(0)
# run: defaults(-(2**40))
def defaults(n):
    t = Triple(n)
    u = Triple(n, b=n + 1)
    return t, u, Triple(c=0.5, a=n), t < u, t._replace(b=n), Triple._make((n, n, 1.0)), t._fields, max(t, u)


#numptx export statistics(float64[:])
# run: statistics(arange(6.0))
# run: statistics(-ones(1))
# run: x = arange(10.0); statistics(x[::-3])
def statistics(x):
    spread = float(x.max() - x.min())
    return Statistics(float(x.mean()), spread, x[1:])


#numptx export walked(int, float)
# run: walked(10, 0.1)
# run: walked(0, 1.0)
# run: walked(3, float("nan"))
def walked(n, dt):
    p = Point(1.0, 0.0)
    v = Point(0.0, 1.0)
    far = p
    for k in range(n):
        v = Point(v.x - dt * p.x, v.y - dt * p.y)
        p = p._replace(x=p.x + dt * v.x, y=p.y + dt * v.y)
        if p.norm() > far.norm():
            far = p
    while p.x > 0.5:
        p = Point(p.x * 0.5, p.y)
    return p, v, far


#numptx export chosen(float64[:], float)
# run: chosen(arange(5.0), 2.5)
# run: chosen(ones(1), 2.0)
# run: chosen(-arange(3.0), -5.0)
def chosen(x, limit):
    best = Pair(0, x[0])
    for k in range(1, len(x)):
        if x[k] > best.second:
            best = Pair(k, x[k])
    side = Point(limit) if best.second > limit else Point(0.0, limit)
    return best, side


#numptx export listed(int)
# run: listed(4)
# run: listed(0)
# run: listed(1)
def listed(n):
    points = []
    for k in range(n):
        points.append(Point(float(k), k * 0.5))
    points.append(Point(1.0))
    total = 0.0
    for p in points:
        total += p.x * p.y
    for x, y in points:
        total -= x
    first = points[0]
    points[0] = first._replace(y=7.0)
    seen = {p: k for k, p in enumerate(points)}
    pairs = [Pair(k, Point(k * 1.0)) for k in range(3)]
    return total, first, points[0].y, len(seen), Point(1.0) in points, sum([q.second.x for q in pairs]), max(points)


#numptx export shown(float, int)
# run: shown(1.5, 3)
# run: shown(-0.0, 0)
# run: shown(float("inf"), -1)
def shown(x, n):
    p = Point(x)
    print(p, Pair(n, "a"))
    return f"{p} and {Pair(p, n)!r}", str(p), repr(Triple(n)), "%s: %d" % Pair("k", n)


#numptx export nested(float64[:,:])
# run: nested(arange(6.0).reshape(2, 3))
# run: nested(ones((1, 1)))
# run: nested(arange(12.0).reshape(4, 3)[::-2])
def nested(x):
    inner = Pair(x.sum(axis=0), Point(float(x[0, 0])))
    outer = Pair(inner, (inner.second, x.shape))
    inner.first[0] = -1.0
    a, (b, c) = outer
    return outer, a.second.norm(), b.x + c[0], isinstance(outer, tuple), isinstance(inner.second, Point), type(b) is Point


def split(p, depth):
    if depth == 0:
        return Pair(p.x, p.y)
    half = split(p.scaled(0.5, 0.0), depth - 1)
    return Pair(half.first + 1.0, half.second + p.y)


#numptx export recursive(float, int)
# run: recursive(8.0, 3)
# run: recursive(1.0, 0)
# run: recursive(-2.0, 12)
def recursive(x, depth):
    return split(Point(x, 1.0), depth)


#numptx export failing(float64[:], int)
# run: failing(arange(3.0), 1)
# run: failing(arange(3.0), 3)
# run: failing(arange(3.0), -3)
def failing(x, k):
    p = Pair(x[k], k)
    if p.second < 0:
        raise ValueError(f"{p.second} of {Pair(1, 2)} is negative")
    return p
