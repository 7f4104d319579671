#numptx export f(float64[:])
def f(x):
    return x.length  #! NPX0205
