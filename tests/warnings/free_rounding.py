# flags: --fast-math

import numpy as np


# Scans are not told of, also where they round in another order.
#numptx export averages(float64[:], float64[:])
def averages(x, c):
    s = 0.0
    for i in range(len(x)):
        s = 0.9 * s + 0.1 * x[i]
        c[i] = s


#numptx export floats(float32[:], float32[:])
def floats(x, c):
    for i in range(1, len(x)):
        c[i] = c[i - 1] + x[i]


#numptx export greatest(float64[:], float64[:])
def greatest(x, c):
    m = -np.inf
    for i in range(len(x)):
        m = max(m, x[i])
        c[i] = m


# No order of sums and products is that of squares.
#numptx export squares(float64[:], float64[:])
def squares(x, c):
    s = 0.0
    for i in range(len(x)):  #! NPX0601
        s = s * s + x[i]
        c[i] = s
