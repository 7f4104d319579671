"""Loops that read what later iterations write over: parallel, with a copy of just that made before."""

import numpy as np


#numptx export ahead(float64[:])
# run: ahead(random(1000))
# structure: launches==2 allocs==1 copies==0 peak==7992
# run: ahead(random(1000)[::-3])
# structure: launches==2 allocs==1 copies==0
# run: ahead(array([0.0, -0.0, inf, -inf, nan, 1.0]))
# run: ahead(zeros(1))
# run: ahead(zeros(0))
def ahead(x):
    for i in range(len(x) - 1):
        x[i] = x[i + 1] * 2


#numptx export behind(int16[:])
# run: behind(integers(-5, 5, 50, int16))
# structure: launches==2 allocs==1
# run: behind(integers(-5, 5, 0, int16))
def behind(x):
    """Downwards what lies behind comes later."""
    for i in range(len(x) - 1, 0, -1):
        x[i] += x[i - 1]


#numptx export both_axes(float64[:,:])
# run: both_axes(random((30, 41)))
# structure: launches==2 allocs==1 peak==9840
# run: both_axes(random((30, 41)).T)
# run: both_axes(random((60, 82))[::-2, ::2])
# run: both_axes(random((1, 7)))
# run: both_axes(random((7, 1)))
# run: both_axes(random((0, 3)))
def both_axes(x):
    n, m = x.shape
    for i in range(n - 1):
        for j in range(m - 1):
            x[i, j] = 0.3 * x[i + 1, j] + 0.5 * x[i, j + 1] - x[i + 1, j + 1]


#numptx export along_rows(float64[:,:])
# run: along_rows(random((20, 33)))
# structure: launches==2 allocs==1 peak==5120
# run: along_rows(random((20, 1)))
def along_rows(x):
    """Rows are parallel, and so are the elements of a row with a copy."""
    n, m = x.shape
    for i in range(n):
        for j in range(m - 1):
            x[i, j] = x[i, j + 1] - x[i, j]


#numptx export down_columns(float64[:,:])
# run: down_columns(random((20, 33)))
# structure: launches==1 allocs==0
def down_columns(x):
    """Each thread goes down a column: neighbours lie side by side as it is."""
    n, m = x.shape
    for j in range(m):
        for i in range(n - 1):
            x[i, j] = x[i + 1, j] - x[i, j]


#numptx export rows(float64[:,:])
# run: rows(random((30, 17)))
# structure: launches==2 allocs==1
# run: rows(random((30, 17)).T)
# run: rows(random((1, 17)))
def rows(x):
    for i in range(len(x) - 1):
        x[i] = x[i + 1] * 2 - x[i]


#numptx export two_arrays(float64[:], float64[:])
# run: two_arrays(random(50), random(50))
# structure: launches==3 allocs==2
# run: x = random(60); two_arrays(x[:50], x[10:])
# run: x = random(60); two_arrays(x[10:], x[:50])
# run: x = random(60); two_arrays(x, x)
# run: x = random(100); two_arrays(x[::2], x[1::2])
def two_arrays(x, y):
    """What the iteration itself has written is read where it is."""
    for i in range(min(len(x), len(y)) - 2):
        x[i] = y[i + 1] + x[i + 2]
        y[i] = x[i] * 0.5 + x[i + 1]


#numptx export under_conditions(float64[:], int)
# run: under_conditions(random(50), 3)
# structure: launches==2 allocs==1
# run: under_conditions(random(50), 49)
# run: under_conditions(random(50), 0)
# run: under_conditions(random(3), 2)
# run: under_conditions(random(1), 1)
def under_conditions(x, k):
    """What no iteration reads is not in the copy, and not beyond the array."""
    n = len(x)
    for i in range(n):
        if i + 1 < n:
            x[i] = x[i] - x[i + 1]
        elif k > 0:
            x[i] = 0.25


#numptx export windows(float64[:], int)
# run: windows(random(70), 5)
# structure: launches==2 allocs==1
# run: windows(random(70), 70)
# run: windows(random(70), 0)
def windows(x, width):
    for i in range(len(x) - width):
        total = 0.0
        for k in range(1, width):
            total += x[i + k] / k
        x[i] = total


#numptx export beyond(float64[:])
# run: beyond(random(5))
# run: beyond(random(0))
def beyond(x):
    """Raises after the elements before were written."""
    for i in range(len(x)):
        x[i] = x[i + 1] + 1


#numptx export few(float64[:,:])
# run: few(random((50, 3)))
# structure: launches==1 allocs==0
def few(x):
    """Three numbers of one point."""
    for i in range(len(x)):
        for k in range(2):
            x[i, k] = x[i, k + 1] - x[i, k]


