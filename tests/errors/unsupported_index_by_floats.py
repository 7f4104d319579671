#numptx export f(float64[:])
def f(x):
    return x[x * 1.0]  #! NPX0406
