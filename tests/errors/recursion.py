import numpy as np


def halves(x, n):  #! NPX0211
    return x if n < 2 else 0.5 * halves(x, n // 2)


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
    return halves(x, n), kinds(n), made(n)


#numptx export g(float64[:], int)
def g(x, n):
    return first(zip(x, x), n)
