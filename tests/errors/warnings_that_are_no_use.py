import warnings
from warnings import catch_warnings, filterwarnings, simplefilter

import numpy as np


#numptx export recorded(float64[:])
def recorded(x):
    with warnings.catch_warnings(record=True):  #! NPX0401 np.isfinite
        return 1.0 / x


#numptx export listed(float64[:])
def listed(x):
    with catch_warnings() as found:  #! NPX0401 np.isfinite
        return 1.0 / x


#numptx export always(float64[:])
def always(x):
    with warnings.catch_warnings(action="always"):  #! NPX0401 raise ValueError
        return 1.0 / x


#numptx export raised(float64[:])
def raised(x):
    with catch_warnings():
        simplefilter("error")  #! NPX0402 set the filter in Python
        filterwarnings(action="once", category=RuntimeWarning)  #! NPX0402 set the filter in Python
        return 1.0 / x


#numptx export called(float64[:], float list)
def called(x, xs):
    warnings.warn(f"left out: {xs.pop()}")  #! NPX0402 in a statement of its own
    return x


#numptx export drawn(float64[:], Generator)
def drawn(x, rng):
    warnings.warn(f"left out: {rng.normal()}")  #! NPX0402 in a statement of its own
    return x


#numptx export written(float64[:])
def written(x):
    warnings.warn("left out", UserWarning if np.sum(x, out=x[0]) > 0 else RuntimeWarning)  #! NPX0402 in a statement of its own
    return x


#numptx export reset(float64[:])
def reset(x):
    warnings.resetwarnings()  #! NPX0501 compiled code warns of nothing
    return x
