"""Loops around small steps that depend on each other: one launch runs each of them, with barriers between its steps."""

import numpy as np


# Levinson's recursion on whole vectors: a sum and a reversed copy in each step.
#numptx export recursion(float64[:])
# run: recursion(random(40) / 40)
# structure: launches=4 allocs=5 copies=0
# run: recursion(random(2))
# run: recursion(random(1))
# run: recursion(random(300) / 300)
def recursion(r):
    y = np.empty_like(r)
    alpha = -r[0]
    beta = 1.0
    y[0] = -r[0]
    for k in range(1, r.shape[0]):
        beta *= 1.0 - alpha * alpha
        alpha = -(r[k] + np.dot(np.flip(r[:k]), y[:k])) / beta
        y[:k] += alpha * np.flip(y[:k])
        y[k] = alpha
    return y


#numptx export substitution(float64[:,:], float64[:], float64[:])
# run: substitution(random((30, 30)) + 30 * eye(30), random(30), random(30))
# structure: launches==1 allocs=0 copies=0
# run: substitution(random((1, 1)), random(1), random(1))
# run: substitution(random((3, 2)), random(3), random(3))
def substitution(lower, x, b):
    for i in range(x.shape[0]):
        x[i] = (b[i] - lower[i, :i] @ x[:i]) / lower[i, i]


# Two arrays that take turns, under bounds that Python computes.
#numptx export turns(int, float64[:,:], float64[:,:])
# run: turns(5, random((9, 12)), random((9, 12)))
# structure: launches==1 allocs=1 copies=0
# run: turns(3, random((2, 12)), random((2, 12)))
# run: turns(0, random((4, 4)), random((4, 4)))
# run: turns(2, random((1, 9)), random((1, 9)))
def turns(steps, a, b):
    for _ in range(steps):
        b[1:-1, 1:-1] = 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])
        a[1:-1, 1:-1] = b[1:-1, 1:-1]
        a[0] = a[-1]


# Sweeps along rows inside of a time loop: threads run along the columns without a barrier.
#numptx export sweeps(int, float64[:,:])
# run: sweeps(4, random((7, 6)))
# structure: launches==1 allocs=0 copies=0
# run: sweeps(2, random((1, 6)))
def sweeps(steps, u):
    for _ in range(steps):
        for i in range(1, u.shape[0]):
            u[i, :] = 0.5 * (u[i, :] + u[i - 1, :])
        for j in range(1, u.shape[1]):
            u[:, j] = 0.5 * (u[:, j] - u[:, j - 1])


# A sum decides whether there is another step.
#numptx export halved(float64[:], float64)
# run: halved(random(33), 0.5)
# run: halved(random(33), 1e9)
# run: halved(zeros(0), 0.5)
def halved(x, limit):
    n = 0
    while np.sum(x * x) > limit:
        x *= 0.5
        n += 1
    return n


# Steps of more points than one launch is worth: the host starts a kernel for each.
#numptx export wide(float32[:], float32[:])
# run: wide(random(50000, dtype=float32), random(50000, dtype=float32))
# structure: launches=6 allocs=0 copies=0
def wide(a, b):
    for _ in range(3):
        b[:] = a * 0.5
        a[:] = b + 1


# Whether extents go together is known when it runs: those that repeat an element run as they are.
#numptx export spread(int, float64[:], float64[:])
# run: spread(3, random(9), random(9))
# structure: launches==1 allocs=0 copies=0
# run: spread(3, random(9), random(1))
# run: spread(3, random(9), random(4))
def spread(steps, x, y):
    for k in range(steps):
        x[:] = x * 0.5 + y
        x[k] = 0.0


# Sums, and parallel loops around loops: all threads share each of them, instead of a thread for each point of a front.
#numptx export orthogonal(float64[:,:])
# run: orthogonal(random((12, 9)))
# structure: launches=3 allocs=2 copies=0
# run: orthogonal(random((1, 1)))
# run: orthogonal(random((40, 33)))
# run: orthogonal(zeros((5, 0)))
def orthogonal(a):
    m, n = a.shape
    q = np.zeros((m, n))
    r = np.zeros((n, n))
    for k in range(n):
        r[k, k] = np.sqrt(np.dot(a[:, k], a[:, k]))
        q[:, k] = a[:, k] / r[k, k]
        for j in range(k + 1, n):
            r[k, j] = np.dot(q[:, k], a[:, j])
            a[:, j] -= q[:, k] * r[k, j]
    return q, r


