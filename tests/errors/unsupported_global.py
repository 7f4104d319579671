N = 1


#numptx export f(int)
def f(n):
    global N  #! NPX0401
    N = n
    return N
