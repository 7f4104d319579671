from typing import NamedTuple


class P(NamedTuple):
    x: float


#numptx export f(P)
def f(p):
    return p.z  #! NPX0205 `x`
