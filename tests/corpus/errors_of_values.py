"""What fails at run time fails with NumPy's exceptions, before anything is written."""

import numpy as np


#numptx export index(float64[:,:], int, int)
# run: index(random((3, 4)), 3, 0)
# run: index(random((3, 4)), -4, 0)
# run: index(random((3, 4)), 0, 4)
# run: index(random((0, 4)), 0, 0)
# run: index(random((3, 4)), 2, 3)
def index(x, i, j):
    x[i] += 1
    return x[i, j]


#numptx export store_before_error(float64[:], int)
# run: store_before_error(random(3), 1)
# run: store_before_error(random(3), 7)
def store_before_error(x, i):
    x[0] = 100.0
    x[i] = 1.0
    x[1] = 200.0
    return x


#numptx export partly(float64[:], int64[:])
# run: partly(random(4), array([0, 1, 2]))
# run: partly(random(4), array([0, 9, 2]))
def partly(x, at):
    for i in range(len(at)):
        x[at[i]] = -1.0
    return x


#numptx export divide(int, int, float)
# run: divide(1, 0, 1.0)
# run: divide(1, 2, 0.0)
# run: divide(1, 2, 2.0)
def divide(a, b, c):
    return a // b, a / c


#numptx export modulo(int, int)
# run: modulo(1, 0)
# run: modulo(5, 3)
def modulo(a, b):
    return a % b


#numptx export shapes(float64[:,:], float64[:,:])
# run: shapes(random((3, 4)), random((3, 5)))
# run: shapes(random((3, 4)), random((4, 3)))
# run: shapes(random((3, 4)), random((4, 4)))
def shapes(x, y):
    z = x @ y
    return z + x


#numptx export wrong_store(float64[:,:], float64[:])
# run: wrong_store(random((3, 4)), random(3))
# run: wrong_store(random((3, 4)), random(4))
def wrong_store(x, y):
    x[0, 0] = 5.0
    x[:, :] = y
    return x


#numptx export negative_extent(int)
# run: negative_extent(-1)
# run: negative_extent(1)
def negative_extent(n):
    return np.zeros(n)


#numptx export to_int(float)
# run: to_int(2.7)
# run: to_int(-2.7)
# run: to_int(inf)
# run: to_int(nan)
def to_int(f):
    return int(f)


#numptx export empty_extremes(float64[:])
# run: empty_extremes(random(0))
# run: empty_extremes(random(1))
def empty_extremes(x):
    return x.max()


#numptx export empty_argmin(float64[:])
# run: empty_argmin(random(0))
# run: empty_argmin(random(1))
def empty_argmin(x):
    return x.argmin()


#numptx export float_power(float, float)
# run: float_power(0.0, -1.0)
# run: float_power(2.0, 0.5)
# run: float_power(2.0, 5000.0)
def float_power(a, b):
    return a**b


#numptx export square_root(float)
# run: square_root(2.0)
def square_root(a):
    return np.sqrt(a), a**0.5


#numptx export unpack_rows(float64[:,:])
# run: unpack_rows(random((2, 3)))
# run: unpack_rows(random((3, 3)))
def unpack_rows(x):
    a, b = x
    return a + b


#numptx export not_squeezable(float64[:,:])
# run: not_squeezable(random((2, 3)))
# run: not_squeezable(random((1, 3)))
def not_squeezable(x):
    return np.squeeze(x, axis=0)
