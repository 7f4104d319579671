import numpy as np

#numptx export argument(float64[:,:], int)
def argument(x, n):
    x.shape = n * n  #! NPX0401
    return x[:n]


#numptx export either(float64[:,:], int)
def either(x, n):
    y = x + 1
    z = y if n > 3 else x
    y.shape = n * n  #! NPX0401
    return z[:n]


#numptx export member(float64[:,:], int)
def member(x, n):
    y = x + 1
    pair = (y, n)
    y.shape = n * n  #! NPX0401
    return pair[0][:n]


#numptx export looped(float64[:,:], int)
def looped(x, n):
    y = x + 1
    for _ in range(n):
        y.shape = n, n  #! NPX0401
    return y[:n]


def flattened(y, n):
    y.shape = n * n  #! NPX0401
    return y


#numptx export of_caller(float64[:,:], int)
def of_caller(x, n):
    y = x + 1
    return flattened(y, n)[:n], y.ndim


#numptx export other(float64[:,:], int)
def other(x, n):
    y = x + 1
    y.dtype = np.float32  #! NPX0401
    return y[:n]
