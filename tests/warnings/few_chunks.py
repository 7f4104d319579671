# Loops that combine values with elements in loops whose ranges only data tell: one thread runs those with many elements.
import numpy as np


#numptx export by_columns(int64[:], int64[:], float64[:], float64[:], float64[:])
def by_columns(ptr, idx, val, x, y):
    for j in range(ptr.shape[0] - 1):  #! NPX0601
        for e in range(ptr[j], ptr[j + 1]):
            y[idx[e]] += val[e] * x[j]


#numptx export pushed(int64[:], int64[:], float64[:], float64[:])
def pushed(ptr, idx, x, y):
    for j in range(ptr.shape[0] - 1):  #! NPX0601
        n = ptr[j + 1] - ptr[j]
        if n > 0:
            for e in range(ptr[j], ptr[j + 1]):
                y[idx[e]] += x[j] / n


# Iterations that count: of one loop, of a triangle, of as many as a number says.
#numptx export labels(float64[:], int64[:], float64[:])
def labels(y, k, v):
    for i in range(len(k)):
        y[k[i]] += v[i]


#numptx export pairs(float64[:])
def pairs(f):
    for i in range(f.shape[0]):
        for j in range(i + 1, f.shape[0]):
            f[i] += j
            f[j] -= i


#numptx export corners(float64[:], int64[:], float64[:])
def corners(y, k, v):
    for i in range(len(k)):
        for j in range(2):
            y[k[i] + j] += v[i]


# Loops that update nothing need not count.
#numptx export sums(int64[:], int64[:], float64[:], float64[:])
def sums(ptr, label, v, y):
    for i in range(label.shape[0]):
        s = 0.0
        for e in range(ptr[i], ptr[i + 1]):
            s += v[e]
        y[label[i]] += s
