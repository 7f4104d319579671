import numpy as np


#numptx export two_names(float64[:])
def two_names(x):
    ys = []
    zs = ys
    for v in x:
        ys.append(v)  #! NPX0205
    return len(zs)


#numptx export sometimes(float64[:])
def sometimes(x):
    ys = []
    for v in x:
        if v > 0:
            ys.append(v)  #! NPX0205
    return np.array(ys)


#numptx export left_early(float64[:])
def left_early(x):
    ys = []
    for v in x:
        if v > 0:
            break
        ys.append(v)  #! NPX0205
    return np.array(ys)


#numptx export left_out(float64[:])
def left_out(x):
    ys = []
    for v in x:
        if v > 0:
            continue
        ys.append(v)  #! NPX0205
    return np.array(ys)


#numptx export read_inside(float64[:])
def read_inside(x):
    ys = [0.0]
    for v in x:
        ys.append(ys[-1] + v)  #! NPX0205
    return np.array(ys)


#numptx export in_a_while(int)
def in_a_while(n):
    ys = []
    while n > 1:
        ys.append(n)  #! NPX0205
        n //= 2
    return np.array(ys)


#numptx export not_copied(float64[:], int)
def not_copied(x, n):
    ys = []
    for i in range(n):
        x += 1
        ys.append(x)  #! NPX0402
    return np.array(ys)


#numptx export shape_not_known(float64[:], int)
def shape_not_known(x, n):
    ys = []  #! NPX0402
    for i in range(n):
        x += 1
        ys.append(x.copy())
    return np.array(ys), ys[1], len(ys)


#numptx export pairs(float64[:], int)
def pairs(x, n):
    ys = []
    for i in range(n):
        ys.append((x[i], i))  #! NPX0402
    return np.array(ys)


#numptx export after_the_loop(float64[:])
def after_the_loop(x):
    ys = []
    for v in x:
        ys.append(v)
    ys.append(3.0)  #! NPX0205
    return np.array(ys)


#numptx export two_types(float, int)
def two_types(dt, n):
    ys = [0]  #! NPX0402
    for i in range(n):
        ys.append(dt * i)
    return np.array(ys)
