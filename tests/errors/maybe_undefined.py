#numptx export f(float64[:], bool)
def f(x, flag):
    if flag:
        def scaled(v):
            return v * y  #! NPX0202

        if len(x) > 2:
            y = 2.0
        return scaled(x)
    return x
