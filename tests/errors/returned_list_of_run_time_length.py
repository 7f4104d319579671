#numptx export f(int)
def f(n):  #! NPX0407
    return [i for i in range(n)]
