#numptx export f(int)
def f(n):
    if n > 2:
        def g(v):
            return v + 1
    else:
        def g(v):
            return v - 1
    return g(n)  #! NPX0209
