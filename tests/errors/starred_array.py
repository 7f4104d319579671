#numptx export f(float64[:])
def f(x):
    a, *b = x  #! NPX0203
    return a
