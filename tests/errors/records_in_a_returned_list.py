from typing import NamedTuple


class P(NamedTuple):
    x: float


#numptx export f(int)
def f(n):  #! NPX0407 [p.x for p in points]
    return [P(float(k)) for k in range(n)]
