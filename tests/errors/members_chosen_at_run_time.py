import numpy as np


#numptx export f(float64[:], int)
def f(x, k):
    mixed = (1, 2.0)
    arrays = [x, x * 2]
    names = ["a", "b"]
    return mixed[k], arrays[k], names[k], arrays[x]  #! NPX0406
