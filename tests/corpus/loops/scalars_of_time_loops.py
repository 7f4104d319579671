"""Time loops whose scalars Python checks: what cannot fail is not checked, and steps are shared; what can fail raises where Python does."""

import math

import numpy as np


#numptx export driven(float64[:], int)
# run: driven(random(100), 30)
# run: driven(random(100)[::-2], 3)
# run: driven(random(0), 5)
# run: driven(random(9), 0)
# run: driven(random(9), -3)
# run: driven(random(9), 7)
# structure: launches=1 copies=0
def driven(u, nt):
    for t in range(nt):
        s = math.sin(0.1 * t)
        for i in range(u.shape[0]):
            u[i] += s


#numptx export wave(float64[:], float64[:], int, int)
# run: wave(random(50), zeros(50), 7, 20)
# run: wave(random(50), zeros(50), -7, 20)
# run: wave(random(50), zeros(50), 50, 20)
# run: wave(random(50)[::-1], zeros(100)[::2], 3, 5)
# run: wave(random(50), zeros(49), 3, 5)
# run: x = random(60); wave(x[:50], x[10:], 3, 5)
# run: wave(random(0), zeros(0), 0, 5)
# run: wave(random(2), zeros(2), 0, 5)
# run: wave(random(50), zeros(50), 7, 9)
# structure: launches=1
def wave(u, un, src, nt):
    n = u.shape[0]
    for t in range(nt):
        for i in range(1, n - 1):
            un[i] = u[i + 1] - 2 * u[i] + u[i - 1]
        un[src] += math.sin(0.1 * t)
        for i in range(n):
            u[i] = un[i]


#numptx export decaying(float64[:], float64[:], int, int)
# run: decaying(random(40), random(40), 1, 30)
# run: decaying(random(40), random(40), 0, 30)
# run: decaying(random(40), random(40), 1, 100)
# run: decaying(random(40), random(39), 1, 3)
# run: decaying(random(40), random(40), -3, 3)
# run: x = random(40); decaying(x, x, 1, 3)
def decaying(p, g, first, steps):
    for t in range(1, steps + 1):
        b = 1 - 0.9**t
        for i in range(p.shape[0]):
            p[i] -= g[i] * 0.9**t / b
    for t in range(first, steps + 1):
        b = 1 - 0.9**t
        for i in range(p.shape[0]):
            p[i] -= g[i] / b


#numptx export adam(float64[:], float64[:], float64[:], float64[:], int, float)
# run: adam(random(30), random(30), zeros(30), zeros(30), 20, 0.1)
# run: adam(random(30), random(30), zeros(30), zeros(30) - 1, 20, 0.1)
# run: adam(random(30), random(30), zeros(30), zeros(30), 0, 0.1)
# run: adam(random(30), random(30)[::-1], zeros(30), zeros(60)[::-2], 5, nan)
# run: x = random(40); adam(x[:30], x[10:], zeros(30), zeros(30), 5, 0.1)
def adam(p, g, m, v, steps, lr):
    for t in range(1, steps + 1):
        b1t = 1 - 0.9**t
        b2t = 1 - 0.999**t
        for i in range(p.shape[0]):
            m[i] = 0.9 * m[i] + 0.1 * g[i]
            v[i] = 0.999 * v[i] + 0.001 * g[i] * g[i]
            p[i] -= lr * (m[i] / b1t) / (math.sqrt(v[i] / b2t) + 1e-8)


#numptx export annealed(float64[:], float64[:], int)
# run: annealed(random(40), random(40), 20)
# run: annealed(random(40), random(40), 0)
# run: annealed(random(40), random(40), -2)
# run: annealed(random(0), random(0), 2)
# run: annealed(random(40), random(40), 9)
# structure: launches=1 copies=0
def annealed(p, g, n):
    for t in range(n):
        lr = 0.5 * (1 + math.cos(math.pi * t / n)) + 0.1 / math.sqrt(t + 1) + math.exp(-t) + math.tanh(t)
        for i in range(p.shape[0]):
            p[i] -= lr * g[i]


