import numpy as np


def strings(a: "float64[:, :]", n: "int or float", m: int = 3) -> "float64[:, :]":
    return a * n


def plain(x: float, n: int, c: np.complex64):
    return x


def _private(x: float):
    return x


def partly(a: "float64[:]", n):
    return a


def constant() -> "float":
    return 1.0
