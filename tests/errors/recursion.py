import numpy as np


def shifts(x, n):  #! NPX0211
    if n < 2:
        return lambda y: x + y
    shifted = shifts(x, n // 2)
    return shifted


def halves(x, n):
    if n < 2:
        return x, 0
    y, steps = halves(x, n // 2)
    return y * 0.5j, steps + 1  #! NPX0209


def kinds(n):
    return n if n < 2 else kinds(n - 1) * 0.5  #! NPX0209


def first(values, n):
    return 0 if n == 0 else 1 + first(values, n - 1)  #! NPX0211


def made(n):
    if n == 0:
        return 0.0
    return made(n - 1) + missing  #! NPX0201


#numptx export f(float64[:], int)
def f(x, n):
    return shifts(x, n)(1.0), halves(x, n), kinds(n), made(n)


#numptx export g(float64[:], int)
def g(x, n):
    return first(zip(x, x), n)
