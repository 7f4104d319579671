import numpy as np


#numptx export pairs(float64[:], int)
def pairs(x, n):
    ys = []
    for i in range(n):
        ys.append((x[i], i))
    return np.array(ys)  #! NPX0505
