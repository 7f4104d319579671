import numpy as np
import scipy.optimize
import decimal
from math import *
from . import sibling
from os import path


class Point:
    pass


try:
    import cupy
except ImportError:
    cupy = None

for i in range(3):
    pass

X = 1
X += 1
X.y = 2
np.seterr(all="ignore")
if X > 2:
    Y = 3
Z = [i for i in range(3)]
"a string by itself"
X = 2


#numptx export f(float64)
def f(x):
    return x


def f(x):
    return x + 1
