#numptx export f(float64)
def f(x):
    t = [x, x, x]
    t[0] = 5.0  #! NPX0406
    return t[0]
