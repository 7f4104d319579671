from collections import namedtuple

P = namedtuple("P", "x y")


#numptx export f(P)  #! NPX0407 x: float
def f(p):
    return p.x
