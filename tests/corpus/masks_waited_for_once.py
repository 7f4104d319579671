"""Several lengths that data decide: the host waits once for those that do not depend on each other."""
import numpy as np


#numptx export two(float64[:], bool[:], float64[:], bool[:])
# run: two(random(50), random(50) > 0.5, random(30), random(30) > 0.5)
# structure: launches==6 syncs=1
# run: two(random(50), random(50) > 0.5, random(0), random(0) > 0.5)
# run: two(random(0), random(0) > 0.5, random(30), random(30) > 0.5)
# run: two(random(0), random(0) > 0.5, random(0), random(0) > 0.5)
# run: two(random(50), zeros(50, dtype=bool), random(30), ones(30, dtype=bool))
# run: two(random(50)[::-1], random(50) > 0.5, random(90)[::3], (random(60) > 0.5)[::-2])
# run: two(random(50), random(50) > 0.5, random(30), random(31) > 0.5)
# run: two(random(50), random(51) > 0.5, random(30), random(31) > 0.5)
# run: x = random(50); m = random(50) > 0.5; two(x, m, x, m)
def two(x, m, y, k):
    return x[m], y[k]


#numptx export found(float64[:], float64[:,:])
# run: found(random(50) - 0.5, random((4, 5)))
# structure: syncs=1
# run: found(random(0), random((4, 5)))
# run: found(random(50) - 0.5, random((4, 0)))
# run: found(random(0), random((0, 4)))
def found(x, y):
    return np.nonzero(x > 0), np.nonzero(y < 0.5), x[x < 0.25]


#numptx export unique(int64[:], bool[:])
# run: unique(integers(0, 9, 50), random(50) > 0.5)
# structure: syncs=1
# run: unique(integers(0, 9, 0), random(0) > 0.5)
# run: unique(integers(0, 9, 50), zeros(50, dtype=bool))
def unique(x, m):
    return np.unique(x), x[m]


#numptx export parts(int64[:], bool[:])
# run: parts(integers(0, 9, 50), random(50) > 0.5)
# structure: syncs=2
# run: parts(integers(0, 9, 0), random(0) > 0.5)
def parts(x, m):
    """`unique` waits once."""
    return x[m], np.unique(x, return_index=True, return_inverse=True, return_counts=True)


#numptx export with_a_sum(float64[:], bool[:], float64[:])
# run: with_a_sum(random(50), random(50) > 0.5, random(9))
# structure: launches==5 syncs=1
# run: with_a_sum(random(0), random(0) > 0.5, random(0))
def with_a_sum(x, m, y):
    return x[m], float(x.sum()), int(np.argmin(y)) if len(y) > 0 else -1


#numptx export dependent(float64[:], bool[:], float64[:])
# run: dependent(random(50), random(50) > 0.5, random(50))
# structure: syncs=2
# run: dependent(random(50), zeros(50, dtype=bool), random(50))
def dependent(x, m, y):
    """The second mask is made of how much the first one chooses."""
    a = x[m]
    return a, y[y * len(a) > 5.0]


#numptx export written(float64[:], float64[:], bool[:])
# run: written(random(50), random(50), random(50) > 0.5)
# run: written(random(50), random(50), zeros(50, dtype=bool))
# run: x = random(50); written(x, x, random(50) > 0.5)
# run: x = random(51); written(x[1:], x[:-1], random(50) > 0.5)
def written(x, y, m):
    """What the second mask is made of is written by what the first one chooses."""
    a = x[m]
    y[: len(a)] = 2.0 * a
    return a, y[y > 0.5], x


#numptx export raising(float64[:], bool[:], float64[:], bool[:])
# run: raising(random(50), random(50) > 0.5, random(30), random(30) > 0.5)
# run: raising(random(50), zeros(50, dtype=bool), random(30), random(30) > 0.5)
# run: raising(random(50), random(50) > 0.5, random(30), random(31) > 0.5)
# run: raising(random(50), zeros(50, dtype=bool), random(30), random(31) > 0.5)
def raising(x, m, y, k):
    """What is wrong first is told first, and what was written before that stays written."""
    a = x[m]
    x[0] = 7.0
    if len(a) == 0:
        raise ValueError("nothing is chosen")
    return a, y[k]


#numptx export in_a_loop(float64[:], float64[:], int)
# run: in_a_loop(random(40), random(30), 3)
# structure: syncs=3
# run: in_a_loop(random(40), random(0), 3)
# run: in_a_loop(random(0), random(30), 3)
# run: in_a_loop(random(40), random(30), 0)
def in_a_loop(x, y, n):
    """Two arrays that get shorter."""
    for _ in range(n):
        x, y = x[x < 0.9], y[y > 0.1]
        x = x * 1.01
        y = y * 0.99
    return x, y
