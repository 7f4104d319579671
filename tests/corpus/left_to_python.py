"""Files as users have them: imports, classes, plots and benchmarks around the functions, and decorators of other compilers."""

import os
import sys
import time
from typing import TYPE_CHECKING

import numpy as np

try:
    import numba as nb
    from numba import guvectorize, njit, prange, vectorize
except ImportError:

    class nb:
        @staticmethod
        def njit(f=None, **options):
            return f if callable(f) else (lambda g: g)

        prange = range

    prange = range

    def njit(f=None, **options):
        return f if callable(f) else (lambda g: g)

    def vectorize(*signatures):
        return lambda f: f

    def guvectorize(*signatures):
        return lambda f: f


try:
    import matplotlib.pyplot as plt
except ImportError:
    plt = None

if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = {"colour": "red", "width": 2}
SCALE = 2.0
WEIGHTS = np.array([0.25, 0.5, 0.25])
LOG = []
LOG.append(SCALE)
start = time.perf_counter()
HERE, NAME = os.path.split(os.path.abspath(__file__))
if sys.version_info >= (3, 11):
    MODERN = True
else:
    MODERN = False


class Timer:
    def __init__(self):
        self.start = start


@njit(parallel=True, fastmath=False, cache=True)
def scaled(x):
    y = np.empty_like(x)
    for i in prange(len(x)):
        y[i] = x[i] * SCALE + WEIGHTS[1]
    return y


@nb.njit("float64(float64)")
def softplus(x):
    return np.log1p(np.exp(x))


@vectorize(["float64(float64)"])
def positive(x):
    return x if x > 0.0 else 0.0


#numptx export f(float64[:])
# run: f(random(9) - 0.5)
@njit
def f(x):
    result = scaled(x)
    for i in nb.prange(len(x)):
        result[i] += softplus(x[i]) + positive(x[i])
    return result


#numptx export cumulated(float64[:], float64[:])
# run: x = random(9); y = zeros(9); cumulated(x, y)
@guvectorize(["void(float64[:], float64[:])"], "(n)->(n)")
def cumulated(x, y):
    total = 0.0
    for i in range(len(x)):
        total += x[i]
        y[i] = total


def triple(x):
    return 3.0 * x


fast_triple = njit(triple)
triple = njit(triple)


#numptx export tripled(float64[:])
# run: tripled(random(3))
def tripled(x):
    return fast_triple(x) + triple(x)


def plot(x):
    plt.plot(f(x), **OPTIONS)


example = f(np.ones(3))
result = [example.sum() for _ in range(2)]
del example


class CC:
    """Stands for `numba.pycc.CC`, which newer versions do not have."""

    def __init__(self, name):
        self.name = name

    def export(self, name, signature):
        return lambda f: f


cc = CC("kernels")
sigmoid = njit(lambda v: 1.0 / (1.0 + np.exp(-v)))


#numptx export squashed(float64[:]):
# run: squashed(array([0.0, 1.0, -inf, nan]))
# run: squashed(array([]))
def squashed(x):
    return sigmoid(x)
