from dataclasses import dataclass


@dataclass
class P:
    x: float


#numptx export f(int)
def f(n):  #! NPX0407 [p.x for p in points]
    points = [P(float(k)) for k in range(n)]
    for p in points:
        p.x += 1.0
    return points
