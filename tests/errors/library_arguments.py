import math

import numpy as np


#numptx export medians(float64[:,:], int)
def medians(m, k):
    return np.median(m, axis=k)  #! NPX0505


#numptx export counted(float64[:])
def counted(x):
    return np.histogram(x, bins=2.5)  #! NPX0505 bins=10


#numptx export ruled(float64[:])
def ruled(x):
    return np.histogram(x, "stone")  #! NPX0505 'doane'


#numptx export spread(float64[:,:], float64[:])
def spread(m, x):
    return np.gradient(m, x, x, x)  #! NPX0505 np.gradient(x, dx)


#numptx export at_a_word(float64[:])
def at_a_word(x):
    return np.quantile(x, "half")  #! NPX0505 np.quantile(x, 0.5)


#numptx export expanded(complex128[:])
def expanded(z):
    return np.poly(z)  #! NPX0505 np.convolve


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
