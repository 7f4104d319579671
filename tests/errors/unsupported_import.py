import pandas  #! NPX0403


#numptx export f(float64[:])
def f(x):
    return x
