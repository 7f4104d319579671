"""Seed sequences, and generators of what they spawn."""

import numpy as np
from numpy.random import SeedSequence


#numptx export spawned(int, int)
# run: spawned(42, 3)
# run: spawned(0, 1)
# run: spawned(-1, 1)
# tolerance: 0
def spawned(seed, n):
    sequence = SeedSequence(seed)
    sums = np.zeros(n)
    for k, child in enumerate(sequence.spawn(n)):
        rng = np.random.default_rng(child)
        sums[k] = rng.random()
    again = sequence.spawn(2)
    return sums, np.random.Generator(np.random.Philox(again[1])).random(2)


#numptx export words(int)
# run: words(7)
# run: words(0)
# tolerance: 0
def words(seed):
    a = SeedSequence(seed)
    b = SeedSequence(seed, spawn_key=(3,))
    c = SeedSequence([seed, 5], pool_size=8)
    return a.generate_state(4), a.generate_state(3, np.uint64), b.generate_state(2), c.generate_state(9)
