#numptx export f(float64[:,)  #! NPX0102
def f(x):
    return x
