"""Numbers that begin as an int constant and become floats, or complex numbers: they are computed as if they began as those."""

import math

import numpy as np


#numptx export sum_of_floats(float64[:])
# run: sum_of_floats(random(100))
# run: sum_of_floats(random(1))
# structure: launches=1 allocs=1 copies=0
def sum_of_floats(x):
    s = 0
    for v in x:
        s += float(v) * 0.5
    return float(s)


#numptx export sum_of_singles(float32[:])
# run: sum_of_singles(random(100).astype(float32))
# run: sum_of_singles(random(1).astype(float32))
def sum_of_singles(x):
    s = 0
    for i in range(len(x)):
        s += x[i] * 0.5
    return s


#numptx export sum_of_exponentials(float32[:])
# run: sum_of_exponentials(random(100).astype(float32))
# run: sum_of_exponentials(random(1).astype(float32))
def sum_of_exponentials(x):
    s = 0
    for i in range(len(x)):
        s += math.exp(x[i])
    return s


#numptx export greatest(float64[:])
# run: greatest(random(100))
# run: greatest(random(100) - 2.0)
# run: greatest(random(0))
def greatest(x):
    m = 0
    for i in range(len(x)):
        m = max(m, float(x[i]))
    return m + 0.5


#numptx export best_above(float64[:], float)
# run: best_above(random(100), 0.5)
# run: best_above(random(100), 0.99)
# run: best_above(random(100), 5.0)
# run: best_above(random(0), 5.0)
def best_above(x, h):
    best = -1
    for i in range(len(x)):
        v = float(x[i]) * 2.0
        if v > h:
            best = v
    return best / 2


#numptx export time_steps(float, float)
# run: time_steps(1.0, 0.1)
# run: time_steps(3.0, 0.25)
def time_steps(end, dt):
    t = 0
    n = 0
    while t < end:
        t += dt
        n += 1
    return t, n


#numptx export impedance(float64[:], float)
# run: impedance(random(10) + 1.0, 50.0)
# run: impedance(random(1) + 1.0, 50.0)
def impedance(c, f):
    z = 0
    for i in range(len(c)):
        z = z + 1.0 / complex(1.0, 2.0 * math.pi * f * c[i])
    return z


#numptx export entropy(float64[:])
# run: entropy(array([0.25, 0.25, 0.5]))
# run: entropy(array([1.0, 0.0]))
# run: entropy(random(0))
def entropy(p):
    h = 0
    for i in range(len(p)):
        if p[i] > 0:
            h += p[i] * math.log2(p[i])
    return 0.0 - float(h)


#numptx export of_rows(float64[:,:], float)
# run: of_rows(random((10, 7)), 0.5)
# structure: launches=1 copies=0
# run: of_rows(random((10, 0)), 0.5)
# run: of_rows(random((0, 7)), 0.5)
def of_rows(x, a):
    y = np.empty(x.shape[0])
    for i in range(x.shape[0]):
        v = 0
        for j in range(x.shape[1]):
            v += a * j
        y[i] = v
    return y


#numptx export on_paths(float64[:], int)
# run: on_paths(random(10), 3)
# run: on_paths(random(10), 7)
def on_paths(x, n):
    if n > 5:
        scale = 2
    else:
        scale = float(x[0]) + 0.5
    shift = 1 if n > 5 else float(x[1])
    return x * scale + shift


#numptx export returned(float64[:], int)
# run: returned(random(10), 3)
def returned(x, n):
    if len(x) < n:
        return 0
    return float(x[0]) + n


#numptx export products(float64[:], float)
# run: products(random(8), 0.5)
# run: products(random(1), 0.5)
# run: products(random(0), 0.5)
def products(x, a):
    p, q = 1, 0
    for i in range(len(x)):
        p *= a + float(x[i])
        q = q * a + (p - 1) * 2 + abs(-p) ** 2 + p // 1 + p % 2
    return float(p), float(q)


#numptx export powers_of_ten(int)
# run: powers_of_ten(5)
# run: powers_of_ten(1)
# run: powers_of_ten(0)
def powers_of_ten(n):
    # An int as long as the loop leaves it one.
    x = 1
    for i in range(n):
        if i > 2:
            x = 0.5
    return float(x)
