from numba import prange  #! NPX0403


#numptx export f(float64[:])
def f(x):
    for i in prange(len(x)):
        x[i] = 0.0
