#numptx export f(float64[:])
def f(x):
    return tuple(v for v in x)  #! NPX0402
