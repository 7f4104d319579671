"""Windows whose width is known when the function runs: a slice of each position, read by an inner loop, or at one index."""

import numpy as np


#numptx export convolution(float64[:], float64[:])
# run: convolution(random(40), random(5))
# structure: launches=1 allocs=1 copies=0
# run: convolution(random(5), random(5))
# run: convolution(random(4), random(5))
# run: convolution(random(4), random(0))
# run: convolution(random(3), random(7))
def convolution(x, f):
    n, k = len(x), len(f)
    out = np.empty(n - k + 1)
    for i in range(n - k + 1):
        w = x[i:i + k]
        s = 0.0
        for h in range(k):
            s += w[h] * f[h]
        out[i] = s
    return out


#numptx export correlation_of_images(float64[:,:], float64[:,:])
# run: correlation_of_images(random((9, 8)), random((3, 2)))
# structure: launches=1 allocs=1 copies=0
# run: correlation_of_images(random((3, 2)), random((3, 2)))
# run: correlation_of_images(random((3, 2)), random((0, 2)))
def correlation_of_images(x, f):
    n, m = x.shape
    a, b = f.shape
    out = np.empty((n - a + 1, m - b + 1))
    for i in range(n - a + 1):
        for j in range(m - b + 1):
            w = x[i:i + a, j:j + b]
            s = 0.0
            for p in range(a):
                for q in range(b):
                    s += w[p, q] * f[p, q]
            out[i, j] = s
    return out


#numptx export element(float64[:], int, int)
# run: element(random(20), 4, 1)
# structure: launches=1 allocs=1 copies=0
# run: element(random(20), 4, -4)
# structure: launches=1 allocs=1 copies=0
# run: element(random(20), 4, 4)
# run: element(random(20), 4, -5)
# run: element(random(20), 0, 0)
# run: element(random(3), 5, 0)
# run: element(random(20), -3, 1)
def element(x, k, h):
    out = np.empty(len(x) - k + 1)
    for i in range(len(x) - k + 1):
        out[i] = x[i:i + k][h]
    return out


#numptx export largest(float64[:], int)
# run: largest(random(20), 3)
# structure: launches=1 allocs=1 copies=0
# run: largest(random(20), 20)
# run: largest(random(20), 1)
# run: largest(random(20), 0)
# run: largest(random(20), 25)
def largest(x, k):
    n = len(x)
    out = np.empty(n - k + 1)
    for i in range(n - k + 1):
        w = x[i:i + k]
        m = w[0]
        for h in range(1, k):
            if w[h] > m:
                m = w[h]
        out[i] = m
    return out
