import numpy as np


#numptx export f(float64[:], float64)
def f(x, t):
    for i, v in np.ndenumerate(x):  #! NPX0501
        x[i] = v
    first = None
    for i, v in enumerate(x):
        if v > t:
            first = i
            break
    y = np.random.rand(3)  #! NPX0501
    for i, v in reversed(list(enumerate(x))):
        x[i] = v
    return first, y
