import numpy as np


#numptx export f(float64[:])
def f(x):
    return np.sum(lambda v: v)  #! NPX0505
