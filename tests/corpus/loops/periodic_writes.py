"""Writes at places that go round: streaming of lattice gases, shifts, and neighbours at the other end; and some that meet."""

import numpy as np


# The least and the largest of both arrays of steps are looked at first, by a kernel each.
#numptx export push(float64[:,:,:], float64[:,:,:], int64[:], int64[:])
# run: push(random((9, 40, 33)), zeros((9, 40, 33)), array([0, 1, 0, -1, 0, 1, -1, -1, 1]), array([0, 0, 1, 0, -1, 1, 1, -1, -1]))
# structure: launches==3 copies=0
# run: push(random((3, 5, 4)), zeros((3, 5, 4)), array([-12, 7, 123456789]), array([0, -1, 5]))
# run: push(random((3, 5, 4)), zeros((3, 5, 4)), array([2**62, -2**63, 2**63 - 6]), array([0, 2**40, -2**41]))
# run: push(random((2, 5, 4))[:, ::-1, ::-1], zeros((4, 7, 4))[::-2], array([1, 2]), array([3, -3, 0])[::-1])
# run: push(random((2, 1, 1)), zeros((2, 1, 1)), array([5, -5]), array([0, 1]))
# run: push(zeros((2, 0, 4)), zeros((2, 0, 4)), array([1, 2]), array([3, 4]))
# run: push(zeros((2, 4, 0)), zeros((2, 4, 0)), array([1, 2]), array([3, 4]))
# run: push(zeros((0, 4, 4)), zeros((0, 4, 4)), zeros(0, dtype=int64), zeros(0, dtype=int64))
# run: f = random((2, 5, 4)); push(f, f, array([1, -2]), array([3, 0]))
# run: f = random((3, 5, 4)); push(f[:2], f[1:], array([1, -2]), array([3, 0]))
# run: push(random((2, 5, 4)), zeros((2, 4, 4)), array([1, 2]), array([3, 4]))
# run: push(random((2, 5, 4)), zeros((2, 5, 4)), array([1]), array([3, 4]))
def push(f, g, cx, cy):
    q, n, m = f.shape
    for i in range(n):
        for j in range(m):
            for k in range(q):
                a = (i + cx[k]) % n
                b = (j + cy[k]) % m
                g[k, a, b] = f[k, i, j]


#numptx export push_by_directions(float64[:,:,:], float64[:,:,:], int32[:,:])
# run: push_by_directions(random((40, 33, 3)), zeros((40, 33, 3)), array([[0, 1], [-1, 2], [50, -70]], dtype=int32))
# structure: launches==2 copies=0
# run: push_by_directions(random((4, 3, 2)), zeros((4, 3, 2)), array([[0, 1], [-1, -2]], dtype=int32))
# run: push_by_directions(zeros((0, 3, 2)), zeros((0, 3, 2)), array([[0, 1], [-1, -2]], dtype=int32))
# run: push_by_directions(random((4, 3, 2)), zeros((4, 3, 2)), array([[-2**31, 1], [-1, 2**31 - 3]], dtype=int32))
def push_by_directions(f, g, c):
    n, m, q = f.shape
    for k in range(q):
        for i in range(n):
            for j in range(m):
                g[(i + c[k, 0]) % n, (j + c[k, 1]) % m, k] = f[i, j, k]


#numptx export collide_and_push(float64[:,:,:], int64[:], int64[:], float64[:], int)
# run: collide_and_push(random((3, 20, 17)), array([0, 1, -1]), array([0, -1, 2]), array([0.5, 0.25, 0.25]), 5)
# run: collide_and_push(random((3, 20, 17)), array([0, 1, -1]), array([0, -1, 2]), array([0.5, 0.25, 0.25]), 0)
# run: collide_and_push(random((3, 1, 2)), array([0, 7, -8]), array([0, -1, 2]), array([0.5, 0.25, 0.25]), 2)
def collide_and_push(f, cx, cy, w, steps):
    q, n, m = f.shape
    g = np.empty((q, n, m))
    for t in range(steps):
        for i in range(n):
            for j in range(m):
                rho = 0.0
                for k in range(q):
                    rho += f[k, i, j]
                for k in range(q):
                    g[k, (i + cx[k]) % n, (j + cy[k]) % m] = f[k, i, j] * 0.5 + 0.5 * w[k] * rho
        f[:] = g


