#numptx export f(float64[:])  #! NPX0104
def f(x, y):
    return x + y
