#numptx export f(bool[:], bool[:])
def f(x, y):
    return x - y  #! NPX0206
