"""Crystals: lattices and their reciprocals, reflections and multiplicities, structure factors, powder patterns, and cells refined."""
# tolerance: 1e-9
import itertools

import numpy as np


def vectors_of(cell):
    """Lattice vectors, one a row, of three lengths and three angles in degrees."""
    a, b, c = cell[:3]
    cosines, sine = np.cos(np.deg2rad(cell[3:])), np.sin(np.deg2rad(cell[5]))
    across = (cosines[0] - cosines[1] * cosines[2]) / sine
    height = np.sqrt(1.0 - cosines[1] ** 2 - across**2)
    return np.array([[a, 0.0, 0.0], [b * cosines[2], b * sine, 0.0], [c * cosines[1], c * across, c * height]])


#numptx export cell_geometry(float64[:])
# run: cell_geometry(array([5.0, 6.0, 7.0, 80.0, 95.0, 110.0]))
# run: cell_geometry(array([120.0, 0.0, 90.0, 0.0, 90.0, 0.0, 5.1, 0.0, 3.2, 0.0, 3.2])[::-2])
# run: cell_geometry(array([4.0, 4.0, 4.0, 90.0, 90.0, 90.0]))
def cell_geometry(cell):
    """Volume, metric, the reciprocal cell's lengths and angles, and the shortest vectors between lattice points."""
    vectors = vectors_of(cell)
    metric = vectors @ vectors.T
    reciprocal = np.linalg.inv(vectors).T
    lengths = np.linalg.norm(reciprocal, axis=1)
    cosines = np.array([reciprocal[i] @ reciprocal[j] / (lengths[i] * lengths[j]) for i, j in ((1, 2), (0, 2), (0, 1))])
    steps = np.array(list(itertools.product((-1, 0, 1), repeat=3)))
    squares = np.einsum("ni,ij,nj->n", steps, metric, steps)
    nearest = np.partition(squares, 6)[1:7]
    return np.abs(np.linalg.det(vectors)), metric, lengths, np.rad2deg(np.arccos(np.clip(cosines, -1, 1))), np.sqrt(np.sort(nearest))


#numptx export reflections(float64[:], int, str)
# run: reflections(array([5.4, 5.4, 5.4, 90.0, 90.0, 90.0]), 3, "F")
# run: reflections(array([90.0, 90.0, 90.0, 7.0, 5.0, 3.0])[::-1], 2, "I")
# run: reflections(array([3.0, 3.0, 5.0, 90.0, 90.0, 120.0]), 1, "P")
# run: reflections(array([3.0, 3.0, 5.0, 90.0, 90.0, 120.0]), 0, "P")
# run: reflections(array([3.0, 3.0, 5.0, 90.0, 90.0, 120.0]), -1, "P")
def reflections(cell, most, centring):
    """Of indices that the centring allows: spacings from the largest down, how many share each, one index of each, and its divisor."""
    if most < 0:
        raise ValueError(f"indices up to {most}")
    index = np.indices((2 * most + 1,) * 3).reshape(3, -1).T - most
    h, k, l = index.T
    if centring == "I":
        allowed = (h + k + l) % 2 == 0
    elif centring == "F":
        allowed = ((h + k) % 2 == 0) & ((k + l) % 2 == 0)
    else:
        allowed = np.ones(len(index), dtype=bool)
    index = np.compress(allowed & (index != 0).any(axis=1), index, axis=0)
    squares = np.sum((index @ np.linalg.inv(vectors_of(cell)).T) ** 2, axis=1)
    found, first, counts = np.unique(np.round(squares, 9), return_index=True, return_counts=True)
    divisor = np.gcd(np.gcd(index[first, 0], index[first, 1]), index[first, 2])
    return 1.0 / np.sqrt(found), counts, index[first], divisor


def scattered(squares, coefficients):
    """An atom's form factor by Gaussians; the last coefficient is the constant."""
    a, b = coefficients[:-1:2], coefficients[1::2]
    return coefficients[-1] + np.sum(a * np.exp(-b * squares[:, None] / 4.0), axis=1)


