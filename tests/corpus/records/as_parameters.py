"""Records as parameters: in export lines, nested, with arrays in them that are written, beside other overloads."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np


class Body(NamedTuple):
    mass: float
    position: "float64[:]"
    charge: int = 0


@dataclass
class Box:
    low: "float64[:]"
    high: "float64[:]"
    name: str = "box"
    periodic: bool = False

    def lengths(self):
        return self.high - self.low


@dataclass(frozen=True, kw_only=True)
class Settings:
    dt: float
    n: int = 10
    body: Body


@dataclass
class Counter:
    hits: int
    scale: np.float32


#numptx export moved(Body, float64[:])
# run: moved(Body(2.0, arange(3.0)), ones(3))
# run: moved(Body(1.0, zeros(1), 5), ones(1))
# run: x = arange(6.0); moved(Body(0.5, x[::2], -1), x[1::2])
def moved(body, by):
    body.position[0] = -1.0
    mass, position, charge = body
    return body._replace(position=position + by), body, mass * charge, len(body)


#numptx export total(Body, Body or None)
# run: total(Body(2.0, arange(3.0)), None)
# run: x = ones(2); total(Body(2.0, x), Body(1.0, x))
# run: total(Body(2.0, arange(3.0)), Body(1, arange(2.0), True))
def total(first, second):
    if second is None:
        return first.position.sum() * first.mass
    first.position[:] += second.mass
    return (first.position + second.position).sum()


#numptx export wrapped(Box, float64[:])
# run: wrapped(Box(zeros(2), ones(2), periodic=True), array([1.5, -0.25]))
# run: wrapped(Box(zeros(2), ones(2)), array([1.5, -0.25]))
# run: wrapped(Box(zeros(0), ones(0), "empty"), zeros(0))
def wrapped(box, x):
    if box.name == "empty":
        return box, x
    y = x.copy()
    if box.periodic:
        y = box.low + (x - box.low) % box.lengths()
    box.low[0] -= 1.0
    return replace(box, high=y), y


#numptx export run(Settings)
#numptx export run(float)
# run: run(Settings(dt=0.5, body=Body(1.0, arange(2.0))))
# run: run(Settings(dt=0.5, n=0, body=Body(1.0, arange(2.0))))
# run: run(0.25)
def run(settings):
    if not isinstance(settings, float):
        x = settings.body.position.copy()
        for _ in range(settings.n):
            x += settings.dt * settings.body.mass
        return settings, x
    return Settings(dt=settings, n=1, body=Body(1.0, np.zeros(1))), np.zeros(1)


#numptx export counted(Counter, int)
# run: counted(Counter(1, float32(0.1)), 3)
# run: counted(Counter(0, float32(0.0)), 0)
# run: counted(Counter(-1, float32("inf")), 1)
def counted(counter, n):
    own = replace(counter)
    for k in range(n):
        own.hits += k
    return own, counter.hits, own.scale * counter.scale
