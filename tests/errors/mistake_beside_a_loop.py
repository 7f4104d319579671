import numpy as np


#numptx export product(float64[:, :], float64[:, :])
def product(a, b):
    c = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]
    return c


#numptx export f(float64[:])
def f(x):
    return np.sine(x)  #! NPX0501
