# The library's own loops are nobody's one thread.
import numpy as np


#numptx export solved(complex128[:,:], complex128[:,:])
def solved(a, b):
    return np.linalg.solve(a, b)


#numptx export inverted(float64[:,:])
def inverted(a):
    return np.linalg.inv(a)


#numptx export determinant(float32[:,:])
def determinant(a):
    return np.linalg.det(a)


#numptx export root(float64[:,:])
def root(a):
    return np.linalg.cholesky(a)
