#numptx export f(float64[:])
def f(x):
    s = 0.0
    for i, v in reversed(enumerate(x)):  #! NPX0505
        s += i * v
    for w, v in zip((1, 0.5), x):  #! NPX0408
        s += w * v
    return s


#numptx export largest(float64[:])
def largest(x):
    return max(x, default=0.0)  #! NPX0504


#numptx export g(complex, complex)
def g(z, w):
    return z**w  #! NPX0402
