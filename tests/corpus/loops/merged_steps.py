"""Steps of time loops over the same points, which are one step where no point needs another one's, and those where one does."""

import numpy as np


# Positions need only the velocity of their own body; both are one step.
#numptx export drift(int, float, float64[:,:], float64[:,:], float64[:,:])
# run: drift(5, 0.1, random((9, 3)), random((9, 3)), random((9, 3)))
# structure: launches==1 allocs=1 copies=0
# run: drift(2, 0.1, random((9, 3)), random((9, 1)), random((9, 3)))
# run: drift(3, 0.5, random((1, 3)), random((1, 3)), random((1, 3)))
# run: drift(3, 0.5, random((0, 3)), random((0, 3)), random((0, 3)))
def drift(steps, dt, position, velocity, acceleration):
    for _ in range(steps):
        velocity += acceleration * dt / 2.0
        position += velocity * dt
        acceleration[:] = -position
        velocity[0] = velocity[-1]


# A power in place of what it is a power of, chosen by a mask.
#numptx export inverse_cubes(int, float64[:,:], float64[:])
# run: inverse_cubes(4, random((12, 3)), zeros(5))
# structure: launches==1 allocs=2 copies=0
# run: inverse_cubes(2, zeros((5, 3)), ones(3))
# run: inverse_cubes(2, random((1, 3)), ones(3))
def inverse_cubes(steps, position, energies):
    for t in range(steps):
        x, y = position[:, 0:1], position[:, 1:2]
        r = (x.T - x) ** 2 + (y.T - y) ** 2
        r[r > 0] = r[r > 0] ** (-1.5)
        energies[t] = np.sum(np.triu(r, 1))
        position *= 1.125


# Sums that lie beside each other in one array: each is stored where it belongs.
#numptx export columns_of_sums(int, float64[:,:], float64[:,:])
# run: columns_of_sums(3, random((20, 20)), random((20, 1)))
# run: columns_of_sums(2, random((40, 40)), random((40, 1)))
# run: columns_of_sums(2, random((3, 3)), random((3, 2)))
# run: columns_of_sums(2, random((3, 3)), random((3, 0)))
def columns_of_sums(steps, a, x):
    total = 0.0
    for t in range(steps):
        sums = np.hstack((a @ x, a.T @ x, (a * a) @ x))
        x += 0.001 * (sums[:, 0:1] + sums[:, 1:2] * sums[:, -1:])
        total += np.sum(sums)
    return total


# What is summed up beside what, and twice, in one launch.
#numptx export until_still(int, float64[:,:])
# run: until_still(5, random((7, 9)))
# run: until_still(3, random((40, 30)))
def until_still(steps, u):
    change = 0.0
    for t in range(steps):
        before = u.copy()
        u[1:-1, 1:-1] = 0.25 * (before[:-2, 1:-1] + before[2:, 1:-1] + before[1:-1, :-2] + before[1:-1, 2:])
        change = (np.sum(u) - np.sum(before)) / np.sum(u) + np.max(u) - np.min(u) + np.sum(u)
    return change


# A row's sum, and what its point makes of it.
#numptx export by_rows(float64[:,:], float64[:,:], float64[:,:])
# run: by_rows(random((9, 7)), random((9, 9)), random((9, 7)))
# structure: launches==1 allocs=1 copies=0
# run: by_rows(random((40, 90)), random((40, 40)), random((40, 90)))
# run: by_rows(random((1, 1)), random((1, 1)), random((1, 1)))
def by_rows(c, a, b):
    sums = np.empty(c.shape[1], dtype=c.dtype)
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[:i, j] += 1.5 * b[i, j] * a[i, :i]
            sums[j] = b[:i, j] @ a[i, :i]
        c[i, :] = 1.2 * c[i, :] + 1.5 * b[i, :] * a[i, i] + 1.5 * sums


# What one thread stores of numbers that all have.
#numptx export told(float64[:,:], float64[:,:])
# run: told(random((9, 6)) + 1, zeros((6, 6)))
# structure: launches==1 allocs=0 copies=0
# run: told(random((70, 40)) + 1, zeros((40, 40)))
def told(a, r):
    for k in range(a.shape[1]):
        r[k, k] = np.sqrt(np.sum(a[:, k] * a[:, k]))
        a[:, k] = a[:, k] / r[k, k]
        a[0, :] += r[k, k]


# Points that need others: the neighbour, the mirrored one, the other triangle, every second one.
#numptx export others(int, float64[:], float64[:], float64[:,:])
# run: others(4, random(9), random(9), random((9, 9)))
# structure: launches==1
# run: others(3, random(40), random(40), random((40, 40)))
# run: others(2, random(1), random(1), random((1, 1)))
def others(steps, x, y, a):
    n = x.shape[0]
    for t in range(steps):
        y[:] = x + 1.0
        x[:] = y[::-1] * 0.5
        x[1:] = y[:-1] + 0.25
        y[1:] = x[1:] - y[1:]
        a[:] = a.T * 0.5 + x
        a[:n, :n] = a + 1.0
        x[::2] = 2.0 * x[::2]
        x[::2] = x[::2] + y[::2]


# One element under several names: the last store counts.
#numptx export several_stores(int, int, int, float64[:], float64[:])
# run: several_stores(4, 0, 0, random(9), random(9))
# run: several_stores(4, 0, 1, random(9), random(9))
# run: several_stores(3, 2, 1, random(40), random(40))
def several_stores(steps, a, b, x, y):
    n = x.shape[0] - 2
    for t in range(steps):
        for i in range(n):
            x[i + a] = y[i] + 1.0
        for i in range(n):
            x[i + b] = 0.5 * x[i + b] + x[i + a]
        for i in range(n):
            y[i] = x[i + a] + y[i]
