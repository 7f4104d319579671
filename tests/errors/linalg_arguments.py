import numpy as np


#numptx export vector(float64[:])
def vector(x):
    return np.linalg.svd(x)  #! NPX0505 x[None]


#numptx export word(float64[:,:])
def word(x):
    return np.linalg.qr(x, "economic")  #! NPX0505 strings


#numptx export triangle(float64[:,:])
def triangle(x):
    return np.linalg.eigh(x, "lower")  #! NPX0505


#numptx export flag(float64[:,:], float64)
def flag(x, b):
    return np.linalg.svd(x, full_matrices=b)  #! NPX0505 constant


#numptx export tolerance(float64[:,:])
def tolerance(x):
    return np.linalg.pinv(x, rtol=1e-3)  #! NPX0504 rcond


#numptx export output(float64[:,:], float64[:,:])
def output(x, out):
    return np.linalg.multi_dot([x, x, x], out=out)  #! NPX0504 out[...]


#numptx export axis(float64[:,:])
def axis(x):
    return np.linalg.norm(x, axis=2)  #! NPX0304


#numptx export power(float64[:,:], float64)
def power(x, n):
    return np.linalg.matrix_power(x, n)  #! NPX0505 int(x)


#numptx export index(float64[:,:,:], int)
def index(x, n):
    return np.linalg.tensorinv(x, n)  #! NPX0505


#numptx export member(float64[:,:])
def member(x):
    return np.linalg.svd(x).V  #! NPX0205


#numptx export unknown(float64[:,:])
def unknown(x):
    return np.linalg.eigs(x)  #! NPX0501 eig