#numptx export not_ahead(float64[:])
# run: not_ahead(random(50))
def not_ahead(x):
    """What lies behind was written before."""
    for i in range(1, len(x) - 1):
        x[i] = x[i - 1] + x[i + 1]


#numptx export overwritten(float64[:])
# run: overwritten(random(50))
# run: overwritten(random(2))
def overwritten(x):
    """What the iteration itself writes first is not what was there before."""
    for i in range(len(x) - 1):
        x[i + 1] = i * 0.5
        x[i] = x[i + 1] * 2


#numptx export steps(float64[:], int)
# run: steps(random(500), 9)
# structure: launches==1 allocs==1
# run: steps(random(500)[::-1], 4)
# run: steps(random(500), 0)
# run: steps(random(1), 4)
# run: steps(random(0), 4)
def steps(x, n):
    """One launch, whose steps are the copy and what reads it."""
    for t in range(n):
        for i in range(len(x) - 1):
            x[i] = x[i + 1] + 0.5 * x[i]


#numptx export steps_of_planes(float64[:,:], int)
# run: steps_of_planes(random((40, 50)), 5)
# structure: launches==1 allocs==1
# run: steps_of_planes(random((40, 50)).T, 5)
# run: steps_of_planes(random((2, 50)), 5)
# run: steps_of_planes(random((50, 2)), 5)
def steps_of_planes(x, n):
    for t in range(n):
        for i in range(1, x.shape[0] - 1):
            for j in range(1, x.shape[1] - 1):
                x[i, j] = 0.2 * (x[i, j] + x[i + 1, j] + x[i, j + 1] + x[i + 1, j + 1])


#numptx export falling(float64[:,:])
# run: falling(random((60, 60)))
# run: falling(random((60, 60))[::-1, ::-1])
# run: falling(random((3, 3)))
def falling(a):
    """Where the copy begins depends on the loop around."""
    n = len(a)
    for k in range(n):
        for i in range(k, n - 1):
            a[k, i] = a[k, i + 1] - a[k, k] * 0.125


#numptx export until_small(float64[:], float)
# run: until_small(random(300), 1e-3)
# structure: launches==1
# run: until_small(zeros(300), 1e-3)
# run: until_small(random(0), 1e-3)
def until_small(x, least):
    change = 1.0
    while change > least:
        for i in range(len(x) - 1):
            x[i] = 0.5 * (x[i] + x[i + 1]) * 0.9
        if len(x) > 0:
            x[-1] *= 0.5
        change = np.sum(x * x)


#numptx export shifted(float64[:], int)
# run: shifted(random(50), 3)
# run: shifted(random(50), -3)
# run: shifted(random(50), 0)
# run: shifted(random(50), 60)
def shifted(x, by):
    """Whether it looks ahead is known when it runs."""
    n = len(x)
    for i in range(max(0, -by), min(n, n - by)):
        x[i] = x[i + by] + 1


#numptx export of_iterations(float64[:], float64[:,:], int)
# run: of_iterations(random(50), random((4, 50)), 4)
# run: of_iterations(random(0), random((4, 0)), 4)
# run: of_iterations(random(50)[::-1], random((4, 50))[::-1], 3)
def of_iterations(a, y, n):
    """Arrays that an iteration makes, and reads ahead."""
    for t in range(n):
        c = a * 2
        for i in range(len(c) - 1):
            c[i] = c[i + 1] + 1
        row = y[t] * 2
        for i in range(len(row) - 1):
            row[i] += row[i + 1]
        y[t] = row
        a += c


#numptx export until_few(float64[:])
# run: until_few(random(40))
# run: until_few(zeros(3))
def until_few(a):
    n = 0
    while n < 5 and a.sum() < 1e3:
        c = np.empty(50)
        c[:] = a[0]
        for i in range(49):
            c[i] = c[i + 1] * 0.5
        a += c[3]
        n += 1
    return n


#numptx export windows_of_steps(float64[:], int)
# run: windows_of_steps(random(3000), 2900)
# run: windows_of_steps(random(40), 20)
def windows_of_steps(x, n):
    """Each iteration reads 16 elements, so it copies no more than these, or none."""
    for t in range(n):
        for i in range(t, t + 16):
            x[i] = x[i + 1] * 0.5 + x[i]


#numptx export of_rows(float64[:,:], int)
# run: of_rows(random((600, 20)), 599)
# run: of_rows(random((3, 20)), 2)
def of_rows(x, n):
    s = 0.0
    for t in range(n):
        for i in range(x.shape[1] - 1):
            x[t, i] = x[t, i + 1] * 0.5 + x[t + 1, i] + s
        s = x[t, 0] * 0.125
    return s
