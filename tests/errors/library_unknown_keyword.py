import numpy as np


#numptx export f(float64[:])
def f(x):
    return np.unique(x, axis=0)  #! NPX0504
