"""The mean of data by distance from a centre, with NumPy's histograms."""

import numpy as np


#numptx export azimuthal_histograms(float64[:], float64[:], int)
# run: azimuthal_histograms(random(20), random(20), 4)
# run: azimuthal_histograms(random(333), random(333), 17)
# run: azimuthal_histograms(random(5000), random(5000), 60)
# structure: launches=16 allocs=14 copies=0 syncs=4
# large: azimuthal_histograms(random(3000000), random(3000000), 1000)
def azimuthal_histograms(data, radius, bins):
    counts, _ = np.histogram(radius, bins)
    sums, _ = np.histogram(radius, bins, weights=data)
    return sums / counts
