#numptx export f(float64[:])
def f(x):
    g = lambda y: y  #! NPX0402
    return g(x)
