"""Time loops whose iterations read rows, columns or elements of the array that they update: several iterations run between two barriers."""

import numpy as np


# Shortest paths, as NPBench has them: fewer and more nodes than iterations that go together, and numbers of them that leave some over.
#numptx export shortest(int32[:,:], int)
# run: shortest(integers(1, 100, (14, 14), dtype=int32), 14)
# structure: launches==1 allocs=2 copies=0
# run: shortest(integers(1, 100, (15, 15), dtype=int32), 15)
# run: shortest(integers(1, 100, (16, 16), dtype=int32), 16)
# run: shortest(integers(-9, 100, (17, 17), dtype=int32), 17)
# run: shortest(integers(1, 100, (3, 3), dtype=int32), 3)
# run: shortest(integers(1, 100, (2, 2), dtype=int32), 2)
# run: shortest(integers(1, 100, (1, 1), dtype=int32), 1)
# run: shortest(zeros((0, 0), dtype=int32), 0)
# run: shortest(integers(1, 100, (9, 9), dtype=int32), 0)
# run: shortest(integers(1, 100, (9, 9), dtype=int32), -3)
# run: shortest(integers(1, 100, (9, 9), dtype=int32), 7)
# run: shortest(integers(1, 100, (9, 9), dtype=int32), 12)
# run: shortest(integers(1, 100, (9, 6), dtype=int32), 6)
# run: shortest(integers(1, 100, (6, 9), dtype=int32), 6)
# run: shortest(integers(1, 100, (6, 9), dtype=int32), 8)
# run: shortest(integers(1, 100, (21, 42), dtype=int32)[::-1, ::2], 21)
# run: shortest(integers(1, 100, (42, 21), dtype=int32)[::2, ::-1], 21)
# run: shortest(integers(1, 100, (21, 21), dtype=int32).T, 21)
# run: shortest(integers(-2**31, 2**31 - 1, (70, 70), dtype=int32), 70)
# run: shortest(integers(1, 1000, (150, 150), dtype=int32), 150)
# bench: shortest(integers(1, 1000, (2800, 2800), dtype=int32), 2800)
def shortest(path, n):
    for k in range(n):
        path[:] = np.minimum(path[:], np.add.outer(path[:, k], path[k, :]))


#numptx export shortest_wide(int64[:,:])
# run: shortest_wide(integers(-2**62, 2**62, (23, 23)))
def shortest_wide(path):
    for k in range(path.shape[0]):
        np.minimum(path, path[:, k, None] + path[k], out=path)


#numptx export shortest_real(float64[:,:]), shortest_real(float32[:,:])
# run: shortest_real(random((22, 22)))
# run: shortest_real(random((22, 22), dtype=float32))
# run: p = random((13, 13)); p[p < 0.3] = inf; p[4, 4] = -0.0; shortest_real(p)
# run: p = random((13, 13)); p[2, 7] = nan; p[3, 1] = -inf; p[1, 3] = inf; shortest_real(p)
def shortest_real(path):
    for k in range(path.shape[0]):
        path[:] = np.minimum(path, path[:, k, None] + path[k])


# Which nodes reach which.
#numptx export closure(bool[:,:])
# run: closure(random((15, 15)) < 0.12)
# structure: launches==1 allocs=2 copies=0
# run: closure(random((70, 70)) < 0.02)
# run: closure((random((31, 31)) < 0.06)[::-1, ::-1])
def closure(reaches):
    for k in range(reaches.shape[0]):
        reaches |= reaches[:, k, None] & reaches[k]


# Widest paths.
#numptx export widest(uint16[:,:])
# run: widest(integers(0, 2**16, (30, 30), dtype=uint16))
def widest(path):
    for k in range(path.shape[0]):
        path[:] = np.maximum(path, np.minimum(path[:, k, None], path[k]))


# Gauss and Jordan's elimination: no minimum, a pivot, and rounding, the same to the last bit.
#numptx export eliminated(float64[:,:])
# run: eliminated(random((18, 18)) + 18 * eye(18))
# run: eliminated(random((3, 7)) + 3)
# run: eliminated(zeros((5, 5)))
def eliminated(a):
    for k in range(a.shape[0]):
        a -= a[:, k, None] * a[k] / a[k, k]


