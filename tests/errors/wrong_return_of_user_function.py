def g(x, y):
    return x + y


#numptx export f(float64[:])
def f(x):
    return g(x)  #! NPX0502
