import numpy as np

TABLE = np.zeros(4)
TABLE[1] = 2.0
VIEW = np.arange(9.0)
PART = VIEW[1:]
PART.sort()
N = 1
N += 1
LIMIT = 1.0
LIMIT = 2.0
for LAST in range(3):
    pass

if N > 1:
    FAST = True

try:
    from fast import speed
except ImportError:
    def speed(x):
        return x


def fill():
    COUNTS[0] = 1


COUNTS = np.zeros(3)
fill()


#numptx export f(float64[:])
def f(x):
    a = x[0] * TABLE[1]  #! NPX0404 make it in one expression
    b = a + VIEW[0]  #! NPX0404
    c = b + N  #! NPX0404
    d = c + LIMIT  #! NPX0113
    e = d + LAST  #! NPX0404
    g = 1 if FAST else 2  #! NPX0404
    h = speed(x)  #! NPX0403
    return COUNTS[0]  #! NPX0404
