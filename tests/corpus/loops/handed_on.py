"""Arrays that iterations make anew and hand on, in loops that are one launch: they stay in one place, where nobody can tell."""

import numpy as np


# Conjugate gradients: a sum decides whether there is another step.
#numptx export conjugate_gradient(float64[:,:], float64[:], float64[:], float64)
# run: a = random((12, 12)); conjugate_gradient(a @ a.T + 12 * eye(12), random(12), zeros(12), 1e-16)
# run: conjugate_gradient(eye(1), random(1), zeros(1), 1e-16)
# run: conjugate_gradient(eye(3), zeros(3), zeros(3), 1e-16)
# run: conjugate_gradient(zeros((0, 0)), zeros(0), zeros(0), 1e-16)
# run: conjugate_gradient(eye(3), random(4), zeros(3), 1e-16)
def conjugate_gradient(a, b, x, limit):
    r = b - a @ x
    p = r.copy()
    rs = r @ r
    n = 0
    while rs > limit:
        ap = a @ p
        alpha = rs / (p @ ap)
        x += alpha * p
        r -= alpha * ap
        new = r @ r
        p = r + (new / rs) * p
        rs = new
        n += 1
    return n


# What is made is used after the loop.
#numptx export power(float64[:,:], int)
# run: power(random((9, 9)) + eye(9), 20)
# structure: launches=2 allocs=3 copies=0
# run: power(random((9, 9)) + eye(9), 0)
# run: power(random((9, 9)) + eye(9), 1)
# run: power(ones((1, 1)), 3)
# run: power(random((3, 4)), 2)
def power(a, steps):
    v = np.ones(a.shape[0])
    for _ in range(steps):
        w = a @ v
        v = w / np.sqrt(w @ w)
    return v


# Neighbours are read from what is replaced.
#numptx export diffuse(float64[:], int)
# run: diffuse(random(30), 7)
# run: diffuse(random(2), 3)
# run: diffuse(random(30), 0)
def diffuse(x, steps):
    u = x * 1.0
    for _ in range(steps):
        v = np.empty_like(u)
        v[0] = u[0]
        v[-1] = u[-1]
        v[1:-1] = 0.5 * (u[:-2] + u[2:])
        u = v + 0.0
    return u


# An argument comes back itself where there is no step.
#numptx export halve(float64[:], int)
# run: halve(random(5), 0)
# run: halve(random(5), 2)
def halve(x, steps):
    for _ in range(steps):
        x = x * 0.5 + x.sum() * 0.125
    return x


# The first array is seen beside the last one.
#numptx export both(int)
# run: both(0)
# run: both(3)
def both(steps):
    first = np.arange(6.0)
    u = first
    for _ in range(steps):
        u = u * 0.5 + u.sum()
    return first, u


# Two that take turns, and one made of two.
#numptx export fibonacci(float64[:], int)
# run: fibonacci(random(5), 6)
# run: fibonacci(random(5), 1)
# run: fibonacci(random(5), 0)
def fibonacci(x, steps):
    a = x + 1.0
    b = x + 2.0
    for _ in range(steps):
        a, b = b, a + b * b.sum()
    return a, b


# An iteration changes the extent.
#numptx export shrink(float64[:], int)
# run: shrink(random(9), 3)
# run: shrink(random(9), 0)
# run: shrink(random(1), 1)
def shrink(x, steps):
    u = x * 2.0
    for _ in range(steps):
        u = u[1:] + u[:-1].sum()
    return u


# An array of one element grows by broadcasting.
#numptx export grows(float64[:], int)
# run: grows(random(6), 2)
# run: grows(random(1), 2)
# run: grows(random(6), 0)
def grows(x, steps):
    u = np.ones(1)
    for _ in range(steps):
        u = u * x + u.sum()
    return u


# What is handed on is written, too.
#numptx export written(float64[:], int)
# run: written(random(6), 3)
# run: written(random(6), 0)
def written(x, steps):
    u = x + 0.0
    for k in range(steps):
        u[k] = u.sum()
        u = u * 0.5
    return u


# Planes in C order.
#numptx export planes(float64[:,:], int)
# run: planes(random((4, 5)), 3)
# run: planes(random((5, 4)).T, 2)
# run: planes(random((1, 1)), 2)
# run: planes(zeros((0, 3)), 2)
def planes(x, steps):
    u = np.zeros(x.shape)
    for _ in range(steps):
        u = u * 0.5 + x + u[0, 0]
    return u


# The first array is needed again each time that the inner loop runs.
#numptx export again(float64[:], int, int)
# run: again(random(7), 3, 2)
# run: again(random(7), 3, 0)
def again(x, rounds, steps):
    first = x * 0.5
    total = 0.0
    for _ in range(rounds):
        u = first
        for _ in range(steps):
            u = u * 0.5 + u.sum()
        total += u.sum()
    return total


# It is made anew each time.
#numptx export anew(float64[:], int, int)
# run: anew(random(7), 3, 2)
# run: anew(random(7), 3, 0)
def anew(x, rounds, steps):
    for _ in range(rounds):
        u = x * 0.5
        for _ in range(steps):
            u = u * 0.5 + u.sum()
        x[:] = u
    return x


# A view of the first array is seen where there is no step.
#numptx export viewed(float64[:], int)
# run: viewed(random(7), 2)
# run: viewed(random(7), 0)
def viewed(x, steps):
    first = x * 0.5
    u = first[1:]
    for _ in range(steps):
        u = u * 0.5 + u.sum()
    u[0] = 7.0
    return first, u
