# What is named is what keeps iterations in order, not what comes first by name.

import math


#numptx export handed_on(float64[:])
def handed_on(x):
    d = 0.0
    s = 1.0
    for i in range(x.shape[0]):  #! NPX0601
        d = x[i] * 2.0
        s = math.sin(s * x[i])
        x[i] = s
    return d + s


#numptx export stored(float64[:])
def stored(x):
    d = 0.0
    s = 0.0
    for i in range(x.shape[0] - 1):  #! NPX0601
        d = x[i] * 2.0
        s += d
        x[i + 1] = x[i] * 0.5 + 1.0
    return d + s


# The condition of the kernels, not of what one thread needs.
#numptx export roots(float64[:], float64[:], int, int, int)
def roots(x, y, first, last, step):
    for i in range(first, last, step):  #! NPX0604 `assert step > 0 and first >= 0`
        x[i] = math.sqrt(y[i])


#numptx export stated_roots(float64[:], float64[:], int, int, int)
def stated_roots(x, y, first, last, step):
    assert step > 0 and first >= 0
    for i in range(first, last, step):
        x[i] = math.sqrt(y[i])


# One thread needs that, too.
#numptx export moved_roots(float64[:], int)
def moved_roots(x, r):
    for i in range(r, x.shape[0]):
        x[i - r] = math.sqrt(x[i])


#numptx export doubled(float64[:], int, int)
def doubled(x, first, last):
    for i in range(first, last):  #! NPX0604 `assert first >= 0`
        x[i] = x[i] * 2.0


#numptx export eliminated(float64[:,:])
def eliminated(a):
    n = a.shape[0]
    for k in range(n):
        p = a[k, k]
        if p == 0.0:
            return False
        for i in range(k + 1, n):
            f = a[i, k] / p
            for j in range(k, n):
                a[i, j] -= f * a[k, j]
    return True
