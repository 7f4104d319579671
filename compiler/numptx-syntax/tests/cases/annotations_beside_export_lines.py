from typing import Callable

import numpy as np


#numptx export f(float64[:])
def f(a: "float64[:]"):
    return a


def exported(a: "int64[:]", n: int):
    return a


def for_readers(x: float, n: int):
    return x


def foreign(a: "np.ndarray", cb: "Callable[[int], int]"):
    return a
