import numpy as np


#numptx export weighted(float64[:,:], int64[:])
def weighted(x, w):
    return np.cov(x, None, True, False, None, w)  #! NPX0504 np.repeat


#numptx export rows(float64[:,:])
def rows(x):
    return np.unique(x, False, False, False, 0)  #! NPX0504


#numptx export steps(int)
def steps(n):
    return np.linspace(0.0, 1.0, n, True, True)  #! NPX0504 (stop - start) / (num - 1)


#numptx export sorted_by(float64[:])
def sorted_by(x):
    return x.argsort(-1, None, "name")  #! NPX0504 dtypes with fields


#numptx export medians(float64[:,:], float64[:])
def medians(x, out):
    return np.median(x, 0, out)  #! NPX0504


#numptx export added(float64[:], float64[:])
def added(x, y):
    return np.add(x, y, order="F")  #! NPX0504


#numptx export clipped(float64[:], bool[:])
def clipped(x, m):
    return np.clip(x, 0.0, 1.0, where=m)  #! NPX0504 np.where


#numptx export by_another_name(float64[:])
def by_another_name(x):
    return x.clip(a_min=0.0)  #! NPX0504


#numptx export the_array_by_name(float64[:])
def the_array_by_name(x):
    return x.sum(a=x)  #! NPX0504


#numptx export by_position_only(int64[:])
def by_position_only(x):
    return np.bincount(x=x)  #! NPX0504


#numptx export by_name_only(float64[:])
def by_name_only(x):
    return np.argmax(x, None, None, True)  #! NPX0503


#numptx export read_as(float64[:])
def read_as(x):
    return x.view(np.int64)  #! NPX0504


#numptx export cast(float64[:])
def cast(x):
    return x.astype(np.int64, "K", "safe")  #! NPX0207
