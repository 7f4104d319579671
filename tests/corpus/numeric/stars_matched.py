"""Catalogues of stars: separations on the sky, the same stars in two catalogues, brightest ones, and shifts between images."""
# tolerance: 1e-9
import numpy as np


def unit_vectors(sky):
    """Of right ascensions and declinations in degrees."""
    ascension, declination = np.deg2rad(sky).T
    return np.c_[np.cos(declination) * np.cos(ascension), np.cos(declination) * np.sin(ascension), np.sin(declination)]


def separations(a, b):
    """In seconds of arc, of each star with each, by half chords, which are exact for small angles."""
    chords = np.linalg.norm(unit_vectors(a)[:, None] - unit_vectors(b)[None, :], axis=2)
    return 3600.0 * np.rad2deg(2.0 * np.arcsin(np.minimum(chords / 2.0, 1.0)))


#numptx export matched(float64[:,2], float64[:,2], float64)
# run: s = random((12, 2)) * 10 + 60.0; matched(s, s[::-1] + 0.01 * random((12, 2)), 40.0)
# run: s = random((2, 20)).T * 30; matched(s[::-2], s[::3] + 3e-4, 5.0)
# run: matched(zeros((1, 2)), array([[359.99, 0.0], [180.0, 0.0]]), 50.0)
def matched(first, second, radius):
    """Pairs that are each other's nearest within a radius; the stars of each catalogue that have no partner; and how far pairs are apart."""
    apart = separations(first, second)
    nearest, back = np.argmin(apart, axis=1), np.argmin(apart, axis=0)
    index = np.arange(len(first))
    is_pair = (back[nearest] == index) & (apart[index, nearest] < radius)
    pairs = np.stack((index[is_pair], nearest[is_pair]), axis=1)
    alone = np.delete(index, pairs[:, 0]), np.setdiff1d(np.arange(len(second)), pairs[:, 1])
    return pairs, alone, apart[index, nearest]


#numptx export brightest(float64[:], float64[:], int64[:], int)
# run: brightest(random(15) * 6, random(15) - 0.5, integers(0, 4, 15), 3)
# run: brightest(integers(0, 4, 30)[::-2] / 2, integers(0, 3, 15) / 4, integers(0, 3, 15), 2)
# run: brightest(array([nan, 4.0, 1.0]), zeros(3), array([1, 1, 0]), 5)
def brightest(magnitude, colour, field, n):
    """Of each field the first by magnitude, then colour: indices, and from their magnitudes the field's brightness."""
    order = np.lexsort((colour, magnitude, field))
    begins = np.searchsorted(field, np.unique(field), sorter=order)
    place = np.arange(len(order)) - np.repeat(begins, np.diff(np.append(begins, len(order))))
    chosen = order[place < n]
    light = np.zeros(field.max() + 1)
    np.add.at(light, field[chosen], np.nan_to_num(10.0 ** (-0.4 * magnitude[chosen])))
    return chosen, -2.5 * np.log10(np.maximum(light, 1e-30))


#numptx export aligned_plates(float64[:,2], float64[:,2])
# run: p = random((8, 2)); aligned_plates(p, p @ array([[0.8, 0.6], [-0.6, 0.8]]) * 1.5 + array([3.0, -1.0]) + 0.01 * random((8, 2)))
# run: aligned_plates(random((20, 2))[::-2], random((2, 10)).T)
# run: aligned_plates(array([[0.0, 0.0], [1.0, 0.0]]), array([[1.0, 1.0], [1.0, 3.0]]))
def aligned_plates(measured, reference):
    """Shift, scale and angle between two images, by least squares, and what is left of each star."""
    n = len(measured)
    x, y = measured.T
    ones, zeros = np.ones(n), np.zeros(n)
    design = np.r_[np.c_[x, -y, ones, zeros], np.c_[y, x, zeros, ones]]
    solution, _, _, _ = np.linalg.lstsq(design, reference.ravel(order="F"), rcond=None)
    across, along = (reference.T.ravel() - design @ solution).reshape(2, n)
    scale, angle = np.hypot(solution[0], solution[1]), np.degrees(np.arctan2(solution[1], solution[0]))
    return scale, angle, solution[2:], np.hypot(across, along) + 1.0


#numptx export counts_in_zones(float64[:,2], int)
# run: counts_in_zones(random((50, 2)) * array([360.0, 180.0]) - array([0.0, 90.0]), 6)
# run: counts_in_zones((random((2, 60)).T * 90)[::-2], 5)
# run: counts_in_zones(zeros((0, 2)), 2)
def counts_in_zones(sky, n_zones):
    """Zones of equal area; whether there is one with more than five standard deviations too many; positions of the poles of great circles of neighbours."""
    height = np.sin(np.deg2rad(sky[:, 1]))
    counts, edges = np.histogram(height, bins=n_zones, range=(-1.0, 1.0))
    expected = len(sky) / n_zones
    vectors = unit_vectors(sky)
    poles = np.cross(vectors[:-1], vectors[1:])
    declination = np.degrees(np.arctan2(poles[:, 2], np.hypot(poles[:, 0], poles[:, 1])))
    return counts, np.rad2deg(np.arcsin(edges)), np.any(counts > expected + 5 * np.sqrt(expected)), declination
