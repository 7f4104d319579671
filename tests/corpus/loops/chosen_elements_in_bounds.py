"""Elements that a loop reads where a condition holds, and accumulates: where it does not hold, they need not be there."""

import numpy as np


#numptx export chosen(float64[:], float64[:], int64[:])
# run: chosen(random(9), random(20), arange(20) % 13)
# run: chosen(random(20), random(20), arange(20) % 13)
# run: chosen(random(3), random(20), arange(20) % 13)
# run: chosen(random(0), random(20), zeros(20, int64))
# run: chosen(random(0), random(20), zeros(20, int64) - 1)
# structure: launches=2 copies=0
def chosen(y, x, k):
    s = 0.0
    for h in range(len(x)):
        if 0 <= k[h] < len(y) and h < len(y):
            s += y[h]
        x[h] = abs(x[h]) * 2.0
    return float(s)


#numptx export backwards(int64[:], int64[:], int64[:,:], int64[:])
# run: backwards(integers(0, 9, 9), integers(0, 9, 4), integers(0, 9, (4, 3)), array([0, 1, 2, -1, -1, 7, 8, -1, 5]))
# run: backwards(integers(0, 9, 4), integers(0, 9, 9), integers(0, 9, (4, 3)), array([0, 1, 2, -1]))
# run: backwards(integers(0, 9, 4), integers(0, 9, 9), integers(0, 9, (4, 3)), array([0, 1, 2]))
def backwards(x, y, z, chosen_by):
    s = np.int64(0)
    for i in range(z.shape[0]):
        for h in range(len(x) - 1, 0, -1):
            if chosen_by[h] >= 0:
                s += y[h - 1]
            x[i // 2] += abs(z[i, h % 3])
    return s
