import numpy as np


#numptx export f(float64[:])
def f(x):
    return np.unique(x, return_counts=True)  #! NPX0504
