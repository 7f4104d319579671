"""Dataclasses: frozen and not, with fields that are assigned, methods, defaults, and who sees an assignment."""

import dataclasses
from dataclasses import dataclass, field, replace

import numpy as np


@dataclass(frozen=True)
class Particle:
    mass: float
    charge: int = 0

    @property
    def heavy(self):
        return self.mass > LIMIT

    def merged(self, other):
        return Particle(self.mass + other.mass, self.charge + other.charge)


@dataclass
class State:
    x: float
    v: float = 0.0
    n_steps: int = 0
    path: list = field(default_factory=list)

    def step(self, dt):
        self.v -= dt * self.x
        self.x += dt * self.v
        self.n_steps += 1

    def energy(self):
        return 0.5 * (self.x * self.x + self.v * self.v)


@dataclass(order=True, kw_only=True)
class Version:
    major: int
    minor: int = 0


@dataclass
class Grid:
    values: np.ndarray
    best: float = 0.0


LIMIT = 2.0
NOTHING = Particle(0.0)


#numptx export frozen(float, int)
# run: frozen(1.5, -1)
# run: frozen(0.0, 0)
# run: frozen(float("inf"), 2**62)
def frozen(mass, charge):
    p = Particle(mass, charge=charge)
    q = replace(p, mass=3.0)
    return p, q, p.heavy, q.heavy, p.merged(NOTHING), p == q, p == Particle(mass, charge), p != (mass, charge)


#numptx export swung(float, int, float)
# run: swung(1.0, 100, 0.01)
# run: swung(-0.0, 0, 1.0)
# run: swung(1e200, 3, 2.0)
def swung(x, n, dt):
    s = State(x)
    start = s.energy()
    for _ in range(n):
        s.step(dt)
    return s.x, s.v, s.n_steps, s.energy() - start, s


#numptx export shared(float)
# run: shared(1.0)
# run: shared(0.0)
# run: shared(-1e-300)
def shared(x):
    a = State(x)
    b = a
    b.x = 2.0 * x + 1.0
    states = [a, State(0.0), b]
    states[1].v = 5.0
    for s in states:
        s.n_steps += 1
    chosen = a if x > 0.5 else states[1]
    chosen.v = -1.0
    c = replace(a, v=9.0)
    c.x = 0.0
    a.path.append(1)
    return a.x, b.x, a.n_steps, states[1].v, a.v, c, len(b.path), a == b, a == c


def reset(state, x):
    state.x, state.v = x, 0.0
    return state


#numptx export passed(float[:])
# run: passed(arange(4.0))
# run: passed(-ones(1))
# run: passed(arange(9.0)[::-2])
def passed(xs):
    s = State(0.0, 1.0)
    total = 0.0
    for x in xs:
        again = reset(s, float(x))
        while s.x < 2.0 and s.n_steps < 50:
            again.step(-0.5)
            s.x += 0.25
        total += s.x
    return total, s.n_steps, s


#numptx export versions(int)
# run: versions(3)
# run: versions(0)
# run: versions(-5)
def versions(n):
    a, b = Version(major=n), Version(minor=n, major=1)
    return a, a < b, a >= b, max(a, b), sorted([b, a])[0].major, f"{a!r}"


#numptx export filled(float64[:])
# run: filled(arange(5.0))
# run: filled(-ones(1))
# run: x = arange(6.0); filled(x[::-1])
def filled(x):
    g = Grid(np.zeros(len(x)))
    h = g
    g.values[:] = x
    g.values += 1.0
    for k in range(len(x)):
        if x[k] > h.best:
            h.best = float(x[k])
    return g, h.values is None, g.best


#numptx export stopped(float, int)
# run: stopped(1.0, 5)
# run: stopped(1.0, -1)
# run: stopped(0.0, 0)
def stopped(x, n):
    s = State(x)
    try:
        for k in range(10):
            s.v = float(k)
            if k == n:
                raise ValueError("enough")
            s.n_steps = k
        s.x = -1.0
    except ValueError as e:
        print(e, s.v, s.n_steps)
    return s.x, s.v, s.n_steps
