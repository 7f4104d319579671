#numptx export f(int)
def f(n):
    a, b, *c = (n,)  #! NPX0203
    return a
