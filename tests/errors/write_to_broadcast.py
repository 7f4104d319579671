import numpy as np


#numptx export f(float64[:])
def f(x):
    y = np.broadcast_to(x, (3, len(x)))
    y[0, 0] = 1.0  #! NPX0306
