import math

import numpy as np


#numptx export running(float64[:])
def running(x):
    for i in range(1, len(x)):  #! NPX0601
        x[i] = 0.5 * x[i - 1] + x[i]
    return x


#numptx export shifted(float64[:], float64[:])
def shifted(x, y):
    for i in range(1, len(x)):
        x[i] = 0.5 * y[i - 1] + x[i]
    return x


# A loop that stores nothing is told of, too, and one in parallel before it is not.
#numptx export polynomials(float64[:], float64[:])
def polynomials(c, x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        s = 0.0
        for k in range(len(c)):
            s = s * x[i] + c[k]
        y[i] = s
    return y


#numptx export decayed(float64[:], float)
def decayed(x, a):
    s = 0.0
    for i in range(len(x)):  #! NPX0601
        s = a * s + x[i]
    return s


#numptx export checked(float64[:], float64[:])
def checked(x, y):
    for i in range(1, len(x)):  #! NPX0601
        if y[i] < 0.0:
            raise ValueError("below 0")
        x[i] = x[i - 1] + y[i]


# Scalars alone are the host's work.
#numptx export root(float, int)
def root(a, n):
    x = a
    for _ in range(n):
        x = 0.5 * (x + a / x)
    return x


# What is read ahead is copied before.
#numptx export looking_ahead(float64[:])
def looking_ahead(x):
    for i in range(len(x) - 1):
        x[i] = 0.5 * x[i + 1] + x[i]


# A loop on the host that takes what a slow one left, and has a slow one in it.
#numptx export one_name(float64[:], float64[:], float64)
def one_name(x, y, tol):
    s = 0.0
    for i in range(x.shape[0]):  #! NPX0601
        s = math.sin(s) + x[i]
        x[i] = s
    it = 0
    while it < 1000 and y[0] > tol:
        it += 1
        for i in range(y.shape[0]):  #! NPX0601 `for row in range(rows):` around `for i in range(y.shape[0]):`
            s = math.sin(s) * y[i]
            y[i] = s
    return s
