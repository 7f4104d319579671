"""Seeds beyond 64 bits, alone and in lists, and the edges of those that are not."""

import numpy as np
from numpy.random import SeedSequence, default_rng

SEED = 0x1234567890ABCDEF1234567890
SEEDS = (7, SEED)


#numptx export constants()
# run: constants()
# tolerance: 0
def constants():
    return (
        default_rng(SEED).random(),
        default_rng(2**100).random(),
        default_rng(seed=2**126 + 1).random(),
        default_rng(2**64 - 1).random(),
        default_rng([2**100, 3]).random(),
        default_rng((1, 2**70, 0)).random(),
        default_rng([2**64 - 1]).random(),
        default_rng([0x90ABCDEF, 0x12345678, 0, 5]).random(),
        default_rng([]).random(),
        default_rng(()).random(),
        default_rng([0, 0]).random(),
        default_rng(True).random(),
    )


#numptx export bits()
# run: bits()
# tolerance: 0
def bits():
    return (
        np.random.PCG64(2**100).random_raw(2),
        np.random.PCG64DXSM(2**100).random_raw(2),
        np.random.Philox(2**100).random_raw(2),
        np.random.MT19937(2**100).random_raw(2),
        np.random.SFC64([2**100, 1]).random_raw(2),
        SeedSequence(2**100).generate_state(5),
        SeedSequence(2**100, spawn_key=(2**70, 3)).generate_state(5),
        SeedSequence(entropy=[2**100], pool_size=8).spawn(1)[0].generate_state(2),
    )


#numptx export beside(uint64, int, int64[:])
# run: beside(np.uint64(2**64 - 1), 5, array([1, 2]))
# run: beside(np.uint64(3), -5, array([1, 2]))
# run: beside(np.uint64(2**63), 0, array([1, 2]))
# run: beside(np.uint64(3), 5, array([1, -2]))
# run: beside(np.uint64(3), 5, array([], dtype=int64))
# tolerance: 0
def beside(u, n, k):
    return default_rng(u).random(), default_rng([u, n]).random(), default_rng([n, 2**80]).random(), default_rng(k).random()


#numptx export legacy(int)
# run: legacy(0)
# run: legacy(1)
# run: legacy(2)
# run: legacy(3)
# run: legacy(4)
# tolerance: 0
def legacy(which):
    if which == 0:
        return np.random.RandomState(2**100).random_sample()
    if which == 1:
        return np.random.RandomState(-(2**100)).random_sample()
    if which == 2:
        return np.random.RandomState([1, 2**32]).random_sample()
    if which == 3:
        np.random.seed(2**64)
        return np.random.random_sample()
    return np.random.RandomState(2**32 - 1).random_sample()


#numptx export legacy_of_vectors(uint64[:])
# run: legacy_of_vectors(array([5], dtype=uint64))
# run: legacy_of_vectors(array([5, 6], dtype=uint64))
# tolerance: 0
def legacy_of_vectors(seeds):
    return np.random.RandomState(seeds).random_sample()
