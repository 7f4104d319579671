import math

import numpy as np


#numptx export f(float64[:], float)
def f(x, a):
    b = math.sqr(a)  #! NPX0501
    y = np.sqroot(x)  #! NPX0501
    z = np.isnat(x)  #! NPX0501
    return np.qwertz(x)  #! NPX0501


#numptx export fnv(uint64[:])
def fnv(a):
    h = 14695981039346656037
    for v in a:
        h = (h ^ v) * 1099511628211  #! NPX0209
    return h
