"""Lists that a counted loop appends to in every iteration."""

import numpy as np


#numptx export numbers(int)
# run: numbers(4)
# run: numbers(0)
# run: numbers(100)
def numbers(n):
    ys = []
    for i in range(n):
        ys.append(i * 0.5)
    return np.array(ys), len(ys)


#numptx export of_elements(float64[:])
# run: of_elements(random(4))
# run: of_elements(random(0))
# run: of_elements(random(40)[::-2])
def of_elements(x):
    ys = []
    for v in x:
        t = v * 2
        if t > 1:
            t = 1.0
        ys.append(t)
    return np.array(ys), len(ys)


#numptx export two_lists(float, int)
# run: two_lists(0.1, 10)
# run: two_lists(0.1, 0)
def two_lists(dt, n):
    t = 0.0
    y = 1.0
    ts, ys = [0.0], [y]
    for i in range(n):
        y = y - dt * y
        t += dt
        ts.append(t)
        ys.append(y)
    return np.array(ts), np.array(ys), ys[-1], ts[0], len(ts)


#numptx export rows(float64[:,:])
# run: rows(random((4, 3)))
# run: rows(random((0, 3)))
# run: rows(random((4, 3)).T)
def rows(x):
    rows = []
    for row in x:
        rows.append(row * 2)
    return np.array(rows, dtype=np.float64) if len(rows) else x


#numptx export pairs(float64[:], float64[:])
# run: pairs(random(5), random(3))
def pairs(x, y):
    ys: list = []
    for i, (a, b) in enumerate(zip(x, y)):
        ys.append(a * b + i)
    s = np.float64(0.0)
    for v in ys:
        s += v
    return s, max(ys) if len(ys) else -1.0, sum(ys)


#numptx export unrolled(float64[:])
# run: unrolled(random(3))
def unrolled(x):
    ys = []
    for w in (1, 2.5, 3):
        ys.append(x * w)
    return ys, np.stack(ys)


#numptx export raising(float64[:])
# run: raising(random(3))
# run: raising(array([1.0, -1.0]))
def raising(x):
    ys = []
    for v in x:
        if v < 0:
            raise ValueError(f"neg {v:.1f}")
        ys.append(np.sqrt(v))
    else:
        n = 3
    return np.array(ys), n


#numptx export in_a_point(float64[:,:])
# run: in_a_point(random((3, 4)))
# run: in_a_point(random((0, 4)))
def in_a_point(x):
    out = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        ys = []
        for v in x[i]:
            ys.append(v * v)
        s = 0.0
        for v in ys:
            s += v
        out[i] = s + len(ys)
    return out


#numptx export ints(int64[:], int)
# run: ints(array([3, 1, 2]), 3)
# run: ints(array([], dtype=int64), 3)
def ints(x, k):
    ys = [0]
    for i in range(len(x)):
        k = k * 2
        ys.append(k)
    return np.array(ys), ys[0] + ys[-1]


#numptx export sums(float32[:])
# run: sums(random(5).astype(float32))
def sums(x):
    s = 0.0
    ys = []
    for v in x:
        s += v
        ys.append(s)
    return np.array(ys)


#numptx export in_a_branch(float64[:], int)
# run: in_a_branch(random(5), 1)
# run: in_a_branch(random(5), 0)
def in_a_branch(x, k):
    r = np.float64(0.0)
    if k:
        ys = []
        for v in x:
            ys.append(v)
        r = ys[0]
    return r, k


#numptx export from_a_function(float64[:], int)
# run: from_a_function(random(5), 3)
def collect(x, k):
    out = list()
    for i in range(k):
        out.append(x[i] + i)
    return np.asarray(out)
def from_a_function(x, k):
    return collect(x, k) + collect(x, k)[::-1]


#numptx export downwards(int)
# run: downwards(7)
# run: downwards(-7)
def downwards(n):
    ys = []
    for i in range(n, -3, -2):
        ys.append(i)
        continue
    return np.array(ys, dtype=np.int64), sum(ys)


#numptx export never_reached(int)
# run: never_reached(3)
# run: never_reached(0)
def never_reached(n):
    ys = [1.5]
    for i in range(n):
        raise ValueError("no")
        ys.append(i)
    return len(ys), ys[0]


#numptx export known_members(float64[:])
# run: known_members(random(5))
def known_members(x):
    ys = []
    for k in (1, 2, 3):
        for v in x:
            x[0] += k * v
        ys.append(x[0])
    return ys[0] + ys[1], len(ys)
