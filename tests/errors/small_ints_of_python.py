import numpy as np


#numptx export doubled(uint8[:], int64[:])
def doubled(x, y):
    for i in range(len(x)):
        y[i] = min(x[i], 200) * 2  #! NPX0209 np.uint8(…)


#numptx export limited(uint8[:], int64[:])
def limited(x, y):
    for i in range(len(x)):
        v = x[i]
        if v > 100:
            v = 100
        y[i] = v * 3  #! NPX0209 int(x[i])


#numptx export larger(int32[:], int)
def larger(x, k):
    return max(x[0], k)  #! NPX0209 np.int32(…)


#numptx export least(uint8[:], int64[:])
def least(x, y):
    for i in range(len(x)):
        y[i] = min(x[i], -300)  #! NPX0209


#numptx export other(uint8[:], int64[:])
def other(x, y):
    for i in range(len(x)):
        v = x[i] or 200
        y[i] = -v  #! NPX0209


def clip(v, low, high):
    if v < low:
        return low
    if v > high:
        return high
    return v


#numptx export clipped(int16[:], int64[:])
def clipped(x, y):
    for i in range(len(x)):
        y[i] = abs(clip(x[i], -50, 200))  #! NPX0209


#numptx export greatest(uint8[:])
def greatest(x):
    best = 100
    for v in x:
        if v > best:
            best = v
    return best * 3  #! NPX0209


#numptx export asked(uint8[:])
def asked(x):
    return isinstance(max(x[0], 100), int)  #! NPX0209
