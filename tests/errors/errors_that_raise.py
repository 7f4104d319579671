import numpy as np


#numptx export raises(float64[:])
def raises(x):
    with np.errstate(divide="ignore", over="raise"):  #! NPX0401 `if not np.isfinite(y).all(): raise FloatingPointError
        return 1.0 / x


#numptx export warns(float64[:], str)
def warns(x, how):
    with np.errstate(all="warn"):  #! NPX0401
        return np.log(x)


#numptx export opened(float64[:])
def opened(x):
    with open("x") as file:  #! NPX0401
        return x


#numptx export set_before(float64[:])
def set_before(x):
    np.seterr(all="ignore")  #! NPX0501 `with np.errstate(all="ignore"):` is compiled
    return 1.0 / x
