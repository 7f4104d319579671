"""`np.errstate` that ignores: compiled code warns of nothing."""

import numpy as np


#numptx export quotients(float64[:], float64[:])
# run: quotients(arange(3.0), array([0.0, 2.0, nan]))
# run: quotients(zeros(2), zeros(2))
def quotients(x, y):
    with np.errstate(divide="ignore", invalid="ignore"):
        z = x / y
        if z.size > 2:
            return z, np.log(x)
    return z, z


#numptx export until(float64[:])
# run: until(array([1.0, 2.0, inf, 3.0]))
def until(x):
    total = 0.0
    for v in x:
        with np.errstate(all="ignore"):
            if v > 1e300:
                break
            total += 1.0 / v
    return total
