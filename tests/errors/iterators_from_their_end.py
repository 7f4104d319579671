#numptx export f(float64[:])
def f(x):
    s = 0.0
    for i, v in reversed(enumerate(x)):  #! NPX0505
        s += i * v
    for w, v in zip((1, 0.5), x):  #! NPX0408
        s += w * v
    return s


#numptx export g(complex, complex)
def g(z, w):
    return z**w  #! NPX0402
