import numpy as np


#numptx export f(float64[:], int)
def f(x, n):
    match x:
        case [a, b]:  #! NPX0401 match the members
            return a
        case {"key": a}:  #! NPX0401 parameters of their own
            return a
        case np.ndarray():  #! NPX0401 isinstance
            return 1.0
    match n > 1:
        case True:  #! NPX0401 write `if flag:`
            return 2.0
    match n:
        case _:  #! NPX0101 move it to the end
            return 3.0
        case 1:
            return 4.0
    return 5.0


COUNT = 1


#numptx export g(int)
def g(n):
    def inner():
        global COUNT  #! NPX0401 return the new value
        return COUNT

    total = 0

    def adds():
        nonlocal total  #! NPX0401
        total += 1

    adds()
    return inner() + total
