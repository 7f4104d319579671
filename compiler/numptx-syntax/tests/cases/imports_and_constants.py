"""A module's docstring."""
from __future__ import annotations
import numpy as np, math
import numpy
import numpy.linalg as la
from numpy import newaxis as na, sqrt
from math import pi as PI

N: int = 3
A, B = 1, -2.5e3
C = D = 0x10 + 1_000

#numptx export first(float64[:, :]), N


def first(a):
    """What it does."""
    return a[0, np.newaxis, na, None, ..., 1:, ::-1, :N:2]


if __name__ == "__main__":
    import sys
    print(first(np.ones((2, 2))), sys.argv)
