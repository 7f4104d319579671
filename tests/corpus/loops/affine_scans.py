"""Loops that multiply what they carry and add to it, with free rounding: scans of floats, in all forms, and those that stay loops."""

# flags: --fast-math

import numpy as np


#numptx export averages(float64[::], float64[::], float)
#numptx export averages(float32[::], float32[::], float32)
# run: averages(random(10), zeros(10), 0.9)
# structure: launches==1 copies==0
# run: averages(zeros(0), zeros(0), 0.9)
# run: averages(ones(1), zeros(1), 0.9)
# run: averages(random(2), zeros(2), 0.9)
# run: averages(random(5000)[::-3], zeros(5000)[::-3], 0.5)
# run: averages(random(70001), zeros(70001), 0.999)
# run: averages(random(300007, float32), zeros(300007, float32), float32(0.25))
# run: averages(random(300007), zeros(300007), -0.9)
# run: averages(random(500), zeros(500), 0.0)
# run: averages(random(3000), ones(3000), 1.0)
# run: x = random(900); averages(x, x, 0.9)
# run: x = random(900); averages(x, x[::-1], 0.9)
# run: averages(array([1.0, inf, 2.0, 3.0]), zeros(4), 0.5)
# run: averages(array([1.0, nan, 2.0, 3.0]), zeros(4), 0.5)
def averages(x, y, a):
    s = x.dtype.type(0)
    for i in range(len(x)):
        s = a * s + (1 - a) * x[i]
        y[i] = s
    return s


#numptx export moved_towards(float64[:], float64[:], float)
# run: moved_towards(random(3000), zeros(3000), 0.1)
# structure: launches==1 copies==0
# run: moved_towards(random(1), zeros(1), 0.1)
# run: moved_towards(random(200001), zeros(200001), 0.01)
def moved_towards(x, y, a):
    s = 0.5
    for i in range(len(x)):
        s += a * (x[i] - s)
        y[i] = s


#numptx export filtered(float64[::], float64[::], float64[::])
#numptx export filtered(float32[::], float32[::], float32[::])
# run: filtered(random(10), random(10), random(10))
# structure: launches==1 copies==0
# run: filtered(random(0), random(0), random(0))
# run: filtered(random(1), random(1), random(1))
# run: filtered(random(2), random(2), random(2))
# run: filtered(random(300001) * 2 - 1, random(300001), random(300001))
# run: filtered(random(3000)[::-3], random(3000)[::3], random(3000)[::-3])
# run: filtered(random(70000, float32), random(70000, float32), random(70000, float32))
# run: filtered(random(5), random(9), random(9))
# run: x = random(900); filtered(x, random(900), x)
# run: x = random(900); filtered(random(900), x, x)
def filtered(a, b, y):
    for i in range(1, len(y)):
        y[i] = a[i] * y[i - 1] + b[i]


#numptx export backwards(float64[:], float64[:], float64[:])
# run: backwards(random(1000), random(1000), random(1000))
# structure: launches==1 copies==0
# run: backwards(random(0), random(0), random(0))
# run: backwards(random(1), random(1), random(1))
# run: backwards(random(2), random(2), random(2))
# run: backwards(random(200003), random(200003), random(200003))
def backwards(a, b, y):
    for i in range(len(y) - 2, -1, -1):
        y[i] = (b[i] - a[i] * y[i + 1]) / (2.0 + a[i] * a[i])


#numptx export by_twos(float64[:], float64)
# run: by_twos(random(1000), 0.5)
# structure: launches==2 copies==0
# run: by_twos(random(3), 0.5)
# run: by_twos(random(1), 0.5)
def by_twos(y, a):
    for i in range(2, len(y), 2):
        y[i] += a * y[i - 2]
    for i in range(len(y) - 3, -1, -2):
        y[i] -= y[i + 2] / 3.0


#numptx export signals(complex128[:], complex128[:], complex128)
#numptx export signals(complex64[:], complex64[:], complex64)
# run: signals(random(500) + 1j * random(500), zeros(500, complex128), 0.3 + 0.4j)
# structure: launches==1 copies==0
# run: signals(random(200000) + 1j * random(200000), zeros(200000, complex128), 0.9j)
# run: signals((random(500) + 1j * random(500)).astype(complex64), zeros(500, complex64), complex64(0.3 - 0.4j))
def signals(x, y, a):
    s = x.dtype.type(1)
    for i in range(len(x)):
        s = s * a + x[i]
        y[i] = s


#numptx export before(float64[:], float64[:])
# run: before(random(900), zeros(900))
# structure: launches==2 copies==0
# run: before(random(1), zeros(1))
# run: before(random(0), zeros(0))
# run: before(random(200000), zeros(200000))
def before(x, y):
    s = 3.0
    for i in range(len(x)):
        y[i] = s
        s = x[i] - 0.5 * s


