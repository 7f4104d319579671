#numptx export running(float64[:])
def running(x):
    for i in range(1, len(x)):  #! NPX0601
        x[i] = 0.5 * x[i - 1] + x[i]
    return x


#numptx export shifted(float64[:], float64[:])
def shifted(x, y):
    for i in range(1, len(x)):
        x[i] = 0.5 * y[i - 1] + x[i]
    return x
