#numptx export f(float64 list)  #! NPX0407
def f(x):
    return x
