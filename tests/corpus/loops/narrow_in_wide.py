"""Loops with few work items a phase in one whose own steps have many: on a device each is a launch of its own, whose threads are one block, where all steps would be those of a grid."""

import numpy as np


#numptx export smoothed(float64[:], float64[:,:], int)
# run: smoothed(random(90), random((800, 90)), 5)
# structure: launches==10 copies=0 syncs=0
# run: smoothed(random(90), random((20, 90)), 5)
# structure: launches=1 copies=0 syncs=0
# run: smoothed(random(3), random((2, 3)), 3)
# run: smoothed(random(90), random((800, 90)), 0)
# run: smoothed(random(90), random((0, 90)), 2)
# run: smoothed(random(90), random((800, 91)), 2)
def smoothed(x, y, n):
    for _ in range(n):
        for _ in range(12):
            x[1:-1] = 0.5 * (x[2:] + x[:-2])
        y += x


# Of few iterations it is not worth it.
#numptx export twice(float64[:], float64[:,:], int)
# run: twice(random(90), random((800, 90)), 5)
# structure: launches=10 copies=0 syncs=0
def twice(x, y, n):
    for _ in range(n):
        for _ in range(2):
            x[1:-1] = 0.5 * (x[2:] + x[:-2])
        y += x


# How many iterations they have is known at the call.
#numptx export counted(float64[:], float64[:,:], int, int)
# run: counted(random(90), random((800, 90)), 5, 9)
# structure: launches==10 copies=0 syncs=0
# run: counted(random(90), random((800, 90)), 5, 0)
def counted(x, y, n, m):
    for _ in range(n):
        for _ in range(m):
            x[1:-1] = 0.5 * (x[2:] + x[:-2])
        y += x
