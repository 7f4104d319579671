"""The mean of data by distance from a centre: a loop over bins with masks, and a histogram that a loop over elements counts."""

import numpy as np


#numptx export azimuthal_where(float64[:], float64[:], int)
# run: azimuthal_where(random(20), random(20), 4)
# run: azimuthal_where(random(333), random(333), 17)
# run: azimuthal_where(random(5000), random(5000), 60)
# large: azimuthal_where(random(300000), random(300000), 200)
def azimuthal_where(data, radius, bins):
    largest = radius.max()
    result = np.zeros(bins)
    for i in range(bins):
        inside = (largest * i / bins <= radius) & (radius < largest * (i + 1) / bins)
        result[i] = np.sum(np.where(inside, data, 0.0)) / max(np.sum(inside), 1)
    return result


#numptx export azimuthal_counts(float64[:], float64[:], int)
# run: azimuthal_counts(random(20), random(20), 4)
# run: azimuthal_counts(random(333), random(333), 17)
# run: azimuthal_counts(random(5000), random(5000), 60)
# run: azimuthal_counts(zeros(4), ones(4), 3)
# large: azimuthal_counts(random(3000000), random(3000000), 1000)
# bench: azimuthal_counts(random(4000000), random(4000000), 1000)
def azimuthal_counts(data, radius, bins):
    largest = radius.max()
    total = np.zeros(bins)
    count = np.zeros(bins, dtype=np.int64)
    for k in range(data.size):
        i = min(int(radius[k] / largest * bins), bins - 1)
        total[i] += data[k]
        count[i] += 1
    return total / np.maximum(count, 1)
