#numptx export f(float64[:])
def f(x):
    try:  #! NPX0401
        return x
    except ValueError:
        return x
