"""Ising's model of a magnet: sweeps by Metropolis on a checkerboard, clusters' bonds, energy, and the heat capacity."""

import numpy as np


def field_of_neighbours(spins):
    return np.roll(spins, 1, axis=0) + np.roll(spins, -1, axis=0) + np.roll(spins, 1, axis=1) + np.roll(spins, -1, axis=1)


def energy(spins):
    return -np.sum(spins * (np.roll(spins, 1, axis=0) + np.roll(spins, 1, axis=1)), dtype=np.int64)


def sweep(spins, inverse_temperature, rng):
    """One half of the lattice after the other, as its fields are known then; the array is changed."""
    rows, columns = np.ogrid[: spins.shape[0], : spins.shape[1]]
    for colour in range(2):
        gain = 2 * spins * field_of_neighbours(spins)
        chance = np.exp(-inverse_temperature * gain.astype(np.float64))
        flipped = ((rows + columns) % 2 == colour) & (rng.random(spins.shape) < chance)
        np.negative(spins, out=spins, where=flipped)


#numptx export magnetised(int8[:,:], float, int, Generator)
# run: magnetised(ones((8, 6), int8), 0.4, 20, np.random.default_rng(1))
# run: magnetised((2 * integers(0, 2, (8, 16)) - 1).astype(int8)[::2, ::-2], 0.6, 7, np.random.default_rng(5))
# run: magnetised(ones((2, 2), int8), 0.0, 3, np.random.default_rng(0))
# run: magnetised(ones((4, 4), int8), 1.0, 0, np.random.default_rng(2))
def magnetised(spins, inverse_temperature, n_sweeps, rng):
    """Magnetisations and energies after each sweep, the heat capacity, and what became of the spins."""
    magnetisations, energies = np.zeros(n_sweeps, np.int64), np.zeros(n_sweeps, np.int64)
    for k in range(n_sweeps):
        sweep(spins, inverse_temperature, rng)
        magnetisations[k], energies[k] = spins.sum(), energy(spins)
    capacity = inverse_temperature**2 * energies.var() / spins.size if n_sweeps > 0 else np.float64(0.0)
    return magnetisations, energies, capacity


#numptx export bonds(int8[:,:], float, int)
# run: bonds((2 * integers(0, 2, (5, 6)) - 1).astype(int8), 0.44, 3)
# run: bonds(ones((12, 3), int8)[::-3].T, 0.3, 8)
# run: bonds(ones((1, 1), int8), 9.0, 0)
def bonds(spins, inverse_temperature, seed):
    """Which neighbours Swendsen and Wang would join, to the right and below, and how many each spin has."""
    rng = np.random.default_rng(seed)
    joined = 1.0 - np.exp(-2.0 * inverse_temperature)
    right = (spins == np.roll(spins, -1, axis=1)) & (rng.random(spins.shape) < joined)
    below = (spins == np.roll(spins, -1, axis=0)) & (rng.uniform(0.0, 1.0, spins.shape) < joined)
    degree = right.astype(np.int8) + below + np.roll(right, 1, axis=1) + np.roll(below, 1, axis=0)
    return right, below, degree, np.bincount(degree.ravel(), minlength=5)
