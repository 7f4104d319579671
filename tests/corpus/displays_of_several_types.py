"""`np.array` of displays whose members have several types: each counts as the array that it would be alone."""

import numpy as np

# tolerance: 0


#numptx export mixed(float32[:], uint8[:], complex64[:], float, int)
# run: mixed(random(2).astype(float32), array([1, 255]).astype(uint8), random(2).astype(complex64), 1.5, 3)
def mixed(x, y, z, f, n):
    return (
        np.array([x[0], f]),
        np.array([x[0], 1]),
        np.array([x[0], True]),
        np.array([x[0], x[1]]),
        np.array([y[0], n]),
        np.array([y[0], 2.5]),
        np.array([y[0], y[1]]),
        np.array([z[0], f]),
        np.array([[x[0], x[1]], [1, 2]]),
        np.array([x, x]),
        np.array([x[0], f], dtype=np.float32),
    )
