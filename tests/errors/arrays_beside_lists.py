import numpy as np


#numptx export f(float64[:])
def f(x):
    a = np.array([x, [1.0, 2.0]])  #! NPX0505
    b = np.array([[1.0, 2.0], 3.0])  #! NPX0505
    c = np.array([[1.0, 2.0], [3.0]])  #! NPX0505
    return a, b, c
