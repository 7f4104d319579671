from dataclasses import dataclass


@dataclass
class P:
    x: float

    def __post_init__(self):
        self.x = 2.0 * self.x


#numptx export f(float)
def f(x):
    return P(x).x  #! NPX0404 def made(x)
