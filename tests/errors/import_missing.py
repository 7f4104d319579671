#numptx export f(float64[:])
def f(x):
    return np.sum(x)  #! NPX0201
