import numpy as np


#numptx export f(float64[:], int)
def f(x, axis):
    a = np.finfo(np.int32).eps  #! NPX0505
    b = np.iinfo(np.float32).max  #! NPX0505
    c = np.iinfo(np.uint64).max + x.shape[0]  #! NPX0210
    d = np.finfo(float).largest  #! NPX0205
    e = np.finfo(x).eps  #! NPX0505
    return a, b, c, d, e, x.sum(axis=axis)  #! NPX0505
