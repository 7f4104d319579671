"""Densities of samples: histograms with bins by the rule of Freedman and Diaconis, and sums of Gaussian kernels."""

import numpy as np


def bandwidth(x):
    """Silverman's rule."""
    third, first = np.percentile(x, [75, 25])
    return 0.9 * min(np.std(x, ddof=1), (third - first) / 1.349) * len(x) ** -0.2


def density_at(places, x, width):
    scaled = np.subtract.outer(places, x) / width
    return np.exp(-0.5 * scaled**2).mean(axis=1) / (width * np.sqrt(2 * np.pi))


#numptx export estimated(float64[:], int)
# run: estimated(random(40), 64)
# run: estimated(concatenate((random(30), random(20) + 3.0))[::-2], 51)
# run: estimated(array([0.0, 1.0, 1.5]), 2)
def estimated(x, n_places):
    """The density on a grid, its integral, and the interval that holds the middle 90 percent."""
    width = bandwidth(x)
    places, step = np.linspace(x.min() - 4 * width, x.max() + 4 * width, n_places, retstep=True)
    density = density_at(places, x, width)
    steps = (density[1:] + density[:-1]) / 2 * step
    cumulative = np.concatenate(([0.0], np.cumsum(steps)))
    interval = np.interp([0.05, 0.95], cumulative / cumulative[-1], places)
    return density, np.trapezoid(density, dx=step), interval


#numptx export histogram_of(float64[:])
# run: histogram_of(random(60))
# run: histogram_of((random(80) ** 3)[::-2])
# run: histogram_of(random(3))
def histogram_of(x):
    quarters = np.quantile(x, 0.75) - np.quantile(x, 0.25)
    n_bins = int(np.ceil(np.ptp(x) / (2 * quarters / np.cbrt(len(x)))))
    edges = np.histogram_bin_edges(x, bins=n_bins)
    heights, _ = np.histogram(x, bins=edges, density=True)
    middles = (edges[1:] + edges[:-1]) / 2
    mean = np.sum(middles * heights * np.diff(edges))
    return heights, edges, mean


#numptx export joint_density(float64[:], float64[:], float64[:], int)
# run: joint_density(random(50), random(50), random(50), 4)
# run: x = random(60); joint_density(x[::2], x[::-2], x[1::2], 3)
# run: joint_density(array([0.5]), array([2.0]), array([3.0]), 1)
def joint_density(x, y, weights, n_bins):
    """A weighted density over two axes, what each axis has of it, and the information that one tells of the other."""
    density, x_edges, y_edges = np.histogram2d(x, y, bins=n_bins, weights=weights, density=True)
    mass = density * np.outer(np.diff(x_edges), np.diff(y_edges))
    independent = np.outer(mass.sum(axis=1), mass.sum(axis=0))
    known = mass > 0
    return density, mass.sum(axis=0), np.sum(mass[known] * np.log(mass[known] / independent[known]))
