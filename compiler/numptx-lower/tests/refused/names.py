"""Names, calls and attributes that do not exist, or not here."""
import math

import numpy as np


#numptx export unknown(float64[:])
def unknown(x):
    y = x + offset  #! NPX0201
    z = sqr(x)  #! NPX0201
    return y + z


#numptx export modules(float64[:])
def modules(x):
    y = np.no_such_function(x)  #! NPX0501
    z = math.no_such(1.0)  #! NPX0501
    return y + z


#numptx export attributes(float64[:], float)
def attributes(x, s):
    a = x.length  #! NPX0205
    b = s.shape  #! NPX0205
    c = x.ctypes  #! NPX0205
    return a, b, c


#numptx export calls(float64[:])
def calls(x):
    a = x(1)  #! NPX0204
    b = helper(x)  #! NPX0502
    c = helper(x, 1, 2)  #! NPX0503
    d = helper(x, z=1)  #! NPX0504
    e = print(x)  #! NPX0402
    return a, b, c, d, e


def helper(x, y):
    return x + y


#numptx export recursive(int)
def recursive(n):
    def local(k):
        return local(k - 1) + local(k - 2)

    return local(n)


#numptx export iterates(int, float)
def iterates(n, x):
    for i in n:  #! NPX0408
        x += i
    for i in "abc":
        x += 1
    for i in range(2.5):  #! NPX0505
        x += i
    return x


#numptx export before(float64[:])
def before(x):
    y = z + x  #! NPX0202
    z = 1
    return y, z


