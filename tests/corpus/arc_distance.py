"""Great-circle distances between two lists of points on a sphere of radius 1: the haversine formula."""

import numpy as np


#pythran export arc_distance(float64[], float64[], float64[], float64[])
# run: arc_distance(random(500), random(500), random(500), random(500))
# structure: launches=1 allocs=1 copies=0
# tolerance: 1e-12
# bench: arc_distance(random(2**24), random(2**24), random(2**24), random(2**24))
def arc_distance(latitude_1, longitude_1, latitude_2, longitude_2):
    half_latitude = np.sin((latitude_2 - latitude_1) / 2)
    half_longitude = np.sin((longitude_2 - longitude_1) / 2)
    chord = half_latitude**2 + np.cos(latitude_1) * np.cos(latitude_2) * half_longitude**2
    return 2 * np.arctan2(np.sqrt(chord), np.sqrt(1 - chord))
