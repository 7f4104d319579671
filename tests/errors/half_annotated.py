import numpy as np


def f(x: "float64[:]", n):  #! NPX0108
    return x * n
