"""Draws in a file that imports nothing of NumPy, or calls it otherwise."""

from numpy.random import default_rng


#numptx export drawn(int, Generator)
# run: drawn(5, default_rng(2))
# tolerance: 0
def drawn(n, rng):
    return default_rng(1).random(n), rng.integers(0, 9, n), rng.standard_gamma(2.0, n), rng.bit_generator.random_raw(2)
