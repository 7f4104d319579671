"""Imports in functions, of functions in functions, and in branches; names of `from numpy import *`."""

from math import *
from numpy import *
import numpy


#numptx export local(float64[:])
# run: local(random(7))
def local(x):
    import numpy as xp
    from math import sqrt as root

    return xp.sqrt(x) + root(2.0) + x[xp.newaxis, :][0]


#numptx export in_branches(float64[:], int)
# run: in_branches(random(7), 1)
# run: in_branches(random(7), -1)
def in_branches(x, n):
    if x.ndim == 1:
        from numpy import exp as g
    else:
        from numpy import sin as g
    total = 0.0
    for i in range(n):
        import math

        total += math.floor(x[i] * 10.0)
    return g(x) * total


#numptx export nested(float64[:])
# run: nested(random(5))
def nested(x):
    def inner(v):
        from numpy import exp, sum

        return exp(v) / sum(x)

    from numpy import newaxis as axis

    return inner(x)[axis, :]


#numptx export shadowed(float64[:])
# run: shadowed(random(5))
def shadowed(x):
    exp = x.mean()

    def inner(v):
        from numpy import exp

        return exp(v)

    return inner(x) * exp


#numptx export stars(float64[:], float64)
# run: stars(random(5), 2.0)
def stars(x, y):
    return sum(sqrt(x)) + max(abs(x)) + pi * y + any(x > 2.0) + numpy.round(y)


#numptx export parallel(float64[:])
# run: parallel(random(50))
def parallel(x):
    from numptx import prange

    y = zeros_like(x)
    for i in prange(len(x)):
        y[i] = x[i] * 2.0
    return y
