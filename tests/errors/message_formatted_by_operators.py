#numptx export f(int)
def f(n):
    if n < 0:
        raise ValueError("bad %d" % n)  #! NPX0206
    return n


#numptx export g(int)
def g(n):
    if n < 0:
        raise ValueError("bad {}".format(n))  #! NPX0205
    return n
