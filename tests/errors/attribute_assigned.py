import numpy as np

#numptx export f(float64[:,:], int)
def f(x, n):
    y = x + 1
    y.shape = n * n  #! NPX0401
    for _ in range(n):
        y = y[y > 0]
    return y
