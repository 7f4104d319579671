import numpy as np


#numptx export f(float64[:])
def f(x):
    return np.arctan2(x)  #! NPX0502
