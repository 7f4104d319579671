import numpy as np


#numptx export message(float64[:])
def message(x):
    s = 0
    for v in x:
        s += float(v)
    if s > 1.0:
        raise ValueError(f"the sum is {s}")  #! NPX0209
    return s


#numptx export test_of_type(float64[:])
def test_of_type(x):
    s = 0
    for v in x:
        s += float(v)
    return isinstance(s, int)  #! NPX0209


#numptx export dtype_of_a_product(float64[:], int32[:])
def dtype_of_a_product(x, k):
    s = 0
    for v in x:
        s += float(v)
    return s * k  #! NPX0209


#numptx export dtype_of_an_array(float64[:])
def dtype_of_an_array(x):
    s = 0
    for v in x:
        s += float(v)
    return np.array([s, s + 1])  #! NPX0209


#numptx export index(float64[:])
def index(x):
    s = 0
    for v in x:
        s += float(v)
    return x[s // 2]  #! NPX0406


#numptx export large(float)
def large(a):
    s = 9007199254740993
    while a > 1.0:
        a *= 0.5
        s = s * a  #! NPX0209
    return s


#numptx export int_of_run_time(int, float)
def int_of_run_time(n, a):
    s = n
    for i in range(3):
        s = s * a  #! NPX0209
    return s


#numptx export int_that_grows(int, float)
def int_that_grows(n, a):
    s = 1
    for i in range(n):
        if i > 2:
            s = s * a  #! NPX0209
        else:
            s = s * 3
    return s
