"""Kernels of a C program."""


#numptx export saxpy(float32, float32[:], float32[:])
def saxpy(a, x, y):
    return a * x + y


#numptx export window(float64[:,:], int, int)
def window(field, i, j):
    return field[i - 1 : i + 2, j - 1 : j + 2]


#numptx export pick(float64[:], int)
def pick(x, i):
    return x[i]
