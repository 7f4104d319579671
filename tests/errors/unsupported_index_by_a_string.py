#numptx export f(float64[:])
def f(x):
    return x["a"]  #! NPX0406


#numptx export g(float64[:])
def g(x):
    return x[len(x) / 2]  #! NPX0406
