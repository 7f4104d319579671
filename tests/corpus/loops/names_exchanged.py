"""Time loops whose arrays change names, or are made anew: in each step its loops are parallel, unless two names are one array."""

import numpy as np


#numptx export exchanged(float64[:], int)
# run: exchanged(random(40), 7)
# structure: launches==2 allocs==1 syncs==0
# run: exchanged(random(40)[::-2], 4)
# run: exchanged(random(1), 3)
# run: exchanged(random(5), 0)
def exchanged(u, steps):
    v = u.copy()
    for t in range(steps):
        for i in range(1, len(u) - 1):
            v[i] = u[i] + 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1])
        u, v = v, u
    return u, v


#numptx export one_array(float64[:], int)
# run: one_array(random(40), 3)
# run: one_array(random(40)[::-2], 2)
def one_array(u, steps):
    """Both names are one array: what is written is read."""
    v = u
    for t in range(steps):
        for i in range(1, len(u) - 1):
            v[i] = u[i] + 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1])
        u, v = v, u
    return u


#numptx export views_of_one(float64[:], int)
# run: views_of_one(random(40), 3)
def views_of_one(x, steps):
    u, v = x[1:], x[:-1]
    for t in range(steps):
        for i in range(1, len(u)):
            v[i] = u[i - 1] + 0.5 * v[i - 1]
        u, v = v, u
    return x


#numptx export rotated(float64[:], int)
# run: rotated(random(40), 5)
# structure: launches==3 allocs==3 syncs==0
# run: rotated(random(40), 3)
# run: rotated(random(40), 1)
# run: rotated(random(3), 4)
def rotated(u, steps):
    before, now, after = u.copy(), u.copy(), np.zeros_like(u)
    for t in range(steps):
        for i in range(1, len(u) - 1):
            after[i] = 2 * now[i] - before[i] + 0.2 * (now[i - 1] - 2 * now[i] + now[i + 1])
        before, now, after = now, after, before
    return before, now, after


#numptx export become_one(float64[:], int)
# run: become_one(random(30), 4)
# run: become_one(random(30), 1)
def become_one(u, steps):
    """Apart at first, and one array from the second step on."""
    a, b = u.copy(), u.copy()
    for t in range(steps):
        for i in range(1, len(u)):
            b[i] = a[i - 1] * 0.5 + b[i]
        a = b
    return a, b


#numptx export exchanged_sometimes(float64[:], int)
# run: exchanged_sometimes(random(30), 5)
def exchanged_sometimes(u, steps):
    v = np.zeros_like(u)
    w = v
    t = 0
    while t < steps:
        for i in range(1, len(u)):
            v[i] = u[i - 1] * 0.5 + w[i - 1]
        if t % 2 == 0:
            u, v = v, u
        elif t % 3 == 0:
            w = u
        t += 1
    return u, v, w


#numptx export life(uint8[:,:], int)
# run: life(integers(0, 2, (11, 13), uint8), 5)
# structure: launches<=12
# run: life(integers(0, 2, (1, 2), uint8), 3)
# run: life(zeros((0, 4), dtype=uint8), 3)
def life(g, steps):
    """With wraparound."""
    h, w = g.shape
    for s in range(steps):
        new = np.zeros_like(g)
        for i in range(h):
            for j in range(w):
                n = 0
                for di in (-1, 0, 1):
                    for dj in (-1, 0, 1):
                        if di != 0 or dj != 0:
                            n += g[(i + di) % h, (j + dj) % w]
                if n == 3 or (n == 2 and g[i, j] == 1):
                    new[i, j] = 1
        g = new
    return g


#numptx export edit_distance(int64[:], int64[:])
# run: edit_distance(integers(0, 4, 20), integers(0, 4, 17))
# structure: launches<=90
# run: edit_distance(integers(0, 4, 3), integers(0, 4, 0))
# run: edit_distance(integers(0, 4, 0), integers(0, 4, 3))
def edit_distance(a, b):
    before = np.arange(len(b) + 1)
    for i in range(len(a)):
        row = np.empty(len(b) + 1, dtype=np.int64)
        row[0] = i + 1
        for j in range(len(b)):
            cost = 0 if a[i] == b[j] else 1
            row[j + 1] = min(row[j] + 1, before[j + 1] + 1, before[j] + cost)
        before = row
    return before[len(b)]


