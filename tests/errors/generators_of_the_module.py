import numpy as np
from numpy.random import default_rng

rng = default_rng(0)
old = np.random.RandomState(0)
bits = np.random.PCG64(0)
both = (1.5, default_rng(1))
draw = default_rng(2).normal
FROM_IT = rng.random(3)  #! NPX0402
ANY = default_rng().random(3)  #! NPX0505
OF_THE_STATE = np.random.rand(3)  #! NPX0402


def stream(seed):
    own = default_rng(seed)

    def following(n):
        return own.random(n)

    return following


following = stream(4)


#numptx export a(int)
def a(n):
    return rng.random(n)  #! NPX0402 np.random.default_rng(0)


#numptx export b(int)
def b(n):
    return old.rand(n)  #! NPX0402


#numptx export c(int)
def c(n):
    return bits.random_raw(n)  #! NPX0402


#numptx export d(int)
def d(n):
    return both[1].random(n)  #! NPX0402


#numptx export e(int)
def e(n):
    return draw(size=n)  #! NPX0402


#numptx export f(int)
def f(n):
    return following(n)  #! NPX0402


#numptx export g(int)
def g(n):
    return FROM_IT * n


#numptx export h(int)
def h(n):
    return ANY * n


#numptx export i(int)
def i(n):
    return OF_THE_STATE * n


def noise(x, own=default_rng(0)):  #! NPX0405
    return x + own.normal()


#numptx export j(float)
def j(x):
    return noise(x)


def constant(x, n=np.random.rand()):  #! NPX0402
    return x + n


#numptx export k(float)
def k(x):
    return constant(x)
