"""Reductions of what a mask chooses: elements stay where they are, and one launch goes through all of them."""
import numpy as np


#numptx export mean(float64[:], bool[:])
# run: mean(arange(10.0), arange(10) % 3 == 0)
# structure: launches==1 allocs==1 copies=0 syncs=0
# run: mean(array([nan, 1.0, inf, 2.0, -inf]), array([False, True, False, True, False]))
# run: mean(array([nan, 1.0, inf, 2.0, -inf])[::-1], array([False, True, True, True, False]))
# run: mean(arange(20.0)[::-2], arange(20)[::2] % 3 == 0)
# run: mean(random(5000), random(5000) > 0.5)
# run: mean(random(5000), ones(5000, dtype=bool))
# run: mean(arange(10.0), zeros(10, dtype=bool))
# run: mean(arange(0.0), zeros(0, dtype=bool))
# run: mean(arange(10.0), zeros(9, dtype=bool))
# run: mean(arange(1.0), zeros(9, dtype=bool))
def mean(x, m):
    return x[m].mean()


#numptx export sums(float64[:], float64[:], bool[:], float)
# run: sums(random(300), random(300), random(300) > 0.3, 0.25)
# structure: launches==2 copies=0 syncs=0
# run: sums(array([inf, nan, 1.0]), array([nan, inf, 2.0]), array([False, False, True]), 0.5)
# run: sums(random(3), random(3), zeros(3, dtype=bool), 0.25)
# run: sums(random(3), random(4), ones(3, dtype=bool), 0.25)
# run: sums(random(0), random(0), ones(0, dtype=bool), 0.25)
def sums(a, b, m, c):
    return np.sum((a[m] - c) ** 2), np.sum(a[m] * b[m]), np.mean(a[m]), a[m].prod(), (a[m] > c).any(), np.all(b[m] < 0.9)


#numptx export deviations(float64[:], bool[:])
# run: deviations(random(300), random(300) > 0.3)
# structure: copies=0 syncs=0
# run: deviations(random(3), array([False, True, False]))
# run: deviations(random(3), zeros(3, dtype=bool))
def deviations(x, m):
    y = x[m]
    return y.std(), np.var(y), np.sum((y - y.mean()) ** 2)


#numptx export extrema(float64[:], bool[:])
# run: extrema(random(300), random(300) > 0.3)
# structure: launches==1 copies=0 syncs=1
# run: extrema(array([nan, 3.0, 2.0, inf]), array([False, True, True, False]))
# run: extrema(array([nan, 3.0, 2.0, inf]), array([True, True, True, False]))
# run: extrema(array([inf, 3.0, -inf]), array([True, False, False]))
# run: extrema(random(3), zeros(3, dtype=bool))
# run: extrema(random(0), zeros(0, dtype=bool))
# run: extrema(random(3), zeros(4, dtype=bool))
def extrema(x, m):
    return x[m].min(), np.max(x[m])


#numptx export small(int8[:], uint8[:], bool[:])
# run: small(arange(-100, 100, dtype=int8), arange(200, dtype=uint8), arange(200) % 3 == 1)
# structure: launches==2 copies=0 syncs=1
# run: small(arange(4, dtype=int8), arange(4, dtype=uint8), zeros(4, dtype=bool))
def small(a, b, m):
    return a[m].sum(), b[m].sum(), b[m].prod(), a[m].mean(), a[m].min(), b[m].max()


#numptx export lengths(float64[:,:])
# run: lengths(random((5, 7)) - 0.5)
# structure: launches==1 copies=0 syncs=1
# run: lengths((random((5, 7)) - 0.5).T[::-1])
# run: lengths(zeros((0, 7)))
def lengths(x):
    return len(x[x > 0]), x[x > 0].size, np.count_nonzero(x > 0), x[x > 0].sum(), x[(x > -0.25) & (x < 0.25)].sum()


#numptx export rows(float64[:,:], bool[:])
# run: rows(random((7, 3)), array([True, False, True, True, False, False, True]))
# structure: launches==3 copies=0 syncs=0
# run: rows(random((3, 7)).T, array([True, False, True, True, False, False, True]))
# run: rows(random((7, 3)), zeros(7, dtype=bool))
# run: rows(random((7, 3)), zeros(6, dtype=bool))
# run: rows(random((0, 3)), zeros(0, dtype=bool))
def rows(x, m):
    return x[m].mean(axis=0), x[m].sum(), x[m, 1].sum(), (x[m] * x[m]).sum(axis=0)


