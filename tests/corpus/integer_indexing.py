"""Reading by arrays of integers: `a[idx]`, several indices, mixed with slices, and NumPy's rules for where the axes stand."""

import numpy as np


#numptx export take_one(float64[:], int64[:])
# run: take_one(arange(10.0), array([3, 0, -1, 9, 3, -10]))
# structure: launches=2 allocs=2 copies=0
# run: take_one(arange(20.0)[::-2], array([3, 0, -1, 9, 3, -10])[::-1])
# run: take_one(arange(5.0), zeros(0, int64))
# run: take_one(zeros(0), zeros(0, int64))
# run: take_one(array([0.0, -0.0, inf, nan]), array([3, 2, 1, 0, -1, -2, -3, -4]))
# run: take_one(random(3000), integers(-3000, 3000, 100000))
# run: take_one(arange(5.0), array([0, 5, 2]))
# run: take_one(arange(5.0), array([0, -6, 7]))
# run: take_one(zeros(0), array([0]))
# run: x = arange(8.0); take_one(x, x.view(int64)[:1] * 0)
def take_one(a, idx):
    return a[idx]


#numptx export of_dtype(float32[:], int8[:])
#numptx export of_dtype(float32[:], uint8[:])
#numptx export of_dtype(float32[:], int32[:])
#numptx export of_dtype(float32[:], uint64[:])
#numptx export of_dtype(float32[:], uint16[:])
# run: of_dtype(arange(300, dtype=float32), array([-1, 127, -128, 0], dtype=int8))
# run: of_dtype(arange(300, dtype=float32), array([255, 127, 0], dtype=uint8))
# run: of_dtype(arange(200, dtype=float32), array([255, 127, 0], dtype=uint8))
# run: of_dtype(arange(300, dtype=float32), array([-300, 299], dtype=int32))
# run: of_dtype(arange(300, dtype=float32), array([2**64 - 1, 5], dtype=uint64))
# run: of_dtype(arange(300, dtype=float32), array([2**63, 5], dtype=uint64))
# run: of_dtype(arange(300, dtype=float32), array([299, 0], dtype=uint16))
def of_dtype(a, idx):
    return a[idx]


#numptx export of_rank_two(float64[:], int64[:,:])
# run: of_rank_two(arange(10.0), array([[1, 2, 3], [-1, -2, -3]]))
# run: of_rank_two(arange(10.0), asfortranarray(array([[1, 2, 3], [-1, -2, -3]])))
# run: of_rank_two(arange(10.0), array([[1, 2, 3], [-1, -2, -3]]).T[::-1])
# run: of_rank_two(arange(10.0), zeros((0, 3), int64))
# run: of_rank_two(arange(10.0), array([[1, 2], [10, 3]]))
# run: of_rank_two(arange(10.0), array([[1, 2], [10, 3]]).T)
def of_rank_two(a, idx):
    return a[idx]


#numptx export rows(float64[:,:], int64[:])
# run: rows(arange(12.0).reshape(4, 3), array([3, 0, -1, 3]))
# structure: launches=2 allocs=2 copies=0
# run: rows(arange(12.0).reshape(3, 4).T, array([3, 0, -1, 3]))
# run: rows(arange(24.0).reshape(4, 6)[::-1, ::-2], array([3, 0, -1, 3]))
# run: rows(zeros((4, 0)), array([3, 0]))
# run: rows(zeros((4, 0)), array([3, 4]))
# run: rows(zeros((0, 4)), zeros(0, int64))
# run: rows(arange(12.0).reshape(4, 3), array([3, -5]))
# run: rows(random((300, 40)), integers(-300, 300, 500))
def rows(a, idx):
    return a[idx]


#numptx export columns(float64[:,:], int64[:])
# run: columns(arange(12.0).reshape(4, 3), array([2, 0, -1, 2]))
# run: columns(arange(12.0).reshape(3, 4).T, array([2, 0, -1, 2]))
# run: columns(arange(12.0).reshape(4, 3), array([2, 3]))
# run: columns(zeros((0, 3)), array([2, 0]))
def columns(a, idx):
    return a[:, idx]


#numptx export pairs(float64[:,:], int64[:], int64[:])
# run: pairs(arange(12.0).reshape(4, 3), array([0, 1, -1]), array([2, 1, 0]))
# run: pairs(arange(12.0).reshape(4, 3), array([0, 1, -1]), array([2]))
# run: pairs(arange(12.0).reshape(4, 3), array([1]), array([2, 1, 0]))
# run: pairs(arange(12.0).reshape(4, 3), array([0, 4, -1]), array([2, 3, 0]))
# run: pairs(arange(12.0).reshape(4, 3), array([0, 1, -1]), array([2, 3, 0]))
# run: pairs(arange(12.0).reshape(4, 3), array([0, 1]), array([2, 1, 0]))
# run: pairs(arange(12.0).reshape(4, 3), array([9]), zeros(0, int64))
# run: pairs(arange(12.0).reshape(4, 3), zeros(0, int64), array([9]))
def pairs(a, i, j):
    return a[i, j]


#numptx export grid(float64[:,:], int64[:], int64[:])
# run: grid(arange(12.0).reshape(4, 3), array([0, 1, -1]), array([2, 1]))
# run: grid(arange(12.0).reshape(3, 4).T, array([0, 1, -1]), array([2, 1]))
def grid(a, i, j):
    return a[i[:, None], j], a[i[:, None], j[None, :]]