# The parts of a parallel loop are steps of their own only where no value goes from one to the next.
#numptx export crossing(int, float64[:,:], float64[:,:])
# run: crossing(3, random((6, 5)), random((6, 5)))
# run: crossing(2, random((1, 5)), random((1, 5)))
# run: crossing(0, random((6, 5)), random((6, 5)))
# run: crossing(2, random((6, 0)), random((6, 0)))
def crossing(steps, a, b):
    for _ in range(steps):
        for j in range(a.shape[1]):
            top = np.dot(a[:, j], b[:, j])
            b[0, j] = top
            a[:, j] = a[:, j] * 0.25 + top * 0.01
        for j in range(a.shape[1]):
            b[:, j] = b[:, j] * 0.5
            a[0, j] = b[a.shape[0] - 1, j]
            b[:, j] += a[:, j] * 0.125


# Points of a step over rows are told how long each row is by the row: a later step of the same rows finds that out for itself.
#numptx export staircase(int, float64[:,:], float64[:,:,:], float64[:])
# run: staircase(3, random((5, 5)), random((5, 2, 5)), random(5))
# structure: launches==1 allocs=0 copies=0
# run: staircase(2, random((1, 1)), random((1, 2, 1)), random(1))
# run: staircase(2, random((4, 3)), random((4, 2, 4)), random(4))
def staircase(steps, y, z, w):
    for _ in range(steps):
        for i in range(len(w)):
            for j in range(len(w) - i):
                y[i, j] = w[j] + i
            for r in range(2):
                for c in range(len(w) - i):
                    z[i, r, c] = (r + 1) * y[i, c]
        for j in range(len(w)):
            w[j] = 0.5 * (z[len(w) - 1 - j, 0, 0] + z[0, 1, j])


# Rows are as long as a sum from outside of the loop over them, once checks say so.
#numptx export every_second(int, float64[:,:], float64[:], float64[:], float64[:])
# run: every_second(3, random((4, 7)), random(4), random(4), random(4))
# structure: launches==1
# run: every_second(2, random((3, 8)), random(1), random(4), random(3))
# run: every_second(2, random((2, 6)), random(4), random(4), random(4))
def every_second(steps, u, x, y, w):
    for _ in range(steps):
        t = x + y
        for j in range(len(u)):
            w[j] = np.sum(u[j, ::2] * t)
        x[:] = w - x


#numptx export long_enough(int, float64[:,:], float64[:], float64[:], float64[:])
# run: long_enough(3, random((4, 7)), random(4), random(4), random(4))
# run: long_enough(3, random((2, 3)), random(2), random(2), random(2))
# run: long_enough(2, random((3, 8)), random(1), random(4), random(3))
def long_enough(steps, u, x, y, w):
    for _ in range(steps):
        t = x + y
        for j in range(len(u)):
            if len(u[j, ::2] * t) > 3:
                w[j] = t[j]
        x[:] = w - x


# The extreme of zeros of both signs is one of them, and what is decided by it is the same for all threads.
#numptx export signs_of_extremes(float64[:,:], float64[:])
# run: signs_of_extremes(tile([0.0, -0.0], (6, 50)), ones(100))
# run: signs_of_extremes(tile(repeat([0.0, -0.0], 32), (6, 2)), ones(128))
def signs_of_extremes(a, x):
    for t in range(a.shape[0]):
        m = np.max(a[t, :] * x[:])
        if 1.0 / m > 0.0:
            x[:] = x[:] + np.max(np.abs(a[t, :]) + np.abs(x)) * 0.0
        else:
            x[:] = x[:] * 1.0


#numptx export signs_of_extremes_of_rows(float64[:,:], float64[:,:])
# run: signs_of_extremes_of_rows(tile([0.0, -0.0], (40, 20)), ones((5, 40)))
def signs_of_extremes_of_rows(a, x):
    for t in range(1, x.shape[0]):
        for i in range(x.shape[1]):
            m = np.max(a[i, :] * x[t - 1, :])
            if 1.0 / m > 0.0:
                x[t, i] = np.max(np.abs(a[i, :]) + x[t - 1, :])
            else:
                x[t, i] = np.max(x[t - 1, :] + np.abs(a[i, :]))
