import numpy as np

#numptx export looped(float64[:,:], int)
def looped(x, n):
    y = x * 2.0
    for i in range(n):
        w = y
        w.shape = (3, 2)  #! NPX0401
    return y


#numptx export left_early(float64[:,:], int)
def left_early(x, n):
    y = x * 2.0
    while n > 0:
        w = y
        if n > 3:
            w.shape = (3, 2)  #! NPX0401
            break
        n -= 1
    return y


#numptx export unrolled(float64[:,:])
def unrolled(x):
    y = x * 2.0
    for w, n in ((y, 2), (y, 3)):
        w.shape = (n, 6 // n)  #! NPX0401
    return y


#numptx export unrolled_partly(float64[:,:], int)
def unrolled_partly(x, k):
    y = x * 2.0
    for w, n in ((y, 2), (y, 3)):
        w.shape = (n, 6 // n)  #! NPX0401
        if n > k:
            break
    return y


#numptx export assigned_next(float64[:,:])
def assigned_next(x):
    y = x * 2.0
    y.shape, w = (2, 3), y  #! NPX0401
    return w


#numptx export assigned_next_inside(float64[:,:])
def assigned_next_inside(x):
    y = x * 2.0
    ((y.shape, n), *rest) = ((2, 3), 1), y  #! NPX0401
    return rest[0]


#numptx export assigned_in_a_chain(float64[:,:])
def assigned_in_a_chain(x):
    y = x * 2.0
    w, y.shape = pair = y, (2, 3)  #! NPX0401
    return pair[0]


def maker(x):
    y = x * 2.0

    def reshaped(n):
        y.shape = (n, 6 // n)  #! NPX0401
        return y

    return reshaped


#numptx export kept(float64[:,:])
def kept(x):
    return maker(x)(3)
