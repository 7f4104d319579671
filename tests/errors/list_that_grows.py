import numpy as np


#numptx export f(float64[:])
def f(x):
    out = []
    for v in x:
        if v > 0.0:
            out.append(v)  #! NPX0205
    return np.array(out)


#numptx export g(float64[:])
def g(x):
    y = [0] * len(x)  #! NPX0206
    return y[0]
