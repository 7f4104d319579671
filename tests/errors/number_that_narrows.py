import numpy as np


#numptx export f(float32[:], bool)
def f(x, b):
    s = 0.1
    for v in x:
        if v > 0.5:
            s += v  #! NPX0209
    g = np.sin if b else np.cos  #! NPX0209
    return s, g(x), x[0] if b else 0.3  #! NPX0209
