import numpy as np


#numptx export f(int)
def f(n):
    return np.array([i * j for i in range(n) for j in range(i)])  #! NPX0402
