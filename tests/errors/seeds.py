import numpy as np
from numpy.random import RandomState, default_rng


#numptx export of_constants()
def of_constants():
    b = default_rng(2**128)  #! NPX0210
    c = default_rng(1.5)  #! NPX0505 default_rng(42)
    d = default_rng("12")  #! NPX0505
    e = default_rng([1, 2.5])  #! NPX0505
    f = default_rng(np.array(5))  #! NPX0505
    g = RandomState([2**100, 1])  #! NPX0505
    return b.random() + c.random() + d.random() + e.random() + f.random() + g.random_sample()


#numptx export of_a_literal()
def of_a_literal():
    return default_rng(0xFEDCBA9876543210FEDCBA9876543210).random()  #! NPX0210 words of 32 bits


#numptx export of_arrays(float64[:], int64[:,:])
def of_arrays(x, k):
    return default_rng(x).random() + default_rng(k).random()  #! NPX0505 vectors of ints
