import math

import numpy as np


#numptx export medians(float64[:,:])
def medians(m):
    return np.median(m, axis=(0, 1))  #! NPX0505


#numptx export counted(float64[:], float64[:])
def counted(x, edges):
    return np.histogram(x, bins=edges)  #! NPX0505


#numptx export searched(float64[:,:], float64[:])
def searched(x, v):
    return np.searchsorted(x, v)  #! NPX0505 x.ravel()


#numptx export side(float64[:], float64[:])
def side(x, v):
    return np.searchsorted(x, v, "middle")  #! NPX0505


#numptx export no_such_axis(float64[:,:])
def no_such_axis(x):
    return np.average(x, axis=2)  #! NPX0304


#numptx export parts(complex128[:])
def parts(z):
    return np.median(z)  #! NPX0505 z.real


#numptx export of_a_float(float)
def of_a_float(x):
    return math.gcd(x, 3)  #! NPX0505


#numptx export read_only(float64[:])
def read_only(x):
    np.copyto(np.broadcast_to(x, (3, 3)), 0.0)  #! NPX0306


#numptx export no_array(float)
def no_array(x):
    np.putmask(x, True, 0.0)  #! NPX0505


#numptx export weights(float64[:,:], float64[:])
def weights(x, w):
    return np.average(x, weights=w)  #! NPX0505
