from numptx import prange


# A reduction runs in parallel: nothing to warn of.
#numptx export squares(float64[:, :])
def squares(x):
    s = 0.0
    for i in prange(x.shape[0]):
        for j in range(x.shape[1]):
            s += x[i, j] * x[i, j]
    return s


#numptx export halved(float64[:])
def halved(x):
    s = 1.0
    for i in prange(len(x)):  #! NPX0602
        s = 0.5 * s + x[i]
    return s
