"""Sets, orders, indices, borders and functions of elements, compiled and plain: keywords, errors, layouts, special values.

Each function below runs both ways on the same arguments; the results, or the exceptions' types and words, agree.
"""

import numpy as np
import pytest

import as_numpy

SOURCE = '''
import numpy as np


#numptx export close(float64[:,:], float64[:])
#numptx export close(float32[:,:], float64[:])
#numptx export close(int64[:,:], int64[:])
#numptx export close(complex128[:,:], complex128[:])
def close(x, y):
    return np.isclose(x, y), np.isclose(x, y, rtol=0.1, equal_nan=True), np.allclose(x, y), np.isclose(x, 1.0), np.isclose(x[0, 0], 1)


#numptx export equal(float64[:,:], float64[:,:])
#numptx export equal(int32[:,:], float64[:,:])
#numptx export equal(complex128[:,:], complex128[:,:])
def equal(x, y):
    return np.array_equal(x, y), np.array_equal(x, y, equal_nan=True), np.array_equiv(x, y), np.array_equal(x, y[0])


#numptx export sets(float64[:,:], float64[:])
#numptx export sets(int8[:,:], int64[:])
#numptx export sets(bool[:,:], bool[:])
#numptx export sets(complex64[:,:], float64[:])
def sets(x, y):
    return np.isin(x, y), np.isin(x, y, invert=True), np.union1d(x, y), np.setdiff1d(x, y), np.setxor1d(x, y), np.isin(x[0, 0], y)


#numptx export common(float64[:,:], float64[:])
#numptx export common(int64[:,:], int64[:])
def common(x, y):
    return np.intersect1d(x, y), np.intersect1d(x, y, return_indices=True)


#numptx export unique_sets(float64[:], float64[:])
def unique_sets(x, y):
    return np.intersect1d(x, y, True), np.intersect1d(x, y, True, True), np.setdiff1d(x, y, True), np.setxor1d(x, y, assume_unique=True)


#numptx export different(float64[:,:])
#numptx export different(int16[:,:])
#numptx export different(complex128[:,:])
def different(x):
    return np.unique(x, equal_nan=False), np.unique(x, True, True, True, equal_nan=False), np.unique_counts(x).counts, np.unique_all(x).indices, np.unique_inverse(x)[1]


#numptx export different_rows(float64[:,:])
#numptx export different_rows(int16[:,:])
def different_rows(x):
    return np.unique(x, axis=0), np.unique(x, return_inverse=True, return_counts=True, axis=1), np.unique(x, return_index=True, axis=0)


#numptx export ordered(float64[:,:], int64[:,:])
def ordered(x, k):
    return np.lexsort((x, k)), np.lexsort((x, k), axis=0), np.lexsort(x), np.lexsort((x[0], k[0], x[1])), np.sort_complex(x), np.sort_complex(k.astype(np.int8))


#numptx export parted(float64[:,:], int)
#numptx export parted(int32[:,:], int)
def parted(x, n):
    a = np.partition(x, n)
    b = np.partition(x, (0, n), axis=0)
    c = np.take_along_axis(x, np.argpartition(x, n, axis=1), 1)
    d = x.copy()
    d.partition(n)
    e = np.partition(x, n, axis=None)
    return a[:, n], b[n], c[:, n], d[:, n], e[n], np.sort(a, axis=1), a[:, :n].max(axis=1, initial=-9) <= a[:, n]


#numptx export searched(float64[:], int64[:], float64[:])
def searched(a, s, v):
    return np.searchsorted(a, v, sorter=s), np.searchsorted(a, v, "right", s), np.searchsorted(a, v[0], sorter=s), a[s].searchsorted(v)


#numptx export bordered(float64[:,:], int)
#numptx export bordered(int16[:,:], int)
#numptx export bordered(complex64[:,:], int)
def bordered(x, n):
    return (
        np.pad(x, n), np.pad(x, ((n, 1), (0, n)), constant_values=((1, 2), (3, 4))), np.pad(x, (1, n), "edge"), np.pad(x, n, mode="reflect"),
        np.pad(x, n, mode="symmetric"), np.pad(x, n, mode="wrap"), np.pad(x, ((n,), (1,)), "constant", constant_values=7), np.pad(x, n, "mean"),
    )


#numptx export bordered_by_numbers(float64[:,:], int)
#numptx export bordered_by_numbers(int16[:,:], int)
#numptx export bordered_by_numbers(uint8[:,:], int)
def bordered_by_numbers(x, n):
    return (
        np.pad(x, n, "linear_ramp"), np.pad(x, (n, 2), "linear_ramp", end_values=(5, 3)), np.pad(x, n, "maximum"), np.pad(x, n, "minimum", stat_length=1),
        np.pad(x, n, "mean", stat_length=(2, 1)), np.pad(x, n, "median"), np.pad(x, n, "reflect", reflect_type="odd"), np.pad(x, n, "symmetric", reflect_type="odd"),
    )


#numptx export bordered_by(float64[:], int64[:], float64)
def bordered_by(x, widths, value):
    return np.pad(x, widths, constant_values=value), np.pad(x, widths, "edge"), np.pad(x, 2, mode="empty")[2:-2]


#numptx export joined_vectors(float64[:], int32[:], float64[:,:])
def joined_vectors(x, i, y):
    return np.column_stack((x, i)), np.dstack((x, i)), np.column_stack((y, x)), np.dstack([y, y]), np.row_stack((x, i)), np.stack((x, i), dtype=np.float32)


#numptx export joined_into(float64[:], float32[:], float64[:])
def joined_into(x, s, out):
    np.concatenate((x, s), out=out)
    return np.concatenate((x, s), dtype=np.float32, casting="same_kind"), np.concatenate([x, s], axis=None, dtype=np.int64, casting="unsafe")


#numptx export blocks(float64[:,:], int)
def blocks(x, n):
    return np.block([[x, x], [np.ones((n, x.shape[1])), np.zeros((n, x.shape[1]))]]), np.block([x[0], 1.0, n]), np.block(x), np.block([[1, 2], [3, n]])


#numptx export by_index(float64[:], int, float64[:,:])
def by_index(x, n, y):
    return np.r_[x, 1, n, 0:n, x[::-1]], np.r_[0:n:2, 5], np.r_[0:1:5j, 2.0], np.c_[x, x + 1], np.c_[y, y[:, 0]], np.r_[y, y], np.r_[n, 1.5], np.r_[1:4].dtype == np.int64


#numptx export by_index_in_float32(float32[:], float)
def by_index_in_float32(x, a):
    return np.r_[x, 1.5], np.r_[x, a, 2], np.c_[x, np.arange(len(x))]


#numptx export by_slices(float64[:,:], int)
def by_slices(x, n):
    y = x.copy()
    y[np.s_[1:, ::2]] = n
    return x[np.s_[:n]], y, x[np.s_[..., 0]]


#numptx export longer(float64[:,:], int, float64[:])
#numptx export longer(int32[:,:], int, float64[:])
def longer(x, n, v):
    return (
        np.append(x, v), np.append(x, x, axis=1), np.insert(x, n, 7, axis=1), np.insert(x, n, [1, 2, 3], axis=1), np.insert(x, [1, n], 7, axis=0),
        np.insert(x, n, v), np.insert(x, [2, 0, 2], v[:3]), np.insert(x, [1], [[1], [2], [3]], axis=1),
    )


#numptx export longer_by_arrays(float64[:], int64[:], bool[:])
def longer_by_arrays(x, k, m):
    return np.insert(x, k, x[:len(k)]), np.insert(x, m, 5), np.delete(x, k), np.delete(x, m)


#numptx export shorter(float64[:,:], int)
#numptx export shorter(complex128[:,:], int)
def shorter(x, n):
    return np.delete(x, n), np.delete(x, n, axis=0), np.delete(x, [0, n], axis=1), np.delete(x, [n], 1), np.delete(x, [], axis=0), np.delete(x, np.arange(x.shape[1]) % 2 == 0, 1)


#numptx export repeated(float64[:,:], int)
def repeated(x, n):
    return np.resize(x, (n, 3)), np.resize(x, n), np.resize(x[:, :0], (2, 2))


#numptx export trimmed(float64[:], int64[:,:])
def trimmed(x, k):
    return np.trim_zeros(x), np.trim_zeros(x, "f"), np.trim_zeros(x, trim="B"), np.trim_zeros(k), np.trim_zeros(k, axis=0), np.trim_zeros(k, "b", -1)


#numptx export shapes(float64[:,:], int)
def shapes(x, n):
    return np.shape(x), np.size(x), np.size(x, 1), np.size(x, axis=(0, 1)), np.ndim(x), np.shape(n), np.shape([[1, n]]), np.broadcast_shapes(x.shape, (n, 1), 1)


#numptx export open_indices(float64[:,:], int64[:], bool[:])
def open_indices(x, k, m):
    y = x.copy()
    y[np.ix_(m, k)] = 5.0
    return np.ix_(k, m), x[np.ix_([0, 2], k)], y, np.ix_([], [1])


#numptx export diagonals(int, int, float64[:,:])
def diagonals(n, k, x):
    return np.diag_indices(n), np.diag_indices(n, 3), np.tril_indices(n, k), np.triu_indices(n, k, n + 2), np.tril_indices_from(x, k), np.triu_indices_from(x), np.mask_indices(n, np.triu, k)


#numptx export square(float64[:,:])
def square(x):
    return np.diag_indices_from(x)


#numptx export unravelled(float64[:,:], int64[:], int)
def unravelled(x, k, n):
    return np.unravel_index(np.argmax(x), x.shape), np.unravel_index(k, (3, 4)), np.unravel_index(n, (2, 3, 2), "F"), np.unravel_index(k, (4, 3), order="F"), x[np.unravel_index(k, x.shape)]


#numptx export ravelled(int64[:], int64[:], int)
def ravelled(i, j, n):
    return np.ravel_multi_index((i, j), (3, 4)), np.ravel_multi_index((n, 2), (3, 4), order="F"), np.ravel_multi_index((i, n), (3, 4))


#numptx export ravelled_beyond(int64[:,:])
def ravelled_beyond(k):
    return np.ravel_multi_index(k, (3, 4), mode="wrap"), np.ravel_multi_index(k, (3, 4), mode=("clip", "wrap")), np.ravel_multi_index((k[0], k[1]), (3, 4), "clip")


#numptx export spaced(float, float, int)
def spaced(a, b, n):
    return np.logspace(a, b, n), np.logspace(a, b, n, False, 2.0, np.float32), np.geomspace(a + 2.0, b + 2.0, n), np.geomspace(-1.0, -8.0, n, endpoint=False), np.linspace(a, b, n + 2, retstep=True), np.linspace(a, b, n, axis=-1)


#numptx export meshes(float64[:], int32[:])
def meshes(x, i):
    return np.meshgrid(x, i, sparse=True), np.meshgrid(x, i, x, indexing="ij", sparse=True), np.indices((2, 3), sparse=True), np.meshgrid(x, i, sparse=True, copy=False), np.diagflat(x, 1), np.diagflat([[1, 2]])


#numptx export selected(float64[:], float32[:])
def selected(x, s):
    return np.select([x < 0, x > 1], [x, 10 * x], default=7), np.select([x < 0, x > 1], [1, s]), np.select([x < 0], [s], -1.5), np.select([x < 0, x > 1], [s, 1.5]), np.select([x < 0], [x.astype(np.int8)])


#numptx export chosen(int64[:], float64[:], float64[:,:])
def chosen(k, x, y):
    return np.choose(k, [x, -x, 1]), np.choose(k, (x, np.arange(len(x))), mode="wrap"), k.choose([x, -x], mode="clip"), np.choose(k, y), np.choose(k[0], [10, 20, 30])


#numptx export along(float64[:,:], float64[:,:,:])
def along(x, z):
    return (
        np.apply_along_axis(np.sum, 0, x), np.apply_along_axis(lambda v: v / v.sum(), 1, x), np.apply_along_axis(np.outer, 0, x, x[0, :2]), np.apply_along_axis(sorted_twice, -1, z),
        np.apply_along_axis(np.max, 1, z), np.apply_along_axis(np.mean, 0, x[0]), np.apply_along_axis(spread, 1, x), np.apply_over_axes(np.sum, z, (0, -1)), np.apply_over_axes(np.max, x, 1),
    )


def sorted_twice(v):
    return np.concatenate((np.sort(v), np.sort(v)))


def spread(v):
    return v.max() - v.min()


#numptx export of_indices(int, int)
def of_indices(n, m):
    return np.fromfunction(lambda i, j: i * 10 + j, (n, m)), np.fromfunction(np.equal, (n, m), dtype=int), np.fromfunction(lambda i: i + 0.5, (m,), dtype=np.float32)


#numptx export pieces(float64[:], int64[:])
def pieces(x, k):
    return (
        np.piecewise(x, [x < 0, x > 1], [lambda v: v * v, lambda v: -v, 7]), np.piecewise(x, x < 0, [np.abs, 1]), np.piecewise(k, [k > 2], [1.7, lambda v, a: v + a], 10),
        np.piecewise(x, [x < 0, x < 1], [1, 2]),
    )


#numptx export by_element(float64[:,:], int32[:], float32[:])
def by_element(x, i, s):
    f = np.vectorize(lambda a, b: a if a > b else b * 2.0)
    g = np.vectorize(steps, otypes=[np.int64])
    return f(x, 0.5), g(i), np.vectorize(lambda a: a / 3)(s), np.vectorize(lambda a: (a, a > 0))(x), halved(x, 2.0), np.vectorize(lambda a: a + 1)(i[0])


def steps(n):
    count = 0
    while n > 1:
        n = n // 2
        count += 1
    return count


@np.vectorize
def halved(a, b):
    if a > 0:
        return a / b
    return a * b


#numptx export flats(float64[:,:], int)
def flats(x, n):
    y = np.zeros_like(x)
    y.flat[n] = 3.0
    y.flat[::2] = x.flat[1]
    y.flat[::5] += 1.5
    y.flat[n] *= 2
    z = x.copy()
    z.flat = [1, 2, 3, 4, 5]
    total = 0.0
    for v in x.flat:
        total += v
    return y, z, x.flat[1:n], x.flat[n], total, len(x.flat), np.sum(x.flat), x.flat[[0, n]], x.item(n), x.item(1, 2), x.item((0, -1))


#numptx export flats_of_nothing(float64[:,:], int64[:], bool[:], float64[:])
#numptx export flats_of_nothing(float32[:,:], int64[:], bool[:], float64[:])
def flats_of_nothing(x, k, m, v):
    y, z, w = x.copy(), x.copy(), x.copy()
    y.flat[k] = v
    z.flat[m] = v
    w.flat[1:] = v
    w.flat[[0, 1]] = []
    x.flat = v
    return y, z, w


#numptx export flats_at(float64[:,:], int64[:], float64[:])
#numptx export flats_at(float64[:,:], uint8[:], float64[:])
def flats_at(x, k, v):
    x.flat[[9, -9]] = []
    x.flat[k] = v
    return x, x.flat[k]


#numptx export flats_of_matrices(float64[:,:], int64[:,:])
def flats_of_matrices(x, k):
    y = x.flat[k] * 2
    x.flat[k] = [1, 2, 3]
    x.flat[[n for n in (0, 1)]] += 0.5
    return x, y


#numptx export over_indices(float64[:,:])
def over_indices(x):
    y = np.zeros(x.shape)
    for i, j in np.ndindex(x.shape):
        y[i, j] = x[i, j] * (i - j)
    total = np.float64(0.0)
    for (i, j), v in np.ndenumerate(x):
        if v > 0.5:
            total += v * i + j
    last = (0, 0)
    for index in np.ndindex(*x.shape):
        last = index
        if x[index] > 0.9:
            break
    return y, total, last


#numptx export of_iterators(float64[:], int)
def of_iterators(x, n):
    return np.fromiter((v * v for v in x), float), np.fromiter([k + 1 for k in range(n)], dtype=np.int32), np.fromiter((k * 0.5 for k in range(n)), np.float64, count=2), np.fromiter(x, np.float32)


#numptx export compressed(float64[:,:], float64[:,:])
def compressed(x, out):
    return np.compress([True, False, True], x, axis=0, out=out)


#numptx export repeated_each(float64[:], int64[:], float64[:,:])
def repeated_each(x, k, y):
    return np.repeat(x, k), y.repeat([2, 0, 1], axis=0), np.repeat(y, [2], axis=1), np.repeat(y, k, axis=-1), np.repeat(x, 2), np.array(x, ndmin=2), np.array([1, 2], ndmin=3)


#numptx export real_parts(complex128[:])
def real_parts(z):
    return np.real_if_close(z)
'''

