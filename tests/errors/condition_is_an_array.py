#numptx export f(float64[:])
def f(x):
    if x > 0:  #! NPX0214
        return 1
    return 0
