from dataclasses import dataclass


@dataclass
class Base:
    x: float


@dataclass
class P(Base):
    y: float


#numptx export f(float)
def f(x):
    return P(x, x).y  #! NPX0404 write all fields in one class