#numptx export columns(float64[:,:,:], bool[:])
# run: columns(random((4, 3, 5)), array([True, False, True]))
# run: columns(random((4, 3, 5)), array([False, False, False]))
# run: columns(random((4, 3, 5)), array([False, False]))
def columns(x, m):
    return x[:, m].sum(axis=1), x[1:, m, ::2].sum(), x[0, m].sum(axis=0), x[:, m].mean(axis=(0, 1))


#numptx export planes(int64[:,:,:], bool[:,:])
# run: planes(arange(24).reshape(4, 3, 2), arange(12).reshape(4, 3) % 5 < 2)
# structure: launches==3 copies=0 syncs=0
# run: planes(arange(24).reshape(2, 3, 4).T, (arange(12).reshape(3, 4) % 5 < 2).T)
# run: planes(arange(24).reshape(4, 3, 2), zeros((4, 3), dtype=bool))
# run: planes(arange(24).reshape(4, 3, 2), zeros((4, 2), dtype=bool))
def planes(x, m):
    return x[m].sum(axis=0), x[m].sum(), (x[m] - x[m].mean(axis=0)).sum(axis=0)


#numptx export indices(float64[:])
# run: indices(array([0.0, 1.0, -0.0, nan, 2.0]))
# structure: launches=1 copies=0 syncs=1
# run: indices(zeros(4))
def indices(x):
    i = np.flatnonzero(x)
    return i.sum(), i.mean(), len(np.nonzero(x)[0])


#numptx export changed(float64[:], bool[:])
# run: changed(arange(6.0), array([True, False, True, True, False, True]))
# structure: syncs=0
# run: changed(arange(6.0), zeros(6, dtype=bool))
def changed(x, m):
    """What is chosen is as it was then, and so is the mask."""
    y = x[m]
    x[:] = 7.0
    z = x[m]
    np.logical_not(m, m)
    return y.sum(), z.sum(), x[m].sum()


#numptx export within(float64[:], int64[:])
# run: within(random(4), array([3, -1, 0, 9, 1, 1]))
# run: within(random(0), array([3, -1, 9]))
# run: within(random(4), array([-1, 9]))
def within(weights, labels):
    """Indices that are not chosen may be out of range: elements are not where they were."""
    chosen = labels[(labels >= 0) & (labels < len(weights))]
    return weights[chosen].sum(), weights[np.flatnonzero(labels == 3)].sum()


#numptx export kept(float64[:], bool[:])
# run: kept(random(100), random(100) > 0.5)
# run: kept(random(100), zeros(100, dtype=bool))
def kept(x, m):
    """What is returned, sliced or gone along has to be moved."""
    y = x[m]
    return y, y.sum(), x[m][::2].sum(), np.cumsum(x[m]).sum(), np.sum(x[m] * np.arange(len(x[m])))


#numptx export positions(float64[:], bool[:])
# run: positions(random(100), random(100) > 0.5)
# run: positions(random(100), zeros(100, dtype=bool))
def positions(x, m):
    return x[m].argmax(), np.argmin(x[m])


#numptx export conditional(float64[:], bool[:], int)
# run: conditional(random(100), random(100) > 0.5, 3)
# run: conditional(random(100), zeros(100, dtype=bool), 3)
# run: conditional(random(100), random(100) > 0.5, 0)
def conditional(x, m, n):
    y = x[m]
    total = 0.0
    for i in range(n):
        total += y.sum() * i
    if len(y) > 5:
        total += y.mean()
    return total


#numptx export singles(complex64[:], float32[:], bool[:])
# run: singles(random(100).astype(complex64) * complex64(1j), random(100, dtype=float32), random(100) > 0.5)
# structure: launches==2 copies=0 syncs=0
# run: singles(random(3).astype(complex64), array([nan, inf, 1.0], dtype=float32), array([False, False, True]))
def singles(z, x, m):
    return z[m].sum(), x[m].sum(), x[m].mean(), z[m].real.sum(), np.abs(z[m]).sum()


#numptx export of_before(float64[:], float64[:], bool)
# run: of_before(random(40) - 0.2, random(40), True)
# run: x = random(40) - 0.2; of_before(x, x, True)
# run: of_before(random(40) - 0.2, random(40), False)
def of_before(x, y, twice):
    """Masks that are computed alike, of what was written between: one before a branch, one in it."""
    first = x > 0
    x -= 0.3
    if twice:
        return y[first], y[x > 0], y[first].sum() - y[x > 0].sum()
    return x, y, y[first].sum()
