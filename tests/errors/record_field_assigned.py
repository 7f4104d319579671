from dataclasses import dataclass
from typing import NamedTuple


class P(NamedTuple):
    x: float


@dataclass(frozen=True)
class Q:
    x: float


#numptx export f(float)
def f(x):
    p = P(x)
    p.x = 1.0  #! NPX0401 p._replace(x=1.0)
    return p


#numptx export g(float)
def g(x):
    q = Q(x)
    q.x += 1.0  #! NPX0401 replace(p, x
    return q
