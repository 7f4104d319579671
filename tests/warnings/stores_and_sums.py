# Of loops that store and accumulate nothing is told, in time loops neither, and of names that are read after a loop. What stores need stays in order.


#numptx export swept(float64[:,:], float64[:,:])
def swept(x, y):
    s = 0.0
    for i in range(1, x.shape[0] - 1):
        for j in range(x.shape[1]):
            y[i, j] = x[i - 1, j] + x[i + 1, j]
            s += abs(y[i, j] - x[i, j])
    return s


#numptx export swept_until(float64[:], float64[:], float)
def swept_until(x, y, tolerance):
    change = tolerance + 1.0
    while change > tolerance:
        change = 0.0
        for i in range(1, len(x) - 1):
            y[i] = 0.5 * (x[i - 1] + x[i + 1])
            change = max(change, abs(y[i] - x[i]))
        for i in range(1, len(x) - 1):
            x[i] = y[i]
    return change


#numptx export last_row(float64[:,:])
def last_row(x):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            x[i, j] = i + j
    return i


#numptx export needed(float64[:], float64[:])
def needed(x, y):
    s = 0.0
    for i in range(len(x)):  #! NPX0601
        s += x[i]
        y[i] = s * 0.5
    return s


#numptx export depends(float64[:])
def depends(x):
    s = 0.0
    for i in range(1, len(x)):  #! NPX0601
        x[i] = x[i] - 0.5 * x[i - 1]
        s += x[i]
    return s
