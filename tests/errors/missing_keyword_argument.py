def g(*values, scale):
    return len(values) * scale


#numptx export f(int)
def f(n):
    return g(n, n)  #! NPX0502
