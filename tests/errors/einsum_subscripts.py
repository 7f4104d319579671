import numpy as np


#numptx export f(float64[:,:])
def f(x):
    a = np.einsum("ij,jk->ik", x)  #! NPX0505
    return a


#numptx export g(float64[:,:])
def g(x):
    return np.einsum("ijk->i", x)  #! NPX0505


#numptx export h(float64[:,:])
def h(x):
    return np.einsum("ij->ii", x)  #! NPX0505


#numptx export k(float64[:,:])
def k(x):
    return np.einsum("ij->k", x)  #! NPX0505


#numptx export m(float64[:,:])
def m(x):
    return np.einsum("i1->i", x)  #! NPX0505


#numptx export n(float64[:,:])
def n(x):
    return np.einsum("...j->j", x)  #! NPX0505
