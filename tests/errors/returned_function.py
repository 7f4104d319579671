#numptx export f(int)
def f(n):  #! NPX0407
    return lambda v: v + n
