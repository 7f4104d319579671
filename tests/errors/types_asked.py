import numpy as np


#numptx export of_function(float64[:])
def of_function(x):
    return type(np.sin) is float  #! NPX0505


#numptx export two(int)
def two(n):
    return type(n, n)  #! NPX0505


#numptx export ordered(int, float)
def ordered(n, x):
    return type(n) < type(x)  #! NPX0206

