"""Elements that a mask chooses: as many as there are when it runs."""
import numpy as np

#numptx export chosen(float64[:], bool[:])
# run: chosen(arange(10.0), arange(10) % 3 == 0)
# run: chosen(arange(0.0), arange(0) > 0)
# run: chosen(arange(10.0), zeros(10, dtype=bool))
# run: chosen(arange(10.0), ones(10, dtype=bool))
# run: chosen(arange(20.0)[::-2], arange(20)[::2] % 3 == 0)
# run: chosen(array([0.0, -0.0, inf, nan, -inf]), array([True, True, False, True, True]))
# run: chosen(arange(10.0), zeros(9, dtype=bool))
# run: chosen(random(1000), random(1000) > 0.5)
# structure: launches==3 copies=0
# run: chosen(random(400000), random(400000) > 0.5)
def chosen(x, m):
    return x[m]


#numptx export positive(float32[:,:])
# run: positive(random((5, 7), dtype=float32) - float32(0.5))
# run: positive((random((5, 7), dtype=float32) - float32(0.5)).T)
# run: positive((random((5, 8), dtype=float32) - float32(0.5))[::-1, ::2])
# run: positive(zeros((0, 7), dtype=float32))
def positive(x):
    return x[x > 0], x[x > 2], x[~(x > 0)]


#numptx export rows(int64[:,:,:], bool[:])
# run: rows(arange(24).reshape(4, 3, 2), array([True, False, True, True]))
# run: rows(arange(24).reshape(2, 3, 4).T, array([True, False, True, True]))
# run: rows(arange(24).reshape(3, 4, 2).transpose(1, 0, 2), array([True, False, True, True]))
# run: rows(zeros((0, 3, 2), dtype=int64), zeros(0, dtype=bool))
# run: rows(arange(24).reshape(4, 3, 2), zeros(3, dtype=bool))
def rows(x, m):
    return x[m]


#numptx export planes(int64[:,:,:], bool[:,:])
# run: planes(arange(24).reshape(4, 3, 2), arange(12).reshape(4, 3) % 5 < 2)
# run: planes(arange(24).reshape(4, 3, 2), zeros((4, 3), dtype=bool))
# run: planes(arange(24).reshape(4, 3, 2), zeros((4, 2), dtype=bool))
def planes(x, m):
    return x[m]


#numptx export mixed(float64[:,:,:], bool[:], int64[:])
# run: mixed(random((4, 3, 5)), array([True, False, True, True]), array([0, -1, 2]))
# run: mixed(random((4, 3, 5)), array([True, False, False, False]), array([0, -1, 2]))
# run: mixed(random((4, 3, 5)), array([True, True, False, False]), array([0, -1, 2]))
# run: mixed(random((4, 3, 5)), array([True, False, True, True]), array([0, -4, 2]))
def mixed(x, m, i):
    return x[m, i], x[m, :, 1], x[m, 0], x[m, ..., None], x[:, i][m]


#numptx export inner(float64[:,:,:], bool[:])
# run: inner(random((4, 3, 5)), array([True, False, True]))
# run: inner(random((4, 3, 5)), array([False, False, False]))
# run: inner(random((4, 3, 5)), array([False, False]))
def inner(x, m):
    return x[:, m], x[1:, m, ::2], x[0, m], x[:, m, 2]


#numptx export growing(float64[:], int)
# run: growing(random(100), 5)
# run: growing(random(0), 5)
def growing(x, n):
    total = 0.0
    for i in range(n):
        x = x[x > x.mean()] if len(x) > 0 else x
        total += x.sum()
        if len(x) < 3:
            break
    return x, total, len(x)


#numptx export statistics(float64[:], float64[:])
# run: statistics(random(100), random(100))
# run: statistics(random(100) + 2.0, random(100))
def statistics(x, r):
    m = np.logical_and(0.2 <= r, r < 0.8)
    y = x[m]
    return y.sum(), y.mean(), np.max(x[x > -1]), y.size, x[m][::2], len(x[x > 1.5])


#numptx export list_mask(int64[:])
# run: list_mask(arange(3))
# run: list_mask(arange(4))
def list_mask(x):
    return x[[True, False, True]]
