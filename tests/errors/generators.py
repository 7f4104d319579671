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


def tree(n):
    if n > 0:
        yield from tree(n - 1)
        yield n
        yield from tree(n - 1)


#numptx export walked(int)
def walked(n):
    return list(tree(n))  #! NPX0402


def several():
    yield 0
    yield 1
    yield 2
    yield 3
    yield 4
    yield 5
    yield 6
    yield 7
    yield 8
    yield 9
    yield 10
    yield 11
    yield 12
    yield 13
    yield 14
    yield 15
    yield 16
    yield 17
    yield 18
    yield 19
    yield 20
    yield 21
    yield 22
    yield 23
    yield 24
    yield 25
    yield 26
    yield 27
    yield 28
    yield 29


#numptx export too_many(int)
def too_many(n):
    total = 0
    for a in several():  #! NPX0402
        for b in several():
            for c in several():
                for d in several():
                    total += a * b * c * d
    return total
