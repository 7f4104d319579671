import numpy as np


#numptx export f(int)
def f(n):
    return np.zeros(n, dtype=np.float128)  #! NPX0501


#numptx export g(int)
def g(n):
    return np.zeros(n, dtype="float128")  #! NPX0505
