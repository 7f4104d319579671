import os  #! NPX0409 nothing is to be done
import numba

import numpy as np


@numba.njit(parallel=True)
def scaled(x):
    y = np.empty_like(x)
    for i in numba.prange(len(x)):
        y[i] = 2.0 * x[i]
    return y


#numptx export f(float64[:])
def f(x):
    return scaled(x)


def show(x):
    print(os.getcwd(), x)
