"""Values that paths disagree on."""
import numpy as np


#numptx export never(int)
def never(n):
    if n > 0:
        x = y  #! NPX0202
        y = 1.0
        return x
    return 0.0


#numptx export always_first(int)
def always_first(n):
    for i in range(n):
        y = y + i  #! NPX0202
    return 0


#numptx export other_type(int, float64[:])
def other_type(n, x):
    y = n
    if n > 0:
        y = x[0] > 1.0
    return y  #! NPX0209


#numptx export one_of_several(int, float64[:])
def one_of_several(n, x):
    y = n
    if n > 0:
        y = x
    return y * 2.0  #! NPX0209


#numptx export nothing_or_index(int, float64[:])
def nothing_or_index(n, x):
    i = None
    if n > 0:
        i = n
    return x[i]  #! NPX0209


#numptx export int_and_float(int)
def int_and_float(n):
    s = n
    for i in range(n):
        s = s + 0.5  #! NPX0209
    return s


#numptx export unused_difference(int, float64[:])
def unused_difference(n, x):
    y = 0
    for i in range(n):  #! NPX0601
        y = x * i
        x[i] = y[i]
    return x


#numptx export returns(int, float64[:])
def returns(n, x):
    if n > 0:
        return n * 0.5
    return n  #! NPX0208


#numptx export conditional(int, float64[:])
def conditional(n, x):
    return n * 0.5 if n else n  #! NPX0209


#numptx export condition(float64[:], float64[:])
def condition(x, y):
    if x > 0:  #! NPX0214
        x = y
    while x:  #! NPX0214
        x = y
    a = x > 0 and y > 0  #! NPX0214
    b = 0 < x < 1  #! NPX0214
    c = not x  #! NPX0214
    return x
