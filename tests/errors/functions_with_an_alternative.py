import numpy as np


#numptx export f(float64[:], float64)
def f(x, t):
    for v in np.flatiter(x):  #! NPX0501 y.ravel()
        t += v
    first = None
    for i, v in enumerate(x):
        if v > t:
            first = i
            break
    y = np.random.get_state()  #! NPX0501
    for i, v in reversed(list(enumerate(x))):
        x[i] = v
    return first, y
