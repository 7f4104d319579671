"""`np.unique` with indices, inverse and counts."""

import numpy as np


#numptx export parts(int64[:])
#numptx export parts(float64[:,:])
#numptx export parts(bool[:])
# run: parts(integers(0, 5, 20))
# run: parts(integers(-2, 3, 40)[::-3])
# run: parts(integers(0, 5, 0))
# run: parts(array([[1, nan, 2], [nan, 1, 1]]))
# run: parts(array([[1, nan, 2], [-0.0, 0.0, inf]]).T)
# run: parts(zeros((0, 3)))
# run: parts(random(9) > 0.5)
def parts(x):
    values, counts = np.unique(x, return_counts=True)
    return values, counts, np.unique(x, return_index=True, return_inverse=True), np.unique(x, True, True, True), np.unique(x)


#numptx export used(int64[:], float64[:])
# run: used(integers(0, 5, 20), random(20))
# run: used(integers(0, 5, 0), random(0))
def used(k, w):
    """Lengths that data decide, used as extents and indices."""
    values, first, inverse = np.unique(k, return_index=True, return_inverse=True)
    sums = np.zeros(len(values))
    for i in range(len(k)):
        sums[inverse[i]] += w[i]
    return values, sums, w[first], values[inverse]
