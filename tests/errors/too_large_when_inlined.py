def doubled(f):
    return lambda v: f(f(v))  #! NPX0111


#numptx export g(int)
def g(n):
    f = lambda v: v + 1
    f = doubled(doubled(doubled(doubled(f))))
    f = doubled(doubled(doubled(doubled(f))))
    f = doubled(doubled(doubled(doubled(f))))
    f = doubled(doubled(doubled(doubled(f))))
    return doubled(f)(n)
