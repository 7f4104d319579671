#numptx export g(int, int)
def g(a, /, b):  #! NPX0405
    return a + b
