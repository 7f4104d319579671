"""Particles in a periodic box: pair distances, radial distributions, Lennard-Jones forces and pressure, and the structure factor."""

import itertools

import numpy as np


def nearest_images(separations, box):
    return separations - box * np.rint(separations / box)


def pairs_within(places, box, cutoff):
    """Pairs that are closer than the cutoff, each once, with their separation vectors and squared distances."""
    first, second = np.triu_indices(len(places), k=1)
    separations = nearest_images(places[first] - places[second], box)
    squares = np.einsum("ij,ij->i", separations, separations)
    close = squares < cutoff**2
    return first[close], second[close], separations[close], squares[close]


#numptx export radial_distribution(float64[:,3], float64, int)
# run: radial_distribution(random((24, 3)) * 4.0, 4.0, 10)
# run: radial_distribution((random((3, 40)) * 3.0).T[::-2], 3.0, 7)
# run: radial_distribution(array([[0.1, 0.1, 0.1], [1.9, 0.2, 0.1]]), 2.0, 3)
# run: radial_distribution(ones((1, 3)), 2.0, 2)
def radial_distribution(places, box, n_bins):
    """Up to half the box; and how many neighbours a particle has up to each distance."""
    _, _, _, squares = pairs_within(places, box, box / 2)
    counts, edges = np.histogram(np.sqrt(squares), bins=n_bins, range=(0.0, box / 2))
    shells = 4.0 / 3.0 * np.pi * np.diff(edges**3)
    n = len(places)
    ideal = shells * n * (n - 1) / (2 * box**3)
    return counts / ideal, (edges[1:] + edges[:-1]) / 2, 2 * np.cumsum(counts) / n


#numptx export forces(float64[:,3], float64, float64)
# tolerance: 1e-9
# run: forces(stack(meshgrid(arange(3.0), arange(3.0), arange(2.0)), axis=-1).reshape(-1, 3) * 1.1 + 0.2 * random((18, 3)), 3.6, 1.7)
# run: forces((arange(8.0)[:, None] * array([1.2, 0.4, 0.1]))[::-2], 9.0, 4.0)
# run: forces(zeros((1, 3)), 5.0, 2.5)
def forces(places, box, cutoff):
    """Of Lennard-Jones particles, the energy, shifted to 0 at the cutoff, and the virial."""
    first, second, separations, squares = pairs_within(places, box, cutoff)
    sixth = squares**-3.0
    shift = 4.0 * (cutoff**-12.0 - cutoff**-6.0)
    strength = (48.0 * sixth**2 - 24.0 * sixth) / squares
    along = strength[:, None] * separations
    force = np.zeros_like(places)
    np.add.at(force, first, along)
    np.subtract.at(force, second, along)
    return force, np.sum(4.0 * sixth * (sixth - 1.0) - shift), np.sum(strength * squares)


#numptx export structure_factor(float64[:,3], float64)
# tolerance: 1e-10
# run: structure_factor(random((15, 3)) * 2.5, 2.5)
# run: structure_factor(random((3, 20)).T[::-2], 1.0)
# run: structure_factor(array([[0.5, 0.25, 0.75]]), 1.0)
def structure_factor(places, box):
    """Over the shortest waves that the box has, of which each is counted with its opposite once; and means over waves of one length."""
    waves = np.array([(i, j, k) for i, j, k in itertools.product(range(3), repeat=3)])[1:]
    phases = np.exp(2j * np.pi / box * (places @ waves.T))
    factors = np.abs(phases.sum(axis=0)) ** 2 / len(places)
    lengths, which = np.unique((waves**2).sum(axis=1), return_inverse=True)
    return factors, 2 * np.pi / box * np.sqrt(lengths), np.bincount(which, weights=factors) / np.bincount(which)
