"""exp(a * x + y) in float64, fused to one kernel."""

import numpy as np


#numptx export exp_axpy(float64, float64[:], float64[:])
# run: exp_axpy(-0.5, random(1000), random(1000))
# structure: launches=1 allocs=1 copies=0
# run: exp_axpy(1.0, array([0.0, -0.0, inf, -inf, nan, 709.0, 710.0, -745.0, -746.0]), zeros(9))
# bench: exp_axpy(-0.5, random(2**27), random(2**27))
def exp_axpy(a, x, y):
    return np.exp(a * x + y)