#numptx export distances(float64[:,:], float64[:])
# run: distances(random((20, 30)), zeros(30))
# run: x = random((20, 30)); x[3, 0] = inf; distances(x, zeros(30))
# run: x = random((20, 30)); x[3, 0] = nan; distances(x, zeros(30))
# run: x = random((20, 30)); x[3, 0] = 1e200; distances(x, zeros(30))
# run: distances(random((20, 30)), zeros(29))
# run: distances(random((20, 30)), zeros(31))
# run: distances(random((20, 0)), zeros(0))
# run: distances(random((20, 0)), zeros(1))
def distances(x, r):
    for i in range(x.shape[0]):
        d = 1 / math.sqrt(x[i, 0] * x[i, 0] + 1.0)
        for k in range(r.shape[0]):
            r[k] += d * x[i, k]


#numptx export growing(float64[:], float, int, int)
# run: growing(ones(8), 1.5, 0, 20)
# run: growing(ones(8), -0.5, 0, 20)
# run: growing(ones(8), 0.0, 0, 3)
# run: growing(ones(8), 0.0, -3, 3)
# run: growing(ones(8), -0.0, -3, 3)
# run: growing(ones(8), inf, -3, 3)
# run: growing(ones(8), nan, -3, 3)
# run: growing(ones(8), 10.0, 300, 320)
# run: growing(ones(8), 1.0, -5, 5)
# run: growing(ones(2100), 1.5, -5, 5)
# run: growing(ones(2100)[::-1], 0.0, -5, 5)
# run: growing(ones(2100), 10.0, 300, 320)
def growing(x, base, first, last):
    for t in range(first, last):
        s = base**t
        for i in range(x.shape[0]):
            x[i] += s


#numptx export doubling(float64[:], int)
# run: doubling(ones(8), 20)
# run: doubling(ones(8), 1024)
# run: doubling(ones(8), 1030)
def doubling(x, n):
    for t in range(n):
        s = 2.0**t
        for i in range(x.shape[0]):
            x[i] += s


#numptx export roots(float64[:], int, int)
# run: roots(ones(8), 0, 20)
# run: roots(ones(8), -1, 20)
# run: roots(ones(8), 3, 4)
# run: roots(ones(8), 2, 5)
def roots(x, first, last):
    for t in range(first, last):
        s = math.sqrt(t - 3) if t > 2 else math.sqrt(t)
        for i in range(x.shape[0]):
            x[i] += s


#numptx export falling_roots(float64[:], int, int)
# run: falling_roots(ones(8), 20, 1)
# run: falling_roots(ones(8), 20, -1)
# run: falling_roots(ones(8), 20, -2)
# run: falling_roots(ones(8), 20, -9)
def falling_roots(x, first, last):
    for t in range(first, last, -1):
        s = 1.0 / math.sqrt(t)
        for i in range(x.shape[0]):
            x[i] += s


#numptx export quotients(float64[:], int)
# run: quotients(ones(8), 1)
# run: quotients(ones(2100), 1)
# run: quotients(ones(8), 20)
# run: quotients(ones(8), 0)
def quotients(x, n):
    for t in range(n):
        s = 1.0 / (1.0 - 0.5**t)
        for i in range(x.shape[0]):
            x[i] += s


#numptx export cancelled(float64[:], int)
# run: cancelled(ones(8), 5)
# run: cancelled(ones(8), 20)
def cancelled(x, n):
    for t in range(n):
        s = 1.0 / (0.1 * t - 1.0)
        for i in range(x.shape[0]):
            x[i] += s


#numptx export waves_of_data(float64[:], float64[:])
# run: waves_of_data(ones(8), random(5))
# run: waves_of_data(ones(2100), random(5))
# run: waves_of_data(ones(2100), array([1.0, 2.0, inf, 3.0]))
# run: x = ones(2100); waves_of_data(x, x[:4])
# run: waves_of_data(ones(8), array([1.0, 2.0, inf, 3.0]))
# run: waves_of_data(ones(8), array([1.0, 2.0, nan, 3.0]))
# run: waves_of_data(ones(8), array([1.0, -inf]))
# run: waves_of_data(ones(8), array([1.0, 1e308]))
# run: waves_of_data(ones(8)[::-1], array([-800.0, 720.0]))
def waves_of_data(x, data):
    for t in range(data.shape[0]):
        s = math.sin(data[t] * 2.0) + math.exp(data[t])
        for i in range(x.shape[0]):
            x[i] += s


