#numptx export f(float64[:])
def f(x):
    return (x + 1  #! NPX0101
