"""Masks over what masks choose: one count of what all of them choose, and one move from where it lies."""
import numpy as np


#numptx export chain(float64[:], bool[:])
#numptx export chain(float64[:,:], bool[:,:])
# run: chain(random(50), random(50) > 0.5)
# structure: launches==3 syncs=1 allocs=3
# run: chain(random((5, 6)), random((5, 6)) > 0.3)
# structure: launches==3 syncs=1
# run: chain(random(50), zeros(50, dtype=bool))
# run: chain(random(50) + 1.0, ones(50, dtype=bool))
# run: chain(array([nan, 0.1, inf, -inf]), array([True, True, True, True]))
# run: chain(random(0), random(0) > 0.5)
# run: chain(random((0, 6)), random((0, 6)) > 0.5)
# run: chain(random(100)[::-2], (random(150) > 0.5)[::3])
# run: chain(random((6, 5)).T, random((5, 6)) > 0.3)
# run: chain(random(50), random(49) > 0.5)
def chain(x, m):
    y = x[m]
    return y[y < 0.5]


#numptx export three(float64[:], float64[:], bool[:])
# run: three(random(50), random(50), random(50) > 0.3)
# structure: launches=6 syncs=1
# run: three(random(50), random(50), zeros(50, dtype=bool))
# run: three(random(0), random(0), random(0) > 0.3)
# run: three(random(50), random(49), random(50) > 0.3)
# run: x = random(50); three(x, x, x > 0.3)
def three(x, w, m):
    y, v = x[m], w[m]
    near = y < 0.8
    y, v = y[near], v[near]
    heavy = v * y > 0.1
    return np.sqrt(y[heavy]), v[heavy]


#numptx export reduced(float64[:], bool[:])
# run: reduced(random(50), random(50) > 0.5)
# structure: launches==1 syncs=0
# run: reduced(random(50), zeros(50, dtype=bool))
# run: reduced(random(0), random(0) > 0.5)
def reduced(x, m):
    y = x[m]
    z = y[y < 0.5]
    return z.sum(), z.mean(), (z[z > 0.1] ** 2).sum()


#numptx export lengths(float64[:], bool[:])
# run: lengths(random(50), random(50) > 0.5)
# structure: launches==1 syncs=1
# run: lengths(random(0), random(0) > 0.5)
def lengths(x, m):
    y = x[m]
    return len(y), len(y[y < 0.5]), y[y < 0.5].sum()


#numptx export counted(float64[:], bool[:])
# run: counted(random(50), random(50) > 0.5)
# structure: syncs=1
# run: counted(random(50), zeros(50, dtype=bool))
def counted(x, m):
    """The first length is needed, what it belongs to is not."""
    y = x[m]
    return y[y < 0.5], len(y)


#numptx export kept(float64[:], bool[:])
# run: kept(random(50), random(50) > 0.5)
# structure: syncs=2
# run: kept(random(50), zeros(50, dtype=bool))
# run: kept(random(0), random(0) > 0.5)
def kept(x, m):
    """What the first mask chooses is returned, too."""
    y = x[m]
    return y, y[y < 0.5]


#numptx export indices(float64[:], float64[:], bool[:])
# run: indices(random(50), random(50), random(50) > 0.5)
# structure: syncs=1
# run: indices(random(50), random(60), random(50) > 0.5)
# run: indices(random(50), random(50), zeros(50, dtype=bool))
# run: indices(random(50), random(0), zeros(50, dtype=bool))
# run: indices(random(0), random(0), random(0) > 0.5)
# run: indices(random(50), random(9), ones(50, dtype=bool))
def indices(x, y, m):
    i = np.flatnonzero(m)
    i = i[x[i] < 0.7]
    return i[y[i] > 0.2]


#numptx export positions(float64[:], bool[:])
# run: positions(random(50), random(50) > 0.5)
# run: positions(random(50), zeros(50, dtype=bool))
def positions(x, m):
    """Where chosen elements stand among themselves."""
    y = x[m]
    return np.nonzero(y < 0.5), np.argwhere(y > 0.25)


#numptx export written(float64[:], bool[:])
# run: written(random(50), random(50) > 0.5)
# run: written(random(50), ones(50, dtype=bool))
# run: x = random(50); written(x, x > 0.2)
def written(x, m):
    """What was chosen is as it was then."""
    y = x[m]
    x[:] = 2.0 * x
    k = y < 0.5
    m[:] = False
    z = y[k]
    x[:] = 3.0 * x
    return z, x


#numptx export changed(float64[:], bool[:])
# run: changed(random(50), random(50) > 0.5)
# run: changed(random(50), zeros(50, dtype=bool))
def changed(x, m):
    """What was chosen changes, and stays what it is."""
    y = x[m]
    y *= 2.0
    y[y > 1.5] = 0.0
    z = y[y > 0.5]
    z[z < 1.0] += 1.0
    return z


#numptx export other(float64[:], bool[:], bool[:], int64[:])
# run: k = integers(0, 2, 50); m = random(50) > 0.5; other(random(50), m, random(m.sum()) > 0.5, k)
# run: other(random(50), zeros(50, dtype=bool), random(0) > 0.5, integers(0, 2, 50))
# run: other(random(50), ones(50, dtype=bool), random(49) > 0.5, integers(0, 2, 50))
def other(x, m, k, n):
    """A mask of another origin, and one of no bools."""
    y = x[m]
    return y[k], np.compress(n[m], y), np.extract(n[m], y)


#numptx export halves(float32[:], complex128[:], bool[:])
# run: halves(random(50, dtype=float32), random(50) + 1j * random(50), random(50) > 0.2)
# structure: syncs=1
# run: halves(random(0, dtype=float32), random(0) + 1j * random(0), random(0) > 0.2)
def halves(x, z, m):
    """Several masks over what one chooses."""
    y, w = x[m], z[m]
    return y[y < 0.5], w[y >= 0.5], w[w.real > w.imag]


#numptx export again(float64[:], int)
# run: again(random(60), 4)
# structure: syncs=4
# run: again(random(60), 0)
# run: again(random(0), 4)
def again(x, n):
    for k in range(n):
        y = x[x > 0.1 * k]
        x = y[y < 1.0 - 0.05 * k]
    return x
