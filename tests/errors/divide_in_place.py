#numptx export f(int64[:])
def f(x):
    x /= 2  #! NPX0207
