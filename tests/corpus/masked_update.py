"""A relaxation that is applied where a mask holds, in place."""

import numpy as np


#numptx export relax(float64[:,:], bool[:,:], float)
# run: relax(random((30, 20)), random((30, 20)) < 0.5, 0.25)
# structure: launches=1 allocs=0 copies=0
# run: relax(random((20, 30)).T, random((30, 20)) < 0.5, 0.25)
# bench: relax(random((8192, 8192)), random((8192, 8192)) < 0.5, 0.25)
def relax(field, mask, rate):
    field[...] = np.where(mask, field - rate * (field - 1.0), field)