#numptx export rows_kept(float64[:], int)
# run: rows_kept(random(20), 4)
def rows_kept(x, steps):
    """What was made in the step before is written to in this one."""
    kept = x.copy()
    for s in range(steps):
        new = np.zeros_like(x)
        for i in range(1, len(x)):
            new[i] = kept[i - 1] + x[i]
            kept[i] = kept[i] * 0.5
        kept = new[::-1]
    return kept


#numptx export rows_of_arrays(float64[:], float64[:], int)
# run: a = random(40); b = a.copy(); rows_of_arrays(a, b, 7)
# structure: launches==1 allocs==0 copies==0 syncs==0
# run: a = random(40); b = a.copy(); rows_of_arrays(a, b, 6)
# structure: launches==1 allocs==0 copies==0 syncs==0
# run: a = random(40); b = a.copy(); rows_of_arrays(a, b, 0)
# run: a = random(40); b = a.copy(); rows_of_arrays(a, b, -3)
# run: a = random(80)[::-2]; b = random(120)[::3]; rows_of_arrays(a, b, 5)
# run: x = random(60); rows_of_arrays(x[:40], x[20:], 5)
# run: x = random(60); rows_of_arrays(x, x, 5)
# run: rows_of_arrays(random(40), random(41), 3)
# run: rows_of_arrays(random(40), random(41), 0)
# run: rows_of_arrays(random(2), random(2), 3)
# run: rows_of_arrays(array([nan, inf, -0.0, 0.0, 1.0, inf]), zeros(6), 3)
def rows_of_arrays(a, b, n):
    """Which of the caller's arrays comes back depends on how many steps there are."""
    for t in range(n):
        b[1:-1] = 0.5 * (a[:-2] + a[2:])
        a, b = b, a
    return a


#numptx export planes_exchanged(float64[:,:], int)
# run: planes_exchanged(random((30, 20)), 5)
# structure: launches==2 allocs==1 copies==0 syncs==0
# run: planes_exchanged(random((30, 20)).T, 4)
# run: planes_exchanged(random((2, 20)), 4)
# run: planes_exchanged(zeros((0, 3)), 4)
def planes_exchanged(a, n):
    b = a.copy()
    for t in range(n, 0, -1):
        b[1:-1, 1:-1] = 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, 2:] + a[1:-1, :-2]) + t
        a, b = b, a
    return a, b


#numptx export until_still(float64[:], float64)
# run: until_still(random(50), 1e-3)
# structure: launches<=4
# run: until_still(zeros(50), 1e-3)
# run: until_still(random(2), 1e-3)
def until_still(a, least):
    """The loop ends itself by what both names hold."""
    b = a.copy()
    a[1:-1] += 1.0
    while np.sum(np.abs(a - b)) > least:
        b[1:-1] = 0.4 * (a[:-2] + a[2:])
        a, b = b, a
    return a


#numptx export exchanged_and_summed(float64[:], int)
# run: exchanged_and_summed(random(50), 6)
# run: exchanged_and_summed(random(50), 7)
# run: exchanged_and_summed(random(0), 7)
def exchanged_and_summed(a, n):
    """A number is handed on beside the arrays, and names of different arrays at different times."""
    b, c, d = np.zeros_like(a), a.copy(), np.ones_like(a)
    total = 0.0
    for t in range(n):
        for i in range(len(a)):
            b[i] = a[i] * 0.5 + c[i]
        total += np.sum(b) * (t + 1)
        for i in range(len(a)):
            d[i] = b[i] - d[i]
        a, b = b, a
        c, d = d, c
    return a, b, c, d, total


#numptx export exchanged_by_five(float64[:], int)
# run: exchanged_by_five(random(20), 7)
def exchanged_by_five(a, n):
    """Names in circles of two and three: all are as at first after six steps, which is too many bodies."""
    b, c, d, e = a + 1, a + 2, a + 3, a + 4
    for t in range(n):
        a[:] = b + c * 0.5
        d[:] = e - a * 0.25
        a, b = b, a
        c, d, e = d, e, c
    return a, b, c, d, e
