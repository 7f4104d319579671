import numpy as np


#numptx export f(float64[:])
def f(x):
    rows = np.broadcast_to(x, (3, x.size))
    np.add(x, 1, out=rows)  #! NPX0306
    return rows
