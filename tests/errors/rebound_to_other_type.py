#numptx export f(float64[:], bool)
def f(x, flag):
    y = 0
    if flag:
        y = x  
    return y  #! NPX0209
