import numpy as np

MASK = 0xFFFFFFFFFFFFFFFF
TOO_LARGE = 2**64


#numptx export f(int64, uint64, uint32[:], float64, uint64[:])
def f(n, u, x, y, z):
    a = n & MASK  #! NPX0210
    b = u + TOO_LARGE  #! NPX0210
    c = x * MASK  #! NPX0210
    d = np.uint64(TOO_LARGE)  #! NPX0210
    e = np.int64(MASK)  #! NPX0210
    g = y < MASK
    h = np.array([MASK, 1])  #! NPX0210
    x[0] = MASK  #! NPX0210
    i = np.full(3, MASK, dtype=np.int64)  #! NPX0210
    j = np.arange(MASK)  #! NPX0210
    k = n in (1, MASK)  #! NPX0210
    x += MASK  #! NPX0210
    return MASK  #! NPX0210
