#numptx export f(int, bool)
def f(n, flag):
    if flag:
        return n * 0.5
    return n  #! NPX0208
