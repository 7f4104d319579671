"""Scalars that an iteration reads before loops over its row: points and steps have both axes nevertheless, and read for themselves."""

import numpy as np


#numptx export outer(float64[:], float64[:], float64[:,:])
# run: outer(random(30), random(40), zeros((30, 40)))
# structure: launches==1 allocs=0 copies=0
# run: outer(random(30)[::-2], random(40)[::3], zeros((40, 40)).T)
# run: outer(random(1), random(400), zeros((1, 400)))
# run: outer(random(0), random(4), zeros((0, 4)))
# run: outer(random(4), random(0), zeros((4, 0)))
# run: z = random((20, 20)); outer(z[0], z[:, 1], z)
# run: z = random((20, 20)); outer(z[3], random(20), z)
# run: outer(random(5), random(4), zeros((4, 4)))
def outer(x, y, z):
    for i in range(x.shape[0]):
        s = np.sqrt(x[i])
        for j in range(y.shape[0]):
            z[i, j] = s * y[j]


#numptx export weighted(float64[:], float64[:], float64[:,:], float64[:,:])
# run: weighted(random(30), random(30), random((30, 20)), zeros((30, 20)))
# structure: launches==1 allocs=0 copies=0
# run: z = random((30, 20)); weighted(random(30), random(30), z, z)
# run: z = random((30, 30)); weighted(z[0], z[1], z, z)
def weighted(lower, upper, a, z):
    for i in range(len(lower)):
        low = min(lower[i], upper[i])
        span = max(lower[i], upper[i]) - low
        for j in range(a.shape[1]):
            z[i, j] = low + span * a[i, j]


#numptx export through_an_index(int64[:], float64[:], float64[:,:])
# run: through_an_index(integers(0, 9, 30), random(9), zeros((30, 20)))
# run: through_an_index(integers(-9, 9, 30), random(9), zeros((30, 20)))
# run: through_an_index(integers(0, 9, 30), random(8), zeros((30, 20)))
# run: through_an_index(integers(0, 9, 30), random(1), zeros((30, 0)))
def through_an_index(at, x, z):
    for i in range(len(at)):
        value = x[at[i]]
        for j in range(z.shape[1]):
            z[i, j] += value


#numptx export written_between(float64[:], float64[:,:])
# run: written_between(random(30), random((30, 20)))
# run: written_between(random(1), random((1, 1)))
def written_between(x, z):
    for i in range(len(x)):
        old = x[i]
        x[i] = old + 1.0
        for j in range(z.shape[1]):
            z[i, j] = old * z[i, j] + x[i]


#numptx export written_beside(float64[:,:])
# run: written_beside(random((30, 20)))
# run: written_beside(random((30, 1)))
# run: written_beside(random((1, 20)))
# run: written_beside(random((3, 0)))
def written_beside(z):
    for i in range(z.shape[0]):
        first = z[i, 0]
        for j in range(z.shape[1]):
            z[i, j] = first + j


#numptx export divided(float64[:,:])
# run: divided(random((30, 30)) + 30 * np.eye(30))
# structure: launches==1 copies=0
# run: divided(random((9, 9)))
# run: divided(random((1, 1)))
# run: divided(random((0, 0)))
# run: divided(zeros((4, 4)))
def divided(a):
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            f = a[i, k] / a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= f * a[k, j]


#numptx export divided_and_kept(float64[:,:])
# run: divided_and_kept(random((30, 30)) + 30 * np.eye(30))
# structure: launches==1 copies=0
# run: divided_and_kept(random((9, 9)))
# run: divided_and_kept(random((2, 1)))
def divided_and_kept(a):
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            f = a[i, k] / a[k, k]
            a[i, k] = f
            for j in range(k + 1, n):
                a[i, j] -= f * a[k, j]


#numptx export with_a_right_side(float64[:,:], float64[:])
# run: with_a_right_side(random((30, 30)) + 30 * np.eye(30), random(30))
# structure: launches==1 copies=0
# run: with_a_right_side(random((9, 9)), random(9))
# run: a = random((9, 9)); with_a_right_side(a, a[2])
def with_a_right_side(a, b):
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            f = a[i, k] / a[k, k]
            b[i] -= f * b[k]
            for j in range(k + 1, n):
                a[i, j] -= f * a[k, j]


#numptx export as_in_books(float64[:,:], float64[:])
# run: as_in_books(random((30, 30)) + 30 * np.eye(30), random(30))
# structure: launches==1 copies=0
# run: as_in_books(random((9, 9)), random(9))
# run: as_in_books(random((9, 12)), random(9))
# run: as_in_books(random((12, 9)), random(9))
# run: as_in_books(random((0, 0)), random(0))
# run: a = random((9, 9)); as_in_books(a, a[:, 2])
def as_in_books(a, b):
    n = len(b)
    for k in range(n - 1):
        for i in range(k + 1, n):
            factor = a[i, k] / a[k, k]
            for j in range(k, n):
                a[i, j] -= factor * a[k, j]
            b[i] -= factor * b[k]


#numptx export two_sides(float64[:,:], float64[:,:])
# run: two_sides(random((20, 20)) + 20 * np.eye(20), random((20, 7)))
# structure: launches==1 copies=0
# run: two_sides(random((9, 9)), random((9, 1)))
# run: two_sides(random((9, 9)), random((9, 0)))
def two_sides(a, b):
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            f = a[i, k] / a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= f * a[k, j]
            for j in range(b.shape[1]):
                b[i, j] -= f * b[k, j]


#numptx export cells(float64[:], float64[:,:])
# run: cells(random(30), random((30, 20)))
# run: cells(random(3), random((3, 1)))
def cells(x, z):
    for i in range(len(x)):
        t = np.array(x[i] * 2.0)
        t += 1.0
        for j in range(z.shape[1]):
            z[i, j] = z[i, j] * t


#numptx export cells_of_steps(float64[:,:])
# run: cells_of_steps(random((30, 30)) + 30 * eye(30))
# run: cells_of_steps(random((3, 3)) + 3 * eye(3))
def cells_of_steps(a):
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            f = np.array(a[i, k] / a[k, k])
            f *= 0.5
            for j in range(k, n):
                a[i, j] -= f * a[k, j]


#numptx export around_parallel(float64[:,:,:], int)
# run: around_parallel(random((8, 9, 10)), 5)
# structure: launches==1
# run: around_parallel(random((2, 2, 2)), 3)
# run: around_parallel(random((1, 2, 1)), 3)
def around_parallel(a, n):
    for t in range(n):
        for p in range(a.shape[0]):
            for i in range(1, a.shape[1]):
                f = a[p, i, 0] * 0.5
                for j in range(a.shape[2]):
                    a[p, i, j] = f + a[p, i, j] * 0.25
                a[p, i, 0] += f
