import numpy as np


#numptx export f(float64[:], float32[:])
def f(x, y):
    np.add(x, x, out=y, casting="safe")  #! NPX0207
    return np.add(x, y, casting="no")  #! NPX0207
