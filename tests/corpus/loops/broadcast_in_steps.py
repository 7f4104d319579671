"""Time loops whose steps broadcast columns against rows: one launch, whatever has one element along an axis."""

import numpy as np


def acceleration(position, mass):
    x = position[:, 0:1]
    y = position[:, 1:2]
    dx = x.T - x
    dy = y.T - y
    near = dx**2 + dy**2 + 0.25
    near[near > 0] = 1.0 / near[near > 0]
    return np.hstack(((dx * near) @ mass, (dy * near) @ mass))


# Bodies: columns against rows, one mass each, and an array that each iteration joins anew.
#numptx export bodies(int, float64[:,:], float64[:,:], float64[:,:])
# run: bodies(4, random((7, 2)), random((7, 2)), random((7, 1)))
# structure: launches=11 copies=0
# run: bodies(2, random((40, 2)), random((40, 2)), random((40, 1)))
# run: bodies(1, random((1, 2)), random((1, 2)), random((1, 1)))
# run: bodies(0, random((3, 2)), random((3, 2)), random((3, 1)))
# run: bodies(3, random((0, 2)), random((0, 2)), random((0, 1)))
# run: bodies(2, random((5, 2)), random((4, 2)), random((5, 1)))
# run: bodies(2, random((5, 1)), random((5, 1)), random((5, 1)))
def bodies(steps, position, speed, mass):
    found = acceleration(position, mass)
    energy = np.zeros(steps + 1)
    for i in range(steps):
        speed += found * 0.01
        position += speed * 0.01
        found = acceleration(position, mass)
        energy[i + 1] = 0.5 * np.sum(mass * speed**2) - np.sum(np.triu(mass * mass.T, 1))
    return energy


# Each of the factors has an axis of one element, or none has.
#numptx export factors(int, float64[:,:], float64[:,:], float64[:,:])
# run: factors(3, random((5, 6)), random((5, 6)), random((5, 6)))
# structure: launches==1 allocs=1 copies=0
# run: factors(3, random((5, 6)), random((1, 6)), random((5, 1)))
# structure: launches==1 allocs=1 copies=0
# run: factors(3, random((5, 6)), random((1, 1)), random((1, 6)))
# run: factors(3, random((1, 1)), random((1, 1)), random((1, 1)))
# run: factors(3, random((5, 1)), random((5, 1)), random((1, 1)))
# run: factors(3, random((5, 6)), random((2, 6)), random((5, 1)))
# run: factors(3, random((1, 6)), random((5, 6)), random((1, 6)))
# run: factors(2, random((0, 6)), random((1, 6)), random((1, 1)))
def factors(steps, x, a, b):
    for _ in range(steps):
        x[:] = x + a * 0.5
        x[:] = x[:, ::-1] - b * x


# What was read may be what is written: the array that is broadcast is one of the loop's own.
#numptx export own(int, float64[:,:], float64[:,:])
# run: own(3, random((5, 6)), random((5, 1)))
# run: own(3, random((5, 6)), random((5, 6)))
# run: own(3, random((5, 6)), random((1, 6)))
# run: own(2, random((1, 1)), random((1, 1)))
def own(steps, x, a):
    for _ in range(steps):
        x[:] = x + a
        a[:] = a * 0.5
        x[:, 0] = x[:, -1]


# An array that an iteration makes piece by piece is handed on.
#numptx export joined(int, float64[:], float64[:])
# run: joined(4, random(6), random(4))
# structure: launches==4 copies=0
# run: joined(0, random(3), random(0))
# run: joined(2, random(1), random(3))
# run: joined(2, random(3), random(1))
def joined(steps, x, ends):
    both = np.concatenate((x, x))
    for i in range(steps):
        both = np.concatenate((x * 0.5, both[: len(x)] + i))
        ends[i] = both[-1]


# It grows, so that the host goes on with it.
#numptx export growing(int, float64[:])
# run: growing(3, random(4))
# run: growing(0, random(4))
def growing(steps, x):
    both = np.concatenate((x, x))
    for _ in range(steps):
        both = np.concatenate((both, x))
    return both


# Where nothing is stored into it, what is in it is not said.
#numptx export filled(int, float64[:])
# run: filled(4, random(6))
# run: filled(1, random(1))
def filled(steps, x):
    kept = np.zeros(len(x))
    for i in range(steps):
        new = np.empty(len(x))
        new[:] = kept[::-1] + x
        kept = new
    return kept
