#numptx export f(float64[:], bool)
def f(x, flag):
    if flag:
        return x
    return 1  #! NPX0208