# The pivot is a variable of Python's.
#numptx export swept(float64[:,:], int)
# run: swept(random((18, 18)) + 18 * eye(18), 18)
# run: swept(random((19, 18)) + 18, 17)
def swept(a, n):
    for k in range(n):
        pivot = a[k, k]
        a[:, :] = 0.5 * a - a[:, k, None] * a[k] / (pivot + k)


# Something else is read, at indices of the update and of the copies, and the iteration's number counts.
#numptx export weighted(float64[:,:], float64[:,:], float64[:])
# run: weighted(random((15, 15)), random((15, 15)), random(15))
# run: a = random((30, 30)); weighted(a[:15, :15], a[15:, 15:], a[20, :15])
# run: a = random((20, 20)); weighted(a[:15, :15], a[5:, 5:], a[3, :15])
def weighted(a, w, v):
    for k in range(a.shape[0]):
        a[:] = np.maximum(a, 0.5 * w * a[k] + (v[k] * a[:, k] + k)[:, None])


# Every second node, and not the first ones.
#numptx export some(int32[:,:], int)
# run: some(integers(1, 100, (20, 20), dtype=int32), 20)
# run: some(integers(1, 100, (20, 20), dtype=int32), 13)
# run: some(integers(1, 100, (20, 20), dtype=int32), 2)
# run: some(integers(1, 100, (20, 20), dtype=int32), 23)
def some(path, end):
    for k in range(3, end, 2):
        path[:] = np.minimum(path, path[:, k, None] + path[k])


# What is updated is a part. At 0 its border is copied, too.
#numptx export inner(int32[:,:], int)
# run: inner(integers(1, 100, (20, 20), dtype=int32), 19)
# run: inner(integers(1, 100, (20, 20), dtype=int32), 15)
# run: inner(integers(1, 100, (20, 20), dtype=int32), 20)
# run: inner(integers(1, 100, (2, 2), dtype=int32), 2)
def inner(path, end):
    for k in range(1, end):
        path[1:-1, 1:-1] = np.minimum(path[1:-1, 1:-1], path[1:-1, k, None] + path[k, 1:-1])


#numptx export inner_from_0(int32[:,:])
# run: inner_from_0(integers(1, 100, (20, 20), dtype=int32))
def inner_from_0(path):
    for k in range(path.shape[0]):
        path[1:-1, 1:-1] = np.minimum(path[1:-1, 1:-1], path[1:-1, k, None] + path[k, 1:-1])


# Nothing but columns, and from the last to the first.
#numptx export columns(float64[:,:])
# run: columns(random((12, 9)))
# run: columns(random((1, 30)))
def columns(a):
    for k in range(a.shape[1]):
        a[:] = 0.25 * a + 0.5 * a[:, k, None] - 0.125 * a[:, -1 - k, None]


# One axis; an element is copied.
#numptx export along(float64[:], float64[:])
# run: along(random(40), random(40))
# run: along(random(1), random(1))
# run: x = random(40); along(x, x)
# run: x = random(41); along(x[1:], x[:-1])
def along(x, w):
    for k in range(x.shape[0]):
        x[:] = np.maximum(x, x[k] * w[k] + 0.25)


# Planes of three axes.
#numptx export planes(float32[:,:,:])
# run: planes(random((7, 6, 5), dtype=float32))
def planes(v):
    for k in range(v.shape[0]):
        v[:] = 0.5 * v + 0.25 * v[k]


# In a loop around it, and under a condition.
#numptx export sweeps_of(int32[:,:], int)
# run: sweeps_of(integers(-5, 100, (11, 11), dtype=int32), 3)
# run: sweeps_of(integers(-5, 100, (11, 11), dtype=int32), 0)
def sweeps_of(path, times):
    for t in range(times):
        for k in range(path.shape[0]):
            path[:] = np.minimum(path, path[:, k, None] + path[k] + t)
        path[0] += 1


# What is read moves while the update does not end where it did: one iteration after the other.
#numptx export shrinking(float64[:,:])
# run: shrinking(random((15, 15)) + 15 * eye(15))
def shrinking(a):
    for k in range(a.shape[0]):
        a[k + 1:, k + 1:] -= a[k + 1:, k, None] * a[k, k + 1:] / a[k, k]


# The whole array is read.
#numptx export turned(float64[:,:], int)
# run: turned(random((15, 15)), 9)
def turned(a, steps):
    for k in range(steps):
        a[:] = 0.5 * a + 0.25 * a[::-1] + a[k, k]
