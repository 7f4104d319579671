import numpy as np


#numptx export weighted(float64[:,:], int64[:])
def weighted(x, w):
    return np.nanquantile(x, 0.5, 1, weights=w)  #! NPX0504 np.quantile


#numptx export percentiles(float64[:,:], float64[:])
def percentiles(x, out):
    return np.nanpercentile(x, 5.0, 0, out)  #! NPX0504


#numptx export fitted(float64[:], float64[:])
def fitted(x, y):
    return np.polynomial.polynomial.polyfit(x, y, 1, None, True)  #! NPX0504


#numptx export sorted_by(float64[:])
def sorted_by(x):
    return x.argsort(-1, None, "name")  #! NPX0504 dtypes with fields


#numptx export quantiles(float64[:,:], float64[:])
def quantiles(x, out):
    return np.nanquantile(x, 0.5, 0, out)  #! NPX0504


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


#numptx export of_a_class(float64[:])
def of_a_class(x):
    return np.zeros_like(x, subok=False)  #! NPX0504


#numptx export cast(float64[:])
def cast(x):
    return x.astype(np.int64, "K", "safe")  #! NPX0207
