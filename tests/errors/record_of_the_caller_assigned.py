from dataclasses import dataclass


@dataclass
class P:
    x: float


#numptx export f(P)
def f(p):
    p.x = 1.0  #! NPX0306 replace(p, x=1.0)
    return p.x
