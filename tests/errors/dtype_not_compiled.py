import numpy as np


#numptx export f(int)
def f(n):
    return np.zeros(n, dtype=np.float16)  #! NPX0501


#numptx export g(int)
def g(n):
    return np.zeros(n, dtype="float16")  #! NPX0505
