#numptx export f(int, bool)
def f(n, flag):
    y = n
    if flag:
        y = n * 0.5
    return y  #! NPX0209


#numptx export g(float64[:], bool)
def g(x, flag):
    y = 0
    if flag:
        y = x
    return y + 1.0  #! NPX0209


#numptx export h(float64[:], float)
def h(x, limit):
    best = None
    for i in range(len(x)):
        if x[i] > limit:
            best = i
    return x[best]  #! NPX0209