#numptx export elementwise(float64[:])
# run: elementwise(zeros(100))
# run: elementwise(zeros(0))
# run: elementwise(zeros(10)[::-2])
# structure: launches=1 allocs=0 copies=0
def elementwise(y):
    for i in range(y.shape[0]):
        y[i] = math.sin(0.01 * i) / math.sqrt(1 + i)


#numptx export logistic(float64[:,:], float64[:], float64[:], float)
# run: logistic(random((6, 2100)) / 2100, random(6), random(2100), 0.1)
# run: logistic(random((6, 2100)) / 2100, random(5), random(2100), 0.1)
# run: logistic(random((6, 2100)) / 2100, random(6), random(2099), 0.1)
# run: logistic(random((6, 30)), random(6), random(30), 0.1)
# run: logistic(-random((6, 2100)), random(6), random(2100), 0.1)
# run: logistic(random((6, 0)), random(6), random(0), 0.1)
# run: logistic(random((0, 2100)), random(0), random(2100), 0.1)
# run: logistic(random((6, 4200))[::-1, ::-2], random(6), random(2100), 0.1)
def logistic(X, y, w, lr):
    g = np.zeros(w.shape[0])
    for i in range(X.shape[0]):
        z = 0.0
        for j in range(X.shape[1]):
            z += X[i, j] * w[j]
        e = 1.0 / (1.0 + math.exp(-z)) - y[i]
        for j in range(X.shape[1]):
            g[j] += e * X[i, j]
    for j in range(w.shape[0]):
        w[j] -= lr * g[j]


#numptx export weighted(float64[:,:], float64[:], float64[:])
# run: weighted(random((5, 2100)), random(5), zeros(2100))
# run: weighted(random((5, 2100)), array([1.0, 2.0, 800.0, 1.0, 1.0]), zeros(2100))
# run: weighted(random((5, 25)), array([1.0, 2.0, 800.0, 1.0, 1.0]), zeros(25))
# run: weighted(random((5, 2100)), array([1.0, 2.0, nan, -inf, 1.0]), zeros(2100))
# run: weighted(random((5, 2100)), random(4), zeros(2100))
# run: weighted(random((5, 2100)), random(5), zeros(2099))
# run: x = random((5, 2100)); weighted(x, random(5), x[2])
# run: x = random((5, 2100)); weighted(x, x[:, 3], x[2])
# run: weighted(random((5, 4200))[:, ::-2], random(10)[::2], zeros(2100)[::-1])
def weighted(X, y, g):
    for i in range(X.shape[0]):
        e = math.exp(y[i])
        for j in range(X.shape[1]):
            g[j] += e * X[i, j]


#numptx export counted(float64[:,:], float64[:], int)
# run: counted(random((9, 2100)), ones(9), 4)
# run: counted(random((9, 2100)), array([1.0, 4, 4, 0, 1, 1, 1, 1, 1]), 4)
# run: counted(random((9, 2100)), array([1.0, 4, 4, 0, 1, 1, 1, 1, 1]), 2)
# run: counted(random((9, 2100)), -ones(9), 4)
# run: counted(random((9, 12)), array([1.0, 4, 4, 0, 1, 1, 1, 1, 1]), 4)
# run: counted(random((9, 2100)), ones(9), -1)
# run: counted(random((9, 2100)), ones(3), 4)
# run: counted(random((0, 2100)), ones(0), 4)
def counted(a, scale, n):
    for t in range(n):
        s = 1 / math.sqrt(float(scale[t]))
        a[t + 1, 0] += s
        for i in range(a.shape[1]):
            a[t + 1, i] = a[t, i] * s + a[t + 1, i]
            a[t + 2, i] += s
