import numpy as np


#numptx export f(float64[:])
def f(x):
    return np.sqrt(x, where=x > 0)  #! NPX0505
