"""The mean of data by distance from a centre: a mask for each bin."""

import numpy as np


#numptx export azimuthal_masks(float64[:], float64[:], int)
# run: azimuthal_masks(random(20), random(20), 4)
# run: azimuthal_masks(random(333), random(333), 17)
# run: azimuthal_masks(random(5000), random(5000), 60)
# large: azimuthal_masks(random(300000), random(300000), 300)
# bench: azimuthal_masks(random(400000), random(400000), 1000)
def azimuthal_masks(data, radius, bins):
    largest = radius.max()
    result = np.zeros(bins)
    for i in range(bins):
        low = largest * i / bins
        high = largest * (i + 1) / bins
        inside = np.logical_and(low <= radius, radius < high)
        result[i] = data[inside].mean()
    return result
