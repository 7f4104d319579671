#numptx export f(int)
def f(n):
    return n(1)  #! NPX0204
