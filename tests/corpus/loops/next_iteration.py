"""Loops along an axis that read what the iteration before wrote: each point of the other axes keeps it, and loads it once."""

import numpy as np


#numptx export upwards(float64[:,:], float64[:,:])
# run: upwards(random((3, 7)), random((3, 7)))
# run: upwards(random((4, 1)), random((4, 1)))
# run: upwards(random((4, 0)), random((4, 0)))
# run: upwards(random((0, 4)), random((0, 4)))
# run: upwards(random((5, 12))[::-1, ::-2], random((5, 6)))
# run: upwards(asfortranarray(random((5, 6))), random((10, 12))[::2, ::2])
# run: upwards(array([[nan, 0.0, 1.0], [-0.0, inf, -inf]]), ones((2, 3)))
def upwards(c, x):
    for k in range(1, c.shape[1]):
        c[:, k] = x[:, k]
        c[:, k] = c[:, k] - 0.5 * c[:, k - 1]


#numptx export downwards(int64[:,:], int64[:,:])
# run: downwards(integers(-9, 9, (3, 7)), integers(-9, 9, (3, 7)))
# run: downwards(full((2, 5), 9223372036854775807), integers(-9, 9, (2, 5)))
# run: downwards(integers(-9, 9, (3, 1)), integers(-9, 9, (3, 1)))
# run: downwards(integers(-9, 9, (3, 0)), integers(-9, 9, (3, 0)))
def downwards(c, x):
    for k in range(c.shape[1] - 2, -1, -1):
        c[:, k] = x[:, k] + c[:, k + 1] * c[:, k]


#numptx export every_second(float32[:,:])
# run: every_second(random((4, 9), "float32"))
# run: every_second(random((4, 2), "float32"))
def every_second(c):
    for k in range(2, c.shape[1], 2):
        for i in range(c.shape[0]):
            c[i, k] += c[i, k - 2] * c[i, k - 1]


#numptx export last_value(float64[:], float64[:,:])
# run: last_value(random(3), random((3, 8)))
# run: last_value(random(3), random((3, 0)))
# run: last_value(random(6)[::2], random((3, 4)))
# run: last_value(random(0), random((0, 4)))
def last_value(state, x):
    for k in range(x.shape[1] - 1, -1, -1):
        state[:] = x[:, k] - 0.25 * state
        x[:, k] = 2.0 * state


#numptx export two_sweeps(float64[:,:], float64[:,:], float64[:,:])
# run: two_sweeps(random((5, 9)), random((5, 9)), random((5, 9)))
# run: two_sweeps(random((1, 2)), random((1, 2)), random((1, 2)))
# run: two_sweeps(random((40, 33)), random((40, 33)), random((40, 33)))
def two_sweeps(c, d, x):
    for k in range(1, c.shape[1]):
        a = 0.3 * x[:, k]
        scale = 1.0 / (2.0 - a * c[:, k - 1])
        d[:, k] = d[:, k] + x[:, k - 1]
        c[:, k] = a * scale
        d[:, k] = (d[:, k] - a * d[:, k - 1]) * scale
    for k in range(c.shape[1] - 2, -1, -1):
        d[:, k] -= c[:, k] * d[:, k + 1]


#numptx export seen_by_others(float64[:,:], float64[:])
# run: seen_by_others(random((4, 6)), random(4))
def seen_by_others(c, first):
    """The sum of a row is seen in the middle of the loop, by a branch."""
    for i in range(c.shape[0]):
        for k in range(1, c.shape[1]):
            c[i, 0] = c[i, 0] + c[i, k]
            if c[i, k] > 0.5:
                first[i] = c[i, 0]
