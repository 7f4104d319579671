#numptx export f(int)
def f(n):
    return f"{n}"  #! NPX0402
