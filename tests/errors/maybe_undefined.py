#numptx export f(float64[:], bool)
def f(x, flag):
    if flag:
        y = x
    return y  #! NPX0202