#numptx export structure_factors(int64[:,3], float64[:,3], int64[:], float64[:,:], float)
# run: structure_factors(integers(-3, 4, (9, 3)), random((5, 3)), integers(0, 2, 5), random((2, 5)) * 4, 4.0)
# run: structure_factors(integers(-2, 3, (3, 10)).T[::-2], array([[0, 0, 0], [0.5, 0.4, 0.3]]), array([1, 0]), (random((6, 4)) * 3).T[::2, ::2], 3.0)
# run: structure_factors(zeros((1, 3), int64), zeros((1, 3)), array([0]), array([[2.0, 1.0, 0.5]]), 5.0)
def structure_factors(index, places, sort, coefficients, length):
    """Of a cubic cell: intensities, phases in degrees, the map of charge along the first axis, and whether Friedel's law holds."""
    squares = np.sum(index.astype(np.float64) ** 2, axis=1) / length**2
    form = np.stack([scattered(squares, of_sort) for of_sort in coefficients])
    factors = np.sum(form[sort] * np.exp(2j * np.pi * (places @ index.T)), axis=0)
    opposite = np.sum(form[sort] * np.exp(-2j * np.pi * (places @ index.T)), axis=0)
    along = np.linspace(0.0, 1.0, 8, endpoint=False)
    waves = np.exp(-2j * np.pi * np.multiply.outer(along, index[:, 0]))
    return np.abs(factors) ** 2, np.angle(factors, deg=True), (waves @ factors).real / length**3, np.allclose(factors, opposite.conj())


#numptx export powder_pattern(float64[:], float64[:], float, float, int)
# run: powder_pattern(array([3.1, 2.2, 1.9, 1.2]), array([100.0, 40.0, 25.0, 9.0]), 1.54, 0.3, 40)
# run: powder_pattern((1.0 + 2 * random(10))[::-2], random(5), 1.2, 0.5, 25)
# run: powder_pattern(array([0.5]), array([1.0]), 1.54, 0.3, 5)
# run: powder_pattern(zeros(0), zeros(0), 1.54, 0.3, 5)
def powder_pattern(spacing, strength, wave, width, n):
    """Peaks of Gauss's and Lorentz's shape with the factors of Lorentz and of polarisation, a background, and peaks found in the pattern."""
    sine = wave / (2.0 * spacing)
    seen = sine < 1.0
    theta = np.arcsin(np.extract(seen, sine))
    factor = (1.0 + np.cos(2 * theta) ** 2) / (np.sin(theta) ** 2 * np.cos(theta))
    peaks, heights = np.degrees(2 * theta), np.extract(seen, strength) * factor
    angles = np.linspace(10.0, 120.0, n)
    away = (angles[:, None] - peaks) / width
    shape = 0.6 * np.exp(-np.log(2.0) * away**2) + 0.4 / (1.0 + away**2)
    background = np.polynomial.chebyshev.chebval((angles - 65.0) / 55.0, [2.0, -1.0, 0.25])
    pattern = shape @ heights + background
    inner = pattern[1:-1]
    tops = np.flatnonzero((inner > pattern[:-2]) & (inner > pattern[2:]) & (inner > 1.5 * background[1:-1])) + 1
    area = np.trapezoid(pattern - background, angles)
    return pattern, angles[tops], area, np.histogram(peaks, bins=4, range=(0.0, 180.0), weights=heights)[0]


#numptx export refined(int64[:,3], float64[:])
# run: h = array([[1, 0, 0], [1, 1, 0], [1, 1, 1], [2, 0, 0], [2, 1, 0], [0, 0, 2]]); refined(h, 4.2 / sqrt(sum(h**2, axis=1)))
# run: h = array([[1, 0, 0], [0, 0, 1], [0, 2, 0], [3, 1, 1], [2, 2, 1], [0, 1, 2], [1, 0, 3]])[::-1]; refined(h, 1 / sqrt(h**2 @ [0.04, 0.03, 0.01]))
# run: refined(array([[1, 0, 0], [0, 1, 0], [0, 0, 1]]), array([3.0, 4.0, 5.0]))
def refined(index, spacing):
    """Edges of a cell with right angles by least squares, their uncertainties, and the spacing that fits worst."""
    design = index.astype(np.float64) ** 2
    target = spacing**-2.0
    found, _, rank, _ = np.linalg.lstsq(design, target, rcond=None)
    residual = target - design @ found
    spare = max(len(index) - rank, 1)
    covariance = np.linalg.inv(design.T @ design) * (residual @ residual) / spare
    edges = found**-0.5
    return edges, np.abs(residual).max() < 1e-9, np.sqrt(np.diag(covariance)) * edges**3 / 2.0 < 1e-6, np.prod(edges)
