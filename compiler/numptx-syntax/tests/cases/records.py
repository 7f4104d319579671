from collections import namedtuple
from dataclasses import dataclass, field, replace
from typing import ClassVar, NamedTuple

import numpy as np


class P(NamedTuple):
    """A point."""

    x: float
    y: "float64[:, :]"
    z: "int or None" = 0

    def norm(self, p=2):
        return self.x**p

    @property
    def half(self):
        return self.x / 2


Pair = namedtuple("Pair", "a, b", defaults=[1.5])
Typed = NamedTuple("Typed", [("n", int), ("p", P)])
T = np.dtype([("x", np.float64), ("n", "<i4")], align=True)


@dataclass(frozen=True, order=True)
class Q:
    p: P
    rest: dict
    values: list = field(default_factory=list)


@dataclass
class Bad:
    n: ClassVar[int] = 3


class Sub(P):
    pass


Odd = namedtuple("Odd", NAMES)
Other = np.dtype([("x", "U5")])


#numptx export f(P, Q or None, (Typed, int), T[:], T[3], T)
def f(p, q, t, a, b, r):
    return p.x


def g(p: P, q: "Q", r: Bad):
    return q


def h(p: P, t: Pair):
    return p
