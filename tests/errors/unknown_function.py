import numpy as np


#numptx export f(float64[:])
def f(x):
    return np.fft.dct(x)  #! NPX0501
