#numptx export f(uint8[:])
def f(x):
    return x + 300  #! NPX0210
