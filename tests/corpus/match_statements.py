"""`match` on constants, names of the module that are said to be global, and strings in several pieces."""

import math

import numpy as np

SCALE = 2.5
LIMITS = np.array([1.0, 2.0])


#numptx export kernel(str, float64[:])
# run: kernel("gauss", random(5))
# run: kernel("tri" "angle", random(5))
# run: kernel("box", random(5))
# run: kernel("other", random(5))
# run: kernel("other", random(0))
def kernel(name, x):
    match name:
        case "gauss":
            y = np.exp(-x * x)
        case "tri" "angle" | "tent":
            y = 1.0 - np.abs(x)
        case "box":
            y = np.ones_like(x)
        case _:
            if len(x) == 0:
                raise ValueError("no kernel " "of that name")
            y = -x
    return y


#numptx export numbers(int64[:])
# run: numbers(arange(-3, 12))
def numbers(x):
    total = 0
    for i in range(len(x)):
        match x[i]:
            case 0:
                total += 1
            case 1 | 2 | 3:
                total += 10
            case -1:
                total += 100
            case v if v > 8:
                total += v * 1000
            case 4 | 5 as w if w == 5:
                total += 7
            case v:
                total -= v
    return total


#numptx export axes(float64[:])
#numptx export axes(float64[:,:])
# run: axes(random(4))
# run: axes(random((2, 3)))
def axes(x):
    match x.ndim:
        case 1:
            return x[0]
        case 2:
            return x[0, 1]
    return 0.0


#numptx export pairs(int, int)
# run: pairs(0, 0)
# run: pairs(0, 4)
# run: pairs(5, 0)
# run: pairs(5, 6)
# run: pairs(7, 7)
def pairs(a, b):
    match (a, b + 0):
        case (0, 0):
            return 1
        case (0, y):
            return y
        case (x, 0):
            return -x
        case (5, 6) | (6, 5):
            return 56
        case both if both[0] == both[1]:
            return 77
    return 0


#numptx export optional(float64[:], int?)
#numptx export optional(float64[:], None)
# run: optional(random(3))
# run: optional(random(3), 2)
# run: optional(random(3), 4)
# run: optional(random(3), None)
def optional(x, n=None):
    match n:
        case None:
            return x.sum()
        case 2:
            return x[0] * math.pi
        case _:
            return x[1] * n


#numptx export outer(float64[:])
# run: outer(random(3))
def outer(x):
    global SCALE, LIMITS
    offset = 1.0

    def inner(v):
        nonlocal offset
        return v * SCALE + offset

    return inner(x) + LIMITS[1]


#numptx export given(float, float)
# run: given(1.0, 2.0)
def given(a, b):
    return by_kind(a, b, scale=2.0) + by_kind(a, b)


def by_kind(a, /, b, *, scale=1.0):
    return a + b * scale
