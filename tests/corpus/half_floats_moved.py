"""`float16`: functions that move, sort and choose elements, and products of matrices by their other names."""

import numpy as np

# tolerance: 0

SPECIAL = [0.0, -0.0, 6e-8, 1.0, -1.0, 0.1, np.inf, -np.inf, np.nan, 65504.0, 1.0, 0.1]


def special():
    return np.array(SPECIAL, np.float16)


#numptx export in_order(float16[:])
# run: in_order(special()[2:])
# run: in_order(random(3000).astype(float16)[::2])
# run: in_order(zeros(0, float16))
def in_order(x):
    y = x.copy()
    y.sort()
    return np.sort(x), np.argsort(x, kind="stable"), y, np.unique(x), np.lexsort((x, x)), np.searchsorted(y, x)


#numptx export rows_in_order(float16[:,:])
# run: rows_in_order(random((20, 30)).astype(float16))
# run: rows_in_order(random((30, 20)).astype(float16).T[:, ::3])
def rows_in_order(x):
    return np.sort(x), np.sort(x, axis=0), np.argsort(x, axis=-1, kind="stable"), np.median(x), np.median(x, axis=1)


#numptx export counted(float16[:])
# run: counted(special()[2:])
def counted(x):
    values, counts = np.unique_counts(x)
    again, places = np.unique(x, return_inverse=True)
    return values, counts, again[places], np.partition(x, 3)[3], np.take(x, np.argpartition(x, 2)[2])


#numptx export joined(float16[:], float16[:,:])
# run: joined(special(), ones((3, 12), float16))
# run: joined(zeros(0, float16), ones((2, 0), float16))
def joined(x, y):
    one = np.concatenate((x, x)), np.stack((x, x)), np.vstack((x, y)), np.hstack((x, x)), np.column_stack((x, x))
    return one, np.append(x, 2), np.repeat(x, 3), np.tile(x, 2), np.roll(y, 1, axis=1), np.meshgrid(x, x[:2])


#numptx export moved(float16[:], float16[:,:])
# run: moved(special(), ones((3, 12), float16))
def moved(x, y):
    some = np.insert(x, 2, 7), np.delete(x, [1, 2]), np.resize(x, (5, 5)), np.diagflat(x[:3]), np.trim_zeros(x)
    chosen = np.select([x > 0, x < 0], [x, -x]), np.choose(np.array([0, 1]), (x[:2], x[2:4]))
    return some, chosen, np.array_equal(x, x), np.fft.fftshift(y), np.linalg.matrix_transpose(y), np.flip(y), np.isposinf(x)


#numptx export overwritten(float16[:], float64[:])
# run: overwritten(special(), random(12) * 1e5)
def overwritten(x, y):
    np.copyto(x[:4], y[:4], casting="same_kind")
    np.putmask(x, x > 1, 0.1)
    np.place(x, x < 0, [3])
    return np.round(x, 2), np.round(x), np.around(x * 100, -1), np.diff(x), np.clip(x, 0, 0.5), np.nan_to_num(x), np.angle(x)


#numptx export spaced(int)
# run: spaced(7)
# run: spaced(0)
def spaced(n):
    lines = np.linspace(0, 1, n, dtype=np.float16), np.linspace(np.float16(0.1), np.float16(3), n), np.tri(3, dtype="e")
    return lines, np.triu(np.ones((3, 3), np.half), 1), np.diag(np.ones(2, np.float16)), np.indices((2, 2), dtype=np.int8)


#numptx export named(float16[:,:], float16[:,:], float16[:])
# run: named(random((7, 20)).astype(float16), random((20, 9)).astype(float16), random(20).astype(float16))
# tolerance: 0.001
def named(x, y, v):
    first = np.tensordot(x, y, 1), np.vecdot(x, v), np.matvec(x, v), np.vecmat(v, y), np.linalg.matmul(x, y)
    return first, np.linalg.outer(v, v), np.linalg.vecdot(v, v), np.vdot(v, v), np.multiply.outer(v, v), np.add.reduce(x, axis=1)
