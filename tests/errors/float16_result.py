import numpy as np


#numptx export f(int8[:])
def f(x):
    return np.sqrt(x)  #! NPX0212
