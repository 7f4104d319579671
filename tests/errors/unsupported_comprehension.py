#numptx export f(int)
def f(n):
    return [i for i in range(n)]  #! NPX0402