#numptx export sums(float64[::], float64[::])
#numptx export sums(float32[::], float32[::])
#numptx export sums(complex128[::], complex128[::])
# run: sums(random(10), zeros(10))
# structure: launches==1 copies==0
# run: sums(random(0), zeros(0))
# run: sums(random(30001), zeros(30001))
# run: sums(random(3000, float32)[::-2], zeros(3000, float32)[::2])
# run: sums(random(3000) * 1j, zeros(3000, complex128))
def sums(x, y):
    s = x.dtype.type(0)
    for i in range(len(x)):
        s += x[i]
        y[i] = s
    return s


#numptx export differences(float64[:], float64[:])
# run: differences(random(5000), random(5000))
# structure: launches==1 copies==0
# run: differences(random(1), random(1))
def differences(y, x):
    for i in range(1, len(y)):
        y[i] = y[i - 1] - 0.5 * (x[i] + x[i - 1])


#numptx export products(float64[:], float64[:])
# run: products(0.99 + 0.02 * random(3000), zeros(3000))
# structure: launches==1 copies==0
# tolerance: 1e-12
# run: products(0.9999 + 0.0002 * random(20000), zeros(20000))
# run: products(random(0), zeros(0))
def products(x, y):
    s = 2.0
    for i in range(len(x)):
        s *= x[i]
        y[i] = s


#numptx export extremes(float64[:], float64[:], float64[:])
# run: extremes(random(3000), zeros(3000), zeros(3000))
# structure: launches==2 copies==0
# run: extremes(array([nan, 0.7, nan, 0.2, 0.9]), zeros(5), zeros(5))
# run: extremes(array([-inf, inf, 1.0]), zeros(3), zeros(3))
# run: extremes(random(200000), zeros(200000), zeros(200000))
def extremes(x, most, least):
    m = 0.5
    for i in range(len(x)):
        if x[i] > m:
            m = x[i]
        most[i] = m
    m = 0.5
    for i in range(len(x)):
        m = min(m, x[i])
        least[i] = m


#numptx export restarted(float64[:], bool[:], float64[:])
# run: restarted(random(3000), random(3000) < 0.01, zeros(3000))
# structure: launches==1 copies==0
# run: restarted(random(200000), random(200000) < 0.001, zeros(200000))
# run: restarted(random(3), ones(3, bool), zeros(3))
# run: restarted(random(0), ones(0, bool), zeros(0))
def restarted(x, starts, y):
    s = 0.0
    for i in range(len(x)):
        if starts[i]:
            s = 0.0
        s += x[i]
        y[i] = s


#numptx export last_seen(float64[:], float64[:])
# run: last_seen(where(random(3000) < 0.9, nan, 1.0) * random(3000), zeros(3000))
# structure: launches==1 copies==0
# run: last_seen(array([nan, nan, 2.0, nan]), zeros(4))
def last_seen(x, y):
    s = -1.0
    for i in range(len(x)):
        if not np.isnan(x[i]):
            s = x[i]
        y[i] = s


# A recurrence a row, or a column, has threads enough: each runs through one.
#numptx export of_rows(float64[:,:], float64[:,:], float64[:])
# run: of_rows(random((40, 30)), random((40, 30)), random(40))
# structure: launches==2 copies==0
# run: of_rows(random((1, 1)), random((1, 1)), random(1))
# run: of_rows(random((3, 0)), random((3, 0)), random(3))
def of_rows(x, y, a):
    for j in range(x.shape[0]):
        for i in range(1, x.shape[1]):
            y[j, i] = a[j] * y[j, i - 1] + x[j, i]
    for i in range(1, x.shape[0]):
        for j in range(x.shape[1]):
            y[i, j] = 0.5 * y[i - 1, j] + x[i, j]


# The same with one thing changed, which makes each of them another program.
#numptx export kept_as_loops(float64[:], float64[:])
# run: kept_as_loops(random(300), random(301))
# run: kept_as_loops(random(0), random(1))
def kept_as_loops(x, y):
    s = 1.0
    for i in range(len(x)):
        s = s * s * 0.5 + x[i]
        y[i] = s
    s = 0.0
    for i in range(len(x)):
        s = 0.5 * s + y[i]
        y[i + 1] = s
    s = 0.0
    for i in range(len(x)):
        s = 0.5 * s + x[i]
        if x[i] > 0.5:
            y[i] = s
    for i in range(2, len(x)):
        x[i] = 0.5 * x[i - 1] + 0.25 * x[i - 2]
    s = 0.5
    for i in range(len(x)):
        if s > x[i]:
            s = 0.5 * s
        y[i] = s


#numptx export checked(float64[:], float64[:])
# run: checked(random(30), random(30))
# run: checked(zeros(30), random(30))
def checked(x, y):
    s = 0.0
    for i in range(len(x)):
        if x[i] == 0.0:
            raise ValueError("nothing")
        s = 0.5 * s + x[i]
        y[i] = s
