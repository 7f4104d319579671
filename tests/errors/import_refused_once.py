from scipy.optimize import brentq


#numptx export f(float64[:])
def f(x):
    y = brentq(x, 0.0, 1.0)  #! NPX0403 call the rest in Python
    return brentq(x, y, 1.0)