NAN = np.nan


def reals(*shape):
    return np.sin(np.arange(np.prod(shape, dtype=int)) * 1.7).reshape(shape)


def whole(dtype, *shape):
    return ((np.arange(np.prod(shape, dtype=int)) * 37) % 7 - 2).astype(dtype).reshape(shape)


def cases():
    special = np.array([[NAN, np.inf, -np.inf, 0.0], [1.0, 1e300, -0.0, 1.0 + 1e-9], [NAN, -np.inf, np.inf, 2.0]])
    yield "close", lambda: (special, np.array([NAN, np.inf, np.inf, 0.0]))
    yield "close", lambda: (reals(2, 3).astype(np.float32), reals(3))
    yield "close", lambda: (whole(int, 2, 3), whole(int, 3))
    yield "close", lambda: (np.array([[-(2**63)]]), np.array([-(2**63)]))
    yield "close", lambda: (reals(2, 2) * 1j, np.array([NAN, 1j]))
    for x, y in ((special, special), (special, special[:2]), (special, special[:1]), (reals(0, 3), reals(0, 3)), (reals(2, 3), reals(2, 1))):
        yield "equal", lambda x=x, y=y: (x, y)
    yield "equal", lambda: (whole(np.int32, 2, 3), whole(float, 2, 3))
    yield "equal", lambda: (special * 1j, special * 1j)
    for x, y in ((special, np.array([0.0, NAN, 1.0, 7.0])), (reals(2, 3), reals(0)), (reals(0, 3), reals(2)), (whole(float, 3, 4), whole(float, 5) + 3)):
        yield "sets", lambda x=x, y=y: (x, y)
        yield "common", lambda x=x, y=y: (x, y)
    yield "sets", lambda: (whole(np.int8, 3, 4), np.array([300, 2, 1]))
    yield "sets", lambda: (whole(np.int8, 3, 4) > 0, np.array([True]))
    yield "sets", lambda: (whole(np.complex64, 2, 2) * np.complex64(1 + 1j), np.array([0.0, 2.0]))
    yield "common", lambda: (whole(int, 3, 4), whole(int, 9))
    yield "unique_sets", lambda: (np.array([3.0, 1.0, 2.0]), np.array([5.0, 2.0, 3.0]))
    for x in (special, reals(0, 2), whole(float, 3, 4)):
        yield "different", lambda x=x: (x,)
        yield "different_rows", lambda x=x: (np.concatenate((x, x[:1])),)
    yield "different", lambda: (whole(np.int16, 4, 5),)
    yield "different", lambda: (np.array([[1 + 1j, NAN], [1 - 1j, 1 + 1j]]),)
    yield "different_rows", lambda: (whole(np.int16, 4, 5)[[0, 1, 0]],)
    yield "different_rows", lambda: (np.zeros((3, 0), np.int16),)
    yield "ordered", lambda: (np.round(reals(3, 4), 1), whole(int, 3, 4))
    for n in (0, 2, -1):
        yield "parted", lambda n=n: (reals(3, 4), n)
        yield "parted", lambda n=n: (whole(np.int32, 4, 3), n)
    yield "parted", lambda: (reals(3, 4), 3)
    yield "searched", lambda: (np.array([3.0, 1.0, 2.0]), np.array([1, 2, 0]), np.array([2.0, 0.5, 9.0]))
    yield "searched", lambda: (np.array([3.0, 1.0, 2.0]), np.array([1, 2]), np.array([2.0]))
    for n in (1, 2, 5, 0, -1):
        yield "bordered", lambda n=n: (reals(3, 4), n)
        yield "bordered_by_numbers", lambda n=n: (reals(3, 4), n)
    yield "bordered", lambda: (whole(np.int16, 2, 3), 3)
    yield "bordered", lambda: (reals(1, 2).astype(np.complex64), 2)
    yield "bordered", lambda: (np.asfortranarray(reals(3, 2)), 1)
    yield "bordered", lambda: (reals(0, 3), 1)
    yield "bordered_by_numbers", lambda: (whole(np.int16, 2, 3), 3)
    yield "bordered_by_numbers", lambda: (whole(np.uint8, 2, 3), 2)
    yield "bordered_by_numbers", lambda: (np.asfortranarray(reals(1, 2)), 2)
    yield "bordered_by", lambda: (reals(3), np.array([1, 2]), 2.5)
    yield "joined_vectors", lambda: (reals(3), whole(np.int32, 3), reals(3, 3))
    yield "joined_into", lambda: (reals(3), reals(2).astype(np.float32), np.zeros(5))
    yield "joined_into", lambda: (reals(3), reals(2).astype(np.float32), np.zeros(4))
    yield "blocks", lambda: (reals(2, 3), 2)
    for n in (3, 0):
        yield "by_index", lambda n=n: (reals(3), n, reals(3, 2))
    yield "by_index_in_float32", lambda: (reals(3).astype(np.float32), 2.5)
    yield "by_slices", lambda: (reals(3, 4), 2)
    for n in (0, 1, -1, 2, 3, 7):
        yield "longer", lambda n=n: (reals(3, 4), n, reals(12))
        yield "shorter", lambda n=n: (reals(3, 4), n)
    yield "longer", lambda: (whole(np.int32, 3, 3), 1, reals(12) * 5)
    yield "longer", lambda: (np.asfortranarray(reals(3, 4)), 1, reals(12))
    yield "shorter", lambda: (np.asfortranarray(reals(3, 4)) * 1j, 1)
    for k in ([0, 2], [1, -1, 1], [4, 1], [9, 1]):
        yield "longer_by_arrays", lambda k=k: (reals(4), np.array(k), np.array([True, False, True, False]))
    for n in (4, 0, 1, -2):
        yield "repeated", lambda n=n: (reals(2, 3), n)
    yield "trimmed", lambda: (np.array([0.0, 0.0, 1.0, 0.0, NAN, -0.0]), np.array([[0, 0, 0], [0, 3, 0], [0, 2, 0]]))
    yield "trimmed", lambda: (np.zeros(3), np.zeros((2, 2), int))
    yield "trimmed", lambda: (np.zeros(0), np.ones((2, 2), int))
    yield "shapes", lambda: (reals(3, 4), 3)
    yield "shapes", lambda: (reals(3, 4), -1)
    yield "open_indices", lambda: (reals(3, 4), np.array([3, 0]), np.array([True, False, True]))
    for n, k in ((3, 0), (4, -1), (0, 0), (2, 5)):
        yield "diagonals", lambda n=n, k=k: (n, k, reals(3, 4))
    yield "square", lambda: (reals(3, 3),)
    yield "square", lambda: (reals(3, 2),)
    for k, n in (([0, 5], 7), ([12], 0), ([-1], 0), ([], 11), ([1], 12)):
        yield "unravelled", lambda k=k, n=n: (reals(3, 4), np.array(k, int), n)
    for i, n in (([0, 2], 1), ([0, 3], 1), ([1, 1], 5)):
        yield "ravelled", lambda i=i, n=n: (np.array(i), np.array([3, 1]), n)
    yield "ravelled_beyond", lambda: (np.array([[5, -1, 2], [9, -7, 0]]),)
    for n in (5, 1, 0, 2):
        yield "spaced", lambda n=n: (0.5, 3.25, n)
    yield "meshes", lambda: (reals(3), whole(np.int32, 2))
    yield "selected", lambda: (reals(5) * 2, reals(5).astype(np.float32))
    yield "selected", lambda: (np.array([NAN, np.inf]), np.float32([1, 2]))
    yield "chosen", lambda: (np.array([0, 1, 2, 1]), reals(4), reals(3, 4))
    yield "chosen", lambda: (np.array([0, 1, 3, 1]), reals(4), reals(3, 4))
    yield "along", lambda: (reals(3, 4), reals(2, 3, 4))
    yield "along", lambda: (reals(3, 0), reals(2, 3, 4))
    yield "of_indices", lambda: (2, 3)
    yield "pieces", lambda: (reals(5) * 2, whole(int, 6))
    yield "by_element", lambda: (reals(2, 3), whole(np.int32, 4) + 3, reals(3).astype(np.float32))
    yield "by_element", lambda: (reals(0, 3), whole(np.int32, 4) + 3, reals(3).astype(np.float32))
    for n in (4, -1, 12):
        yield "flats", lambda n=n: (reals(3, 4), n)
    yield "flats", lambda: (np.asfortranarray(reals(3, 4)), 3)
    for k in ([], [0, 2], [5, -1]):
        for v in ([], [1.5], [1.0, 2.0, 3.0]):
            mask = np.arange(6) % 4 == len(k)
            yield "flats_of_nothing", lambda k=k, m=mask, v=v: (reals(2, 3), np.array(k, int), m, np.array(v))
            yield "flats_of_nothing", lambda k=k, m=mask, v=v: (np.asfortranarray(reals(2, 3)).astype(np.float32), np.array(k, int), m, np.array(v))
    for k in ([], [9], [-7], [0, -6, 3], [1, 9], [5, 5]):
        for v in ([], [1.5], [1.0, 2.0, 3.0]):
            yield "flats_at", lambda k=k, v=v: (np.asfortranarray(reals(2, 3)), np.array(k, int), np.array(v))
    yield "flats_at", lambda: (reals(2, 3), np.array([0, 200], np.uint8), np.ones(1))
    yield "flats_at", lambda: (reals(2, 0), np.array([0]), np.zeros(0))
    yield "flats_of_matrices", lambda: (reals(2, 3), np.array([[0, 4], [-1, 0]]))
    yield "flats_of_matrices", lambda: (reals(2, 3), np.array([[0, 4], [-7, 6]]))
    yield "over_indices", lambda: (reals(3, 4),)
    yield "over_indices", lambda: (reals(0, 4),)
    yield "of_iterators", lambda: (reals(3), 5)
    yield "of_iterators", lambda: (reals(3), 1)
    yield "compressed", lambda: (reals(3, 2), np.zeros((2, 2)))
    yield "compressed", lambda: (reals(3, 2), np.zeros((3, 2)))
    for k in ([1, 0, 2, 3], [0, 0, 0, 0], [1, -1, 0, 2], [1, 2]):
        yield "repeated_each", lambda k=k: (reals(4), np.array(k), reals(3, 4))
    yield "real_parts", lambda: (np.array([1 + 1e-20j, 2.0]),)
    yield "real_parts", lambda: (np.array([1 + 1j, 2.0]),)


CASES = list(cases())


@pytest.mark.parametrize("k", range(len(CASES)), ids=lambda k: f"{CASES[k][0]}-{k}")
def test_as_numpy(k, workshop):
    as_numpy.compare(*workshop.pair(SOURCE, "shapes"), *CASES[k])
