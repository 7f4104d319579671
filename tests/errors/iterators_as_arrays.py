import numpy as np


#numptx export f(float64[:], int)
def f(x, n):
    a = np.array(zip(x, x))  #! NPX0505 np.array(list(zip(x, y)))
    b = x[reversed(range(n))]  #! NPX0406
    c = range(n)[0, 1]  #! NPX0406 r[1:n]
    d = range(n) + 1  #! NPX0206
    return a, b, c, d


#numptx export g(int list list)
def g(xs):
    return np.array([[k for k in row] for row in xs], dtype=np.int8)  #! NPX0505 astype
