#numptx export f(float64)
def f(x):
    t = [x, x, x]
    t[0] = 5.0  #! NPX0406
    return t[0]


#numptx export g(float64, int)
def g(x, i):
    return [x, 2.0 * x][i]  #! NPX0406
