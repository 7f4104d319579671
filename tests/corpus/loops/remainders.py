"""Loops whose iterations are apart by remainders: fields of one colour, rotations; and some that are not."""

import numpy as np


#numptx export red_and_black(float64[:,:], int)
# run: red_and_black(random((40, 33)), 3)
# structure: launches==1 allocs=0 copies=0
# run: red_and_black(random((3, 3)), 2)
# run: red_and_black(random((2, 5)), 2)
# run: red_and_black(zeros((0, 4)), 1)
# run: red_and_black(random((17, 18)).T, 4)
def red_and_black(u, steps):
    n, m = u.shape
    for _ in range(steps):
        for colour in range(2):
            for i in range(1, n - 1):
                for j in range(1, m - 1):
                    if (i + j) % 2 == colour:
                        u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


#numptx export of_one_colour(float64[:,:], int)
# run: of_one_colour(random((40, 33)), 0)
# structure: launches==1 allocs=0 copies=0
# run: of_one_colour(random((40, 33)), 1)
# run: of_one_colour(random((40, 33)), 2)
# run: of_one_colour(random((1, 1)), 1)
def of_one_colour(u, colour):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            if (i + j) % 2 == colour:
                u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


#numptx export by_steps_of_two(float64[:,:], int)
# run: by_steps_of_two(random((40, 33)), 0)
# structure: launches==1 allocs=0 copies=0
# run: by_steps_of_two(random((40, 33)), 1)
# run: by_steps_of_two(random((40, 33)), -3)
# run: by_steps_of_two(random((2, 2)), 1)
def by_steps_of_two(u, colour):
    n, m = u.shape
    for i in range(1, n - 1):
        for j in range(1 + (i + colour) % 2, m - 1, 2):
            u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


#numptx export but_odd_ones(float64[:,:])
# run: but_odd_ones(random((30, 31)))
# structure: launches==1 allocs=0 copies=0
def but_odd_ones(u):
    n, m = u.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            if (i + j) % 2 == 1:
                continue
            u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


# Neighbours across a corner are of the same colour.
#numptx export across_corners(float64[:,:], int)
# run: across_corners(random((40, 33)), 0)
# run: across_corners(random((40, 33)), 1)
def across_corners(u, colour):
    for i in range(1, u.shape[0]):
        for j in range(1, u.shape[1]):
            if (i + j) % 2 == colour:
                u[i, j] = 0.5 * (u[i - 1, j - 1] + u[i, j])


# Of three colours, a neighbour and the one after it are of the same one where both steps make three.
#numptx export of_three_colours(float64[:,:], int)
# run: of_three_colours(random((40, 33)), 0)
# run: of_three_colours(random((40, 33)), 2)
def of_three_colours(u, colour):
    for i in range(1, u.shape[0]):
        for j in range(2, u.shape[1]):
            if (i + j) % 3 == colour:
                u[i, j] = 0.5 * (u[i - 1, j - 2] + u[i, j - 1])


#numptx export rotated(float64[:], int)
# run: rotated(random(1000), 3)
# structure: launches==1 allocs=1 copies=0
# run: rotated(random(1000), -3)
# run: rotated(random(1000), 12345)
# run: rotated(random(1), 1)
# run: rotated(zeros(0), 1)
def rotated(x, k):
    n = len(x)
    y = np.empty(n)
    for i in range(n):
        y[(i + k) % n] = x[i]
    return y


#numptx export turned(float64[:], int)
# run: turned(random(1000), 3)
# structure: launches==1 allocs=1 copies=0
# run: turned(random(7), -30)
def turned(x, k):
    n = len(x)
    y = np.empty(n)
    for i in range(n):
        y[(k - i) % n] = x[i]
    return y


# Elements that are met twice: the last one stays.
#numptx export wound_up(float64[:], int, int)
# run: wound_up(random(1000), 3, 100)
# run: wound_up(random(1000), 3, 999)
# run: wound_up(random(1000), 3, 1000)
# run: wound_up(random(1000), 3, 0)
# run: wound_up(random(1000), 3, -7)
def wound_up(x, k, n):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[(i + k) % n] = x[i]
    return y


#numptx export every_second(float64[:], int)
# run: every_second(random(1000), 3)
# run: every_second(random(999), 3)
def every_second(x, k):
    n = len(x)
    y = np.zeros(n)
    for i in range(n):
        y[(2 * i + k) % n] = x[i]
    return y


#numptx export rotated_in_place(float64[:], int)
# run: rotated_in_place(random(1000), 3)
# run: rotated_in_place(random(1000), 997)
# run: rotated_in_place(random(10), 0)
def rotated_in_place(x, k):
    n = len(x)
    for i in range(n):
        x[(i + k) % n] = x[i]
