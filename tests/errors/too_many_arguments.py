import numpy as np


#numptx export f(float64[:])
def f(x):
    return np.sqrt(x, x, x)  #! NPX0503
