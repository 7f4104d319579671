import numpy as np


def endless(n):
    while True:
        yield n
        n += 1


def few(n):
    for i in range(n):
        yield i


#numptx export f(int)
def f(n):  
    for i in range(n):
        yield i  #! NPX0402


#numptx export g(int)
def g(n):
    return list(endless(n))  #! NPX0402


#numptx export h(int)
def h(n):
    values = few(n)  #! NPX0402
    return sum(values)


#numptx export k(int)
def k(n):
    x = yield n  #! NPX0402
    return x
