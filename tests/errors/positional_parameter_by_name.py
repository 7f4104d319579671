def g(a, /, b):
    return a + b


#numptx export f(int)
def f(n):
    return g(a=n, b=n)  #! NPX0504
