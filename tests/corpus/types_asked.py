"""`type(x)` is known when compiling: only the side that is taken is compiled."""

import numpy as np


def kind(x):
    if type(x) is float:
        return 1
    if type(x) == int:
        return 2
    if type(x) in (bool, np.float64):
        return 3 if type(x) is bool else 4
    if type(x) is np.ndarray:
        return 5 + x.ndim
    if type(x) is tuple:
        return 8 + len(x)
    if type(x) is type(None):
        return 11
    return 12 if type(x) is not np.float32 else 13


#numptx export of_python(float, int, bool)
# run: of_python(1.5, 3, True)
def of_python(x, n, b):
    return kind(x), kind(n), kind(b), kind(x > 2), kind(n / 2), kind((x, n)), kind(None)


#numptx export of_numpy(float64, float32, int64, float64[:,:])
# run: of_numpy(np.float64(1), np.float32(2), np.int64(3), ones((2, 2)))
def of_numpy(x, y, n, a):
    return kind(x), kind(y), kind(n), kind(a), kind(a[0, 0]), kind(a[0]), kind(a.sum()), kind(len(a)), kind(x * 2)


#numptx export of_each_other(float64, float, float64[:], float64[:,:])
# run: of_each_other(np.float64(1), 2.0, ones(2), ones((2, 2)))
def of_each_other(x, y, a, b):
    return type(x) is type(y), type(x) == type(a[0]), type(a) != type(b), isinstance(a[0], type(x)), type(y) == type(2.5)


#numptx export made(float32, int)
# run: made(np.float32(2.5), 3)
def made(x, n):
    zero = type(x)(0)
    return zero, type(n)(2.5), type(zero) is type(x), np.zeros(2, dtype=type(x))


#numptx export beside_dtypes(float32, float32[:])
# run: beside_dtypes(np.float32(1), ones(2, dtype=np.float32))
def beside_dtypes(x, y):
    return x.dtype == type(x), type(x) == y.dtype, type(x) is y.dtype, type(y[0]) is np.float32, type(x) == np.dtype("f4")


#numptx export refused_side(int)
# run: refused_side(3)
def refused_side(n):
    if type(n) is str:
        return n.upper()
    return n + 1
