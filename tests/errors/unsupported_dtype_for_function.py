import numpy as np


#numptx export f(complex128[:])
def f(x):
    return np.floor(x)  #! NPX0506
