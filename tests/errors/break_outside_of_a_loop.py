#numptx export f(float64[:])
def f(x):
    if len(x) > 3:
        break  #! NPX0101
    for v in x:
        def g(y):
            continue  #! NPX0101

        if v > 0:
            continue
        break
    else:
        break  #! NPX0101
    return x
