from dataclasses import dataclass


@dataclass
class P:
    x: float

    @classmethod
    def zero(cls):
        return cls(0.0)


#numptx export f(float)
def f(x):
    return P.zero()  #! NPX0404 write a function at module level
