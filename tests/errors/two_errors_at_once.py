#numptx export f(float64[:])
def f(x):
    y = x + left  #! NPX0201
    z = x + right  #! NPX0201
    return y + z
