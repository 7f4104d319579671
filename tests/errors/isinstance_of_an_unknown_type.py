#numptx export f(int)
def f(n):
    return isinstance(n, n)  #! NPX0505
