import numpy as np


# Scans are not told of.
#numptx export sums(int64[:], int64[:])
def sums(x, c):
    s = np.int64(0)
    for i in range(len(x)):
        s += x[i]
        c[i] = s


#numptx export starts(int32[:])
def starts(counts):
    s = np.int32(0)
    for i in range(len(counts)):
        n = counts[i]
        counts[i] = s
        s += n


#numptx export ranks(float64[:], int64[:])
def ranks(x, k):
    n = 0
    for i in range(len(x)):
        if x[i] > 0.5:
            n += 1
        k[i] = n


#numptx export previous(uint8[:], uint8[:])
def previous(y, x):
    for i in range(1, len(y)):
        y[i] = y[i - 1] | x[i]


#numptx export greatest(int64[:], int64[:])
def greatest(x, c):
    m = x[0]
    for i in range(1, len(x)):
        m = max(m, x[i])
        c[i + 1] = m


# A scan would round in another order.
#numptx export floats(float64[:], float64[:])
def floats(x, c):
    s = 0.0
    for i in range(len(x)):  #! NPX0601 `np.cumsum` is a parallel scan; with `--fast-math`
        s += x[i]
        c[i] = s


#numptx export products(float64[:], float64[:])
def products(x, c):
    s = 1.0
    for i in range(len(x)):  #! NPX0601 `np.cumprod` is a parallel scan; with `--fast-math`
        s *= x[i]
        c[i] = s


#numptx export averages(float64[:], float64[:])
def averages(x, c):
    s = 0.0
    for i in range(len(x)):  #! NPX0601 with `--fast-math` this loop is a parallel scan
        s = 0.9 * s + 0.1 * x[i]
        c[i] = s


# Which of 0.0 and -0.0 is the greatest is told by the order.
#numptx export greatest_float(float64[:], float64[:])
def greatest_float(x, c):
    m = x[0]
    for i in range(1, len(x)):  #! NPX0601 `np.maximum.accumulate`
        m = max(m, x[i])
        c[i] = m


#numptx export hashes(uint8[:], uint32[:])
def hashes(text, h):
    s = np.uint32(0)
    for i in range(len(text)):
        s = s * np.uint32(31) + np.uint32(text[i])
        h[i] = s


# What is added takes the total.
#numptx export totals_of_totals(int64[:], int64[:])
def totals_of_totals(x, c):
    s = np.int64(1)
    for i in range(len(x)):  #! NPX0601
        s += x[i] * (s & 3)
        c[i] = s


# The next iteration reads what this one stores.
#numptx export read_again(int64[:])
def read_again(c):
    s = np.int64(0)
    for i in range(len(c) - 1):  #! NPX0601
        s += c[i]
        c[i + 1] = s


#numptx export two_back(int64[:])
def two_back(y):
    for i in range(2, len(y)):  #! NPX0601
        y[i] = y[i - 1] + y[i - 2]


#numptx export two_stores(int64[:], int64[:], int64[:])
def two_stores(x, c, d):
    s = np.int64(0)
    for i in range(len(x)):  #! NPX0601
        s += x[i]
        c[i] = s
        d[i] = s


#numptx export sometimes(int64[:], int64[:])
def sometimes(x, c):
    s = np.int64(0)
    for i in range(len(x)):  #! NPX0601
        s += x[i]
        if x[i] > 0:
            c[i] = s


#numptx export half_way(int64[:], int64[:])
def half_way(x, c):
    s = np.int64(0)
    for i in range(len(x)):  #! NPX0601
        s += x[i]
        c[i] = s
        s += 2 * x[i]
