import functools
import numba
from numba import guvectorize, stencil, vectorize


def traced(f):
    return f


@traced
def helper(x):  # nobody calls it
    return x


@functools.lru_cache(maxsize=None)  #! NPX0401 computes again
def remembered(n):
    return n * 2


@stencil  #! NPX0401 write the loop
def kernel(a):
    return a[0] + a[1]


@traced  #! NPX0401
def called(x):
    return x


@vectorize
def positive(x):
    return x if x > 0 else 0.0


@guvectorize(["void(float64[:], float64[:])"], "(n)->(n)")
def running(x, y):
    for i in range(len(x)):
        y[i] = x[i]


#numptx export f(float64[:], int)
def f(x, n):
    y = positive(x)  #! NPX0401 write the loop
    running(x, x)  #! NPX0401 leave the decorator out
    numba.set_num_threads(2)  #! NPX0501
    return remembered(n) + called(n) + kernel(x)


@vectorize
#numptx export halved(float64[:])  #! NPX0401 export a function with the loop
def halved(x):
    return x / 2