# Without going round: indices are in range, or count from the end, or are out of range.
#numptx export push_inside(float64[:,:], float64[:,:], int64[:])
# run: push_inside(random((3, 40)), zeros((3, 40)), array([0, 1, -1]))
# structure: launches==2 copies=0
# run: push_inside(random((3, 40)), zeros((3, 40)), array([0, 1, -2]))
# run: push_inside(random((3, 40)), zeros((3, 40)), array([0, 1, -20]))
# run: push_inside(random((3, 40)), zeros((3, 40)), array([0, 1, 2]))
# run: push_inside(random((3, 2)), zeros((3, 2)), array([0, 1, 2]))
def push_inside(f, g, c):
    q, n = f.shape
    for i in range(1, n - 1):
        for k in range(q):
            g[k, i + c[k]] = f[k, i]


# The step of an element is its own: these may meet. What points check is copied before, and restored where it fails.
#numptx export push_by_elements(float64[:,:], float64[:,:], int64[:])
# run: push_by_elements(random((3, 40)), zeros((3, 40)), integers(-3, 3, 40))
# run: push_by_elements(random((3, 40)), zeros((3, 40)), zeros(40, dtype=int64))
# structure: launches==3 copies=0
def push_by_elements(f, g, c):
    q, n = f.shape
    for k in range(q):
        for i in range(n):
            g[k, (i + c[i]) % n] = f[k, i]


# Twice as many as there are places.
#numptx export push_twice(float64[:,:], float64[:,:], int64[:])
# run: push_twice(random((3, 40)), zeros((3, 20)), array([0, 1, -1]))
# structure: launches==3 copies=0
def push_twice(f, g, c):
    q, n = g.shape
    for k in range(q):
        for i in range(2 * n):
            g[k, (i + c[k]) % n] = f[k, i]


# The array of steps is written.
#numptx export push_and_turn(int64[:,:], int64[:,:], int64[:])
# run: push_and_turn(integers(0, 9, (3, 10)), zeros((3, 10), dtype=int64), array([0, 1, -1]))
# run: g = zeros((3, 10), dtype=int64); push_and_turn(integers(0, 9, (3, 10)), g, g[0])
# run: g = zeros((3, 10), dtype=int64); push_and_turn(integers(0, 9, (3, 10)), g, g[1, 2:7:2])
def push_and_turn(f, g, c):
    q, n = f.shape
    for i in range(n):
        for k in range(q):
            g[k, (i + c[k]) % n] = f[k, i]


#numptx export shifted_by_one(float64[:], float64[:])
# run: shifted_by_one(random(1000), zeros(1000))
# structure: launches==1 allocs=0 copies=0
# run: shifted_by_one(random(10)[::-1], zeros(20)[::-2])
# run: shifted_by_one(random(1), zeros(1))
# run: shifted_by_one(zeros(0), zeros(0))
# run: shifted_by_one(random(10), zeros(9))
# run: x = random(11); shifted_by_one(x[1:], x[:-1])
# run: x = random(10); shifted_by_one(x, x)
def shifted_by_one(x, y):
    n = x.shape[0]
    for i in range(n):
        a = i + 1
        if a == n:
            a = 0
        y[a] = x[i]


#numptx export shifted_back(float64[:], float64[:])
# run: shifted_back(random(1000), zeros(1000))
# structure: launches==1 allocs=0 copies=0
# run: shifted_back(random(1), zeros(1))
# run: shifted_back(zeros(0), zeros(0))
# run: shifted_back(random(10), zeros(12))
# run: shifted_back(random(10), zeros(9))
# run: x = random(10); shifted_back(x, x[::-1])
def shifted_back(x, y):
    n = x.shape[0]
    for i in range(n - 1, -1, -1):
        y[i - 1 if i > 0 else n - 1] = x[i]


