"""Arguments that loops hand on and make anew, in loops that are one launch: they come back themselves where there is no iteration, and are never written."""

import numpy as np


#numptx export power(float64[:,:], float64[:], int)
# run: power(random((9, 9)) + eye(9), random(9), 20)
# structure: launches=2 allocs=3 copies=0
# run: power(random((9, 9)) + eye(9), random(9), 0)
# run: power(random((9, 9)) + eye(9), random(9), -3)
# run: power(random((9, 9)) + eye(9), random(18)[::-2], 5)
# run: power(ones((1, 1)), ones(1), 3)
# run: power(random((3, 4)), ones(4), 2)
# run: power(random((3, 4)), ones(4), 1)
# run: power(zeros((0, 0)), zeros(0), 2)
def power(a, x, steps):
    for _ in range(steps):
        x = a @ x
        x = x / np.sqrt((x * x).sum())
    return x


# The state of a recurrent network.
#numptx export recurrent(float64[:,:], float64[:,:], float64[:,:], float64[:])
# run: recurrent(random((5, 5)), random((5, 3)), random((7, 3)), random(5))
# structure: launches=2 allocs=4 copies=0
# run: recurrent(random((5, 5)), random((5, 3)), random((0, 3)), random(5))
# run: recurrent(random((5, 5)), random((5, 3)), random((7, 4)), random(5))
# run: recurrent(random((1, 5)), random((5, 3)), random((7, 3)), random(5))
# run: recurrent(random((5, 5)).T, random((5, 6))[:, ::2], random((7, 3))[::-1], broadcast_to(array(0.5), 5))
def recurrent(w, u, inputs, h):
    for t in range(inputs.shape[0]):
        h = np.tanh(w @ h + u @ inputs[t])
    return h


#numptx export transferred(float64[:,:,:], float64[:])
# run: transferred(random((6, 4, 4)), random(4))
# run: transferred(random((6, 4, 4))[::-2], random(4))
# run: transferred(random((0, 4, 4)), random(4))
# run: transferred(random((1, 3, 4)), random(4))
# run: transferred(random((2, 3, 4)), random(4))
# run: transferred(random((6, 4, 4)), random(5))
def transferred(layers, v):
    for t in range(layers.shape[0]):
        v = layers[t] @ v
    return v


# The argument is still there beside what is made of it, and may be what comes back.
#numptx export beside(float64[:], int)
# run: beside(random(8), 3)
# run: beside(random(8)[::-1], 1)
# run: beside(random(8), 0)
# run: beside(random(0), 2)
def beside(x, steps):
    u = x
    for _ in range(steps):
        u = 0.5 * (np.roll(u, 1) + u)
    return u, x


# A view of an argument keeps it alive where there is no iteration.
#numptx export of_view(float64[:], int)
# run: of_view(random(9), 2)
# run: of_view(random(9), 0)
# run: of_view(random(1), 2)
def of_view(x, steps):
    v = x[1::2]
    for _ in range(steps):
        v = v * v.sum()
    return v


# Rows that are stored may lie in the argument itself.
#numptx export stored(float64[:,:], float64[:], float64[:,:])
# run: stored(random((4, 4)), random(4), zeros((5, 4)))
# run: a = random((5, 4)); stored(random((4, 4)), a[0], a)
# run: a = random((5, 4)); stored(random((4, 4)), a[2], a)
# run: a = random((5, 4)); stored(random((4, 4)), a[:4, 1], a)
# run: stored(random((4, 4)), random(4), zeros((0, 4)))
def stored(w, x, out):
    for t in range(out.shape[0]):
        out[t] = x
        x = w @ x
    return x


# What is written in the first iteration is the argument.
#numptx export written(float64[:], int)
# run: written(random(6), 3)
# run: written(random(6), 0)
def written(x, steps):
    for _ in range(steps):
        x[0] = 1.5
        x = x * 0.5 + x.sum()
    return x


# Two that change places, one of which is read only.
#numptx export exchanged(float64[:], float64[:], int)
# run: exchanged(random(5), random(5), 3)
# run: exchanged(random(5), random(5), 0)
# run: exchanged(random(5), broadcast_to(array(2.0), 5), 2)
# run: a = random(5); exchanged(a, a, 3)
def exchanged(x, y, steps):
    for _ in range(steps):
        x, y = y + 1.0, x * y.sum()
    return x, y


# How many iterations there are is known when it runs.
#numptx export until(float64[:], float64)
# run: until(random(7), 0.01)
# run: until(random(7) + 1.0, 100.0)
# run: until(zeros(3), 0.5)
def until(x, limit):
    while x.sum() > limit:
        x = x * 0.5
    return x


#numptx export float32_rows(float32[:,:], float32[:,:], int)
# run: float32_rows(random((4, 4), dtype=float32), random((4, 6), dtype=float32), 3)
# run: float32_rows(random((4, 4), dtype=float32), random((6, 4), dtype=float32).T, 3)
# run: float32_rows(random((4, 4), dtype=float32), random((4, 6), dtype=float32), 0)
def float32_rows(a, x, steps):
    for _ in range(steps):
        x = a @ x
    return x
