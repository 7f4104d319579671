#numptx export f(float64[:], bool[:], float64[:,:])
def f(x, m, y):
    x[m] = y  #! NPX0301
