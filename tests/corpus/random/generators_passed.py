"""Generators that functions make, hold in names, pass on and advance; a caller's goes on where the function stopped."""

import numpy as np
from numpy.random import default_rng


#numptx export pi(int, int)
# run: pi(42, 1000)
# run: pi(0, 1)
# run: pi(7, 0)
# tolerance: 0
def pi(seed, n):
    rng = np.random.default_rng(seed)
    inside = 0
    for _ in range(n):
        x = rng.random()
        y = rng.random()
        if x * x + y * y < 1.0:
            inside += 1
    return 4.0 * inside / max(n, 1)


#numptx export walks(Generator, int, int)
# run: walks(np.random.default_rng(3), 5, 20)
# run: walks(np.random.Generator(np.random.MT19937(3)), 1, 7)
# run: walks(np.random.Generator(np.random.Philox(3)), 3, 0)
# run: walks(np.random.Generator(np.random.SFC64(5)), 2, 33)
# run: walks(np.random.Generator(np.random.PCG64DXSM(5)), 2, 33)
def walks(rng, n, steps):
    return np.cumsum(rng.standard_normal((n, steps)), axis=1)


def step(rng, scale):
    return scale * rng.normal() + rng.uniform(-1.0, 1.0)


#numptx export passed_on(Generator, float)
# run: passed_on(np.random.default_rng(1), 0.5)
# run: passed_on(np.random.Generator(np.random.MT19937(1)), 2.0)
# tolerance: 0
def passed_on(rng, scale):
    x = 0.0
    other = rng
    for k in range(10):
        x += step(rng, scale) if k % 2 else step(other, 1.0)
    return x


#numptx export until(Generator, float)
# run: until(np.random.default_rng(1), 0.9)
# run: until(np.random.default_rng(1), 2.0)
# tolerance: 0
def until(rng, limit):
    count = 0
    while True:
        count += 1
        if rng.random() > limit:
            return count
        if count > 50:
            raise ValueError("no number is so large")


#numptx export by_kind(int, int)
# run: by_kind(0, 11)
# run: by_kind(1, 11)
# run: by_kind(2, 11)
# run: by_kind(3, 11)
# run: by_kind(4, 11)
# tolerance: 0
def by_kind(kind, seed):
    if kind == 0:
        bits = np.random.PCG64(seed)
    elif kind == 1:
        bits = np.random.PCG64DXSM(seed)
    elif kind == 2:
        bits = np.random.Philox(seed)
    elif kind == 3:
        bits = np.random.MT19937(seed)
    else:
        bits = np.random.SFC64(seed)
    rng = np.random.Generator(bits)
    raw = bits.random_raw(3)
    return rng.random(4), raw, rng.bit_generator.random_raw(2)


#numptx export two(Generator, Generator)
# run: two(default_rng(1), default_rng(2))
# run: rng = default_rng(1); two(rng, rng)
# run: bits = np.random.PCG64(4); two(np.random.Generator(bits), np.random.Generator(bits))
# tolerance: 0
def two(a, b):
    return a.random(), b.random(), a.standard_normal(3), b.integers(0, 100, 5)


#numptx export seeded(int64[:])
# run: seeded(array([1, 2, 3]))
# run: seeded(array([5]))
# run: seeded(array([2**40, 7]))
# run: seeded(array([3, -1]))
# tolerance: 0
def seeded(seeds):
    return default_rng(seeds).random(3), default_rng([1, 2, 3]).random(2)


#numptx export jumps(int)
# run: jumps(5)
# tolerance: 0
def jumps(seed):
    bits = np.random.PCG64(seed)
    there = bits.jumped(2)
    bits.advance(1000)
    return np.random.Generator(there).random(3), np.random.Generator(bits).random(3)


#numptx export bootstrap(float64[:], Generator, int)
# run: bootstrap(random(20), np.random.default_rng(5), 30)
# run: bootstrap(array([1.5]), np.random.default_rng(5), 3)
# run: bootstrap(array([]), np.random.default_rng(5), 3)
def bootstrap(x, rng, n):
    means = np.empty(n)
    for k in range(n):
        means[k] = x[rng.integers(0, len(x), len(x))].sum()
    return means


#numptx export metropolis(Generator, float64[:], int)
# run: metropolis(np.random.default_rng(9), array([0.0, 1.0]), 200)
# run: metropolis(np.random.default_rng(9), array([]), 2)
def metropolis(rng, start, n):
    x = start.copy()
    accepted = 0
    for _ in range(n):
        proposal = x + 0.5 * rng.standard_normal(len(x))
        if np.log(rng.random()) < 0.5 * (np.sum(x**2) - np.sum(proposal**2)):
            x = proposal
            accepted += 1
    return x, accepted


#numptx export optional(float64[:], Generator or None)
# run: optional(arange(4.0), np.random.default_rng(2))
# run: optional(arange(4.0), None)
# tolerance: 0
def optional(x, rng):
    if rng is None:
        rng = np.random.default_rng(0)
    return x + rng.normal(0.0, 0.1, x.shape)


def annealed(rng: np.random.Generator, n: int) -> float:
    best = np.inf
    for _ in range(n):
        best = min(best, rng.exponential(2.0))
    return best


#numptx export hinted(Generator, int)
# run: hinted(np.random.default_rng(2), 5)
# tolerance: 0
def hinted(rng, n):
    return annealed(rng, n)