#numptx export placements(float64[:,:,:], int64[:], int64[:])
# run: placements(arange(60.0).reshape(3, 4, 5), array([0, 1, -1]), array([2, 1, 0]))
# run: placements(arange(60.0).reshape(5, 4, 3).T, array([0, 1, -1]), array([2, 1, 0]))
# run: placements(arange(60.0).reshape(4, 3, 5).transpose(1, 0, 2)[::-1, :, ::-1], array([0, 1, -1]), array([2, 1, 0]))
def placements(x, i, j):
    return (x[i], x[:, i], x[..., i], x[i, j], x[:, i, j], x[i, :, j], x[0, :, i], x[:, 0, i], x[i, 0], x[i, :, 0],
            x[0, i], x[..., 0, i], x[None, i], x[i, None], x[i, None, j], x[1:, i], x[::-1, i, ::2], x[i, ..., j],
            x[i, j, i], x[0, i, 1], x[-1, :, i])


#numptx export lists(float64[:,:])
# run: lists(arange(12.0).reshape(4, 3))
# run: lists(arange(12.0).reshape(3, 4).T)
# run: lists(arange(6.0).reshape(2, 3))
# run: lists(arange(8.0).reshape(4, 2))
def lists(x):
    return x[[0, 2]], x[:, [0, -1]], x[[0, 1], [1, 2]], x[[[0], [1]], [0, 2]], x[[]], x[[-1]], x[0, [1, 1, 0]]


#numptx export list_of_names(float64[:], int, int)
# run: list_of_names(arange(5.0), 3, -1)
# run: list_of_names(arange(5.0), 3, 5)
# run: list_of_names(arange(5.0), -6, 5)
def list_of_names(x, i, j):
    return x[[i, j, 0]]


#numptx export fused(float64[:], float64[:], int64[:])
# run: fused(arange(10.0), ones(10), array([3, 0, -1]))
# structure: launches=2 allocs=3 copies=0
# run: fused(arange(10.0), ones(10), array([3, 0, 10]))
def fused(x, y, idx):
    return 2.0 * x[idx] + y[idx]


#numptx export summed(float64[:], int64[:])
# run: summed(random(1000), integers(-1000, 1000, 5000))
# structure: launches=2 allocs=2 copies=0
# run: summed(arange(3.0), array([0, 3]))
# run: summed(zeros(0), zeros(0, int64))
def summed(x, idx):
    return np.sum(x[idx])


#numptx export of_expression(float64[:], int64[:])
# run: of_expression(arange(10.0), array([3, 1, 2]))
# run: of_expression(arange(10.0), array([3, 1, 10]))
# run: of_expression(arange(10.0), array([5, 1, 2]))
def of_expression(x, idx):
    return x[idx - 1] + (x * 2.0)[idx], x[idx * 2][1:], (x[idx])[::-1]


#numptx export after_write(float64[:], int64[:])
# run: after_write(arange(10.0), array([3, 1, 2]))
# run: x = arange(10.0); after_write(x, x.view(int64)[2:4])
def after_write(x, idx):
    y = x[idx]
    x[:] = 7.0
    return y, x[idx]


#numptx export index_rewritten(float64[:], int64[:])
# run: index_rewritten(arange(10.0), array([3, 1, 2]))
def index_rewritten(x, idx):
    y = x[idx]
    idx[:] = 0
    return y + x[idx]


#numptx export checked_later(float64[:], int64[:])
# run: checked_later(arange(10.0), array([3, 1, 2, 0, 5, 6, 7, 8, 9, 4]))
# run: checked_later(arange(10.0), array([3, 1, 2, 0, 5, 6, 7, 8, 99, 4]))
def checked_later(x, idx):
    s = np.sum(x * idx)
    t = np.sum(x[idx])
    return s + t


#numptx export viewed(complex128[:], int64[:])
# run: viewed(arange(10.0) * (1 + 2j), array([3, 1, 2]))
def viewed(z, idx):
    y = z[idx]
    return y.real, y.imag[1:], z.real[idx], z.imag[::-1][idx]


#numptx export in_loop(float64[:], int64[:], int)
# run: in_loop(arange(10.0), array([3, 1, 2, 0]), 3)
# run: in_loop(arange(10.0), array([3, 1, 2, 5]), 3)
def in_loop(x, idx, n):
    y = x
    for _ in range(n):
        y = y[idx]
    return y


#numptx export permuted(int64[:])
# run: permuted(array([2, 0, 1, 3]))
# run: permuted(array([2, 0, 1, 4]))
def permuted(p):
    return p[p], p[p[p]], p[-p]


#numptx export booleans(bool[:], int64[:,:])
# run: booleans(array([True, False, True]), array([[0, 1], [2, -1]]))
def booleans(x, idx):
    return x[idx]


#numptx export earlier_effects(float64[:], int64[:])
# run: earlier_effects(arange(4.0), array([0, 4]))
# run: earlier_effects(arange(4.0), array([0, 3]))
def earlier_effects(x, idx):
    x[0] = 9.0
    y = x[idx]
    x[1] = 8.0
    return y


#numptx export scalar_array(float64[:,:], int64[:])
# run: scalar_array(arange(12.0).reshape(3, 4), array([2]))
def scalar_array(x, idx):
    k = idx[0]
    return x[k, idx], x[k]


#numptx export neighbours(float64[:,:], int64[:,:])
# run: neighbours(random((20, 3)), integers(0, 20, (20, 4)))
def neighbours(x, table):
    return np.sum(x[table] - x[:, None, :], axis=1), np.max(x[table], axis=(1, 2))


#numptx export of_temporaries(float64[:], int64[:])
# run: of_temporaries(random(8), array([7, 6, 5, 4, 3, 2, 1, 0]))
def of_temporaries(x, idx):
    n = x.shape[0]
    t = np.sqrt(x + 1.0)
    u = np.zeros(n)
    u[:] = t
    y = u[idx]
    u[:] = y * 2.0
    v = u + u[::-1]
    w = v[idx] + v
    e = np.zeros(n)
    e[idx] = w
    return e[::-1][idx] + e
