from typing import NamedTuple


class P(NamedTuple):
    x: float

    def __add__(self, other):  #! NPX0404 def added(p, q)
        return P(self.x + other.x)


#numptx export f(P)
def f(p):
    return p + p
