import numpy as np


#numptx export not_copied(float64[:], int)
def not_copied(x, n):
    ys = []
    for i in range(n):
        x += 1
        ys.append(x)
    return np.array(ys)  #! NPX0505


#numptx export shape_not_known(float64[:], int)
def shape_not_known(x, n):
    ys = []
    for i in range(n):
        x += 1
        ys.append(x.copy())
    return np.array(ys), ys[1], len(ys)  #! NPX0505


#numptx export pairs(float64[:], int)
def pairs(x, n):
    ys = []
    for i in range(n):
        ys.append((x[i], i))
    return np.array(ys)  #! NPX0505
