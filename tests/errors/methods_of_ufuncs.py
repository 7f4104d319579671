import numpy as np


#numptx export f(float64[:,:], int32[:,:], bool[:,:], float32[:], int8[:,:])
def f(x, n, mask, out, small):
    np.subtract.reduce(x, axis=None)  #! NPX0505
    np.divide.reduce(x, axis=(0, 1))  #! NPX0505
    np.subtract.reduce(x, where=mask)  #! NPX0505
    np.subtract.reduce(x, out=out)  #! NPX0207
    np.less.reduce(x)  #! NPX0506
    np.ldexp.reduce(x)  #! NPX0501
    np.arctan2.reduce(small)  #! NPX0212
    np.bitwise_or.reduce(x)  #! NPX0506
    np.logical_and.reduce(x, dtype=np.float64)  #! NPX0505
    np.add.reduceat(x, [0.5])  #! NPX0505
    np.add.reduceat(x, n)  #! NPX0505
    np.subtract.accumulate(x, axis=None)  #! NPX0505
    np.subtract.reduce(2.0)  #! NPX0505
    return x