#numptx export shifted_both(float64[:,:], float64[:,:])
# run: shifted_both(random((40, 33)), zeros((40, 33)))
# structure: launches==1 allocs=0 copies=0
# run: shifted_both(random((1, 2)), zeros((1, 2)))
# run: shifted_both(zeros((3, 0)), zeros((3, 0)))
# run: shifted_both(random((4, 3)).T, zeros((3, 4)))
def shifted_both(x, y):
    n, m = x.shape
    for i in range(n):
        for j in range(m):
            below = i + 1 if i + 1 < n else 0
            left = j - 1
            if left < 0:
                left += m
            y[below, left] += x[i, j]


# As many more before the other end as the condition lets through.
#numptx export shifted_short(float64[:], float64[:], int)
# run: shifted_short(random(10), zeros(10), 10)
# run: shifted_short(random(10), zeros(10), 4)
# run: shifted_short(random(10), zeros(10), 0)
# run: shifted_short(random(10), zeros(11), 12)
# run: shifted_short(random(10), zeros(10), -3)
def shifted_short(x, y, n):
    for i in range(x.shape[0]):
        y[i + 1 if i + 1 < n else 0] = x[i]


# Turned to a place that is in use.
#numptx export turned_short(float64[:], float64[:])
# run: turned_short(random(10), zeros(10))
# run: turned_short(random(1), zeros(1))
def turned_short(x, y):
    n = x.shape[0]
    for i in range(n):
        y[i + 1 if i + 1 < n else n // 2] = x[i]


#numptx export kept_inside(float64[:], float64[:])
# run: kept_inside(random(10), zeros(10))
# run: kept_inside(random(1), zeros(1))
def kept_inside(x, y):
    n = x.shape[0]
    for i in range(n):
        y[i + 1 if i + 1 < n else n - 1] = x[i]


# Of runs in which indices come once, and in which they come again.
#numptx export as_many_as_there_are(float64[:], float64[:], int, int, int)
# run: as_many_as_there_are(random(100), zeros(100), 7, 80, 80)
# structure: launches==1 allocs=0 copies=0
# run: as_many_as_there_are(random(100), zeros(100), -7, 80, 79)
# run: as_many_as_there_are(random(100), zeros(100), -7, 80, 81)
# run: as_many_as_there_are(random(100), zeros(100), 2, 3, 100)
# run: as_many_as_there_are(random(100), zeros(100), 2, -3, 100)
# run: as_many_as_there_are(random(100), zeros(100), 2, -100, 80)
# run: as_many_as_there_are(random(100), zeros(100), 2, 0, 80)
# run: as_many_as_there_are(random(100), zeros(100), 2, 0, 0)
# run: as_many_as_there_are(random(100), zeros(100), 2, 100, -5)
def as_many_as_there_are(x, y, k, n, m):
    for i in range(m):
        y[(i + k) % n] = x[i]


#numptx export by_steps(float64[:], float64[:], int)
# run: by_steps(random(100), zeros(100), 7)
# structure: launches==1 allocs=0 copies=0
# run: by_steps(random(1), zeros(1), -1)
# run: by_steps(random(0), zeros(0), 1)
# run: by_steps(random(7), zeros(7), -100)
def by_steps(x, y, k):
    n = x.shape[0]
    for i in range(n - 1, -1, -3):
        y[(i + k) % n] = x[i]


#numptx export by_a_fraction(float64[:], float64[:])
# run: by_a_fraction(random(100), zeros(100))
# run: by_a_fraction(random(1), zeros(1))
# run: by_a_fraction(random(0), zeros(0))
def by_a_fraction(x, y):
    n = x.shape[0]
    for i in range(n):
        y[(i + i // 2) % n] = x[i]


# A ring of rows in time is written again and again.
#numptx export in_a_ring(float64[:], float64[:,:], int)
# run: in_a_ring(random(20), zeros((3, 20)), 10)
# run: in_a_ring(random(20), zeros((3, 20)), 3)
# run: in_a_ring(random(20), zeros((0, 20)), 0)
def in_a_ring(x, rows, steps):
    for t in range(steps):
        for i in range(x.shape[0]):
            rows[t % rows.shape[0], i] = x[i] * t
