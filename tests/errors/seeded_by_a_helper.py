import random

import numpy as np
from numpy.random import seed as begin

random.seed(3)
state = np.random


def prepare(k):
    begin(k)


def prepared(k):
    prepare(k)
    return k


FIRST = prepared(1)


#numptx export drawn(int)
def drawn(n):
    return state.rand(n)  #! NPX0402 np.random.seed(0)


#numptx export on_one_path(int)
def on_one_path(n):
    if n > 1:
        np.random.seed(n)
    return np.random.rand(n)  #! NPX0402 np.random.seed(0)


#numptx export in_the_loop(int)
def in_the_loop(n):
    total = 0.0
    for k in range(n):
        begin(k)
        total += np.random.rand()
    return total
