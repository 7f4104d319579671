import numpy as np


#numptx export f(float64[:])
def f(x):
    return np.nanquantile(x, 0.5, out=x)  #! NPX0504
