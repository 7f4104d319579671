#numptx export f(int)
def f(n):
    if n > 0 and (k := n * 2) > 4:  #! NPX0402
        return k
    return 0
