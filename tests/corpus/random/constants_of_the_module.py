"""Constants of the module that are drawn of a generator of their own: the same in each call."""

import numpy as np
from numpy.random import SeedSequence, default_rng

WEIGHTS = default_rng(3).normal(size=(2, 3))
CHILD = SeedSequence(5).spawn(2)[1].generate_state(3)
normal = np.random.normal


def drawn(seed, n):
    rng = default_rng(seed)
    return rng.random(n), rng.integers(0, 9, n)


NUMBERS = drawn(11, 4)[0]
DICE = drawn(11, 4)[1]


#numptx export again(int)
# run: again(3)
# run: again(3); again(4)
# tolerance: 0
def again(n):
    return WEIGHTS * n, NUMBERS + DICE, CHILD + np.uint32(1)


#numptx export of_the_state(int)
# run: np.random.seed(3); of_the_state(3)
# tolerance: 0
def of_the_state(n):
    return normal(size=n)


def noise(x, rng=None):
    if rng is None:
        rng = default_rng(0)
    return x + rng.normal()


#numptx export by_default(float, Generator)
# run: by_default(1.5, default_rng(2))
# tolerance: 0
def by_default(x, rng):
    return noise(x), noise(x, rng), noise(x)
