from dataclasses import dataclass


@dataclass
class P:
    x: float


#numptx export f(int)
def f(n):
    p = P(n)  #! NPX0209 x=0.0
    p.x = 0.5  #! NPX0209 x=0.0
    return p.x
