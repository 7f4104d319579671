"""Further forms of arguments: slices, lists of run time, arrays where one mostly gives numbers, `out`, and indices that are out of range.

Each function below runs both ways on the same arguments; the results, or the exceptions' types and words, agree.
"""

import numpy as np
import pytest

import as_numpy

SOURCE = '''
import numpy as np


#numptx export divisors(int64[:])
#numptx export divisors(uint8[:])
def divisors(x):
    return np.gcd.reduce(x), np.lcm.reduce(x), np.gcd.reduce(x, axis=None), np.gcd.reduce(x, keepdims=True), np.gcd.reduce(x, initial=12), np.lcm.reduce(x, initial=3)


#numptx export divisors_of_rows(int64[:,:], bool[:,:])
#numptx export divisors_of_rows(int16[:,:], bool[:,:])
def divisors_of_rows(x, m):
    return (
        np.gcd.reduce(x), np.gcd.reduce(x, axis=None), np.gcd.reduce(x, axis=(0, 1)), np.lcm.reduce(x, axis=1), np.gcd.reduce(x, axis=(0, 1), keepdims=True),
        np.gcd.reduce(x, axis=None, where=m, initial=0), np.gcd.reduce(x, axis=1, where=m, initial=0),
    )


#numptx export spaced(float64[:], float64[:], int)
#numptx export spaced(float32[:], float32[:], int)
#numptx export spaced(int64[:], int64[:], int)
#numptx export spaced(complex128[:], complex128[:], int)
def spaced(x, y, n):
    return (
        np.linspace(x, y, n), np.linspace(x, y, n, False), np.linspace(x, 2, n), np.linspace(1.5, y, n, axis=1), np.linspace(x, y, num=n, axis=-1), np.linspace([1, 2], y[0], n),
        np.linspace(x, y, n, dtype=np.complex64), np.linspace(x[:, None], y, n),
    )


#numptx export steps(float64[:], float64[:], int)
#numptx export steps(float32[:], float32[:], int)
def steps(x, y, n):
    return np.linspace(x, y, n, dtype=np.int32), np.linspace(x, y, 4, retstep=True), np.linspace(x, y, 1, retstep=True), np.linspace(x, y, n, retstep=True)


#numptx export steps_of_numbers(float, float)
def steps_of_numbers(a, b):
    return np.linspace(a, b, 0, retstep=True), np.linspace(a, b, 1, retstep=True), np.linspace(a, b, 1, False, True), np.linspace(a, b, 2, retstep=True)


#numptx export powers(float64[:], float64[:], int)
#numptx export powers(float32[:], float32[:], int)
#numptx export powers(int64[:], int64[:], int)
def powers(x, y, n):
    return np.logspace(x, y, n), np.logspace(x, y, n, axis=1), np.logspace(x, y, n, base=y + 3, axis=-1), np.logspace(0, y, n, base=y + 3), np.logspace(x, 2.0, n, False, 2.0, np.float32)


#numptx export multiples(float64[:], float64[:], int)
#numptx export multiples(float32[:], float32[:], int)
#numptx export multiples(int64[:], int64[:], int)
def multiples(x, y, n):
    return np.geomspace(x, y, n), np.geomspace(x, y, n, axis=1), np.geomspace(x, 2 * x, n, endpoint=False), np.geomspace(x, 4.0 * x, n, dtype=np.float32), np.geomspace(y, y * 8, n, dtype=np.int64)


#numptx export at(float64[:], int64[:])
#numptx export at(int64[:], int64[:])
def at(x, k):
    y = x.copy()
    np.negative.at(x, k)
    np.square.at(y, k)
    return x, y


#numptx export at_of_rows(float64[:,:], int64[:], bool[:,:])
def at_of_rows(x, k, m):
    y, z, w = x.copy(), x.copy(), x.copy()
    np.negative.at(x, (k, 1))
    np.absolute.at(y, m)
    np.sqrt.at(z, k)
    np.exp.at(w, 1)
    return x, y, z, w


#numptx export by_slice(float64[:,:], int, int, int)
def by_slice(x, a, b, c):
    return (
        np.delete(x, slice(a, b)), np.delete(x, slice(a, b, c), axis=0), np.delete(x, np.s_[a:b:c], 1), np.delete(x[0], slice(None, None, -1)), np.delete(x, slice(a), axis=-1),
        np.insert(x, slice(a, b), 7.0), np.insert(x, slice(a, b, c), x[:1], axis=0), np.insert(x, np.s_[:1], [5.0], axis=1),
    )


#numptx export index_values(float64[:,:], int)
def index_values(x, n):
    part, rest, all = np.s_[1:n, ::2], np.s_[n:], slice(None)
    y = x.copy()
    y[part] = 5.0
    y[rest] += 1.0
    for k in range(2):
        y[slice(k, k + 1), all] *= 2
    return x[part], x[rest], y, x[all, 0], x[np.index_exp[::2]], taken(x, np.s_[..., 0]), x[:, 0][slice(n)]


def taken(x, index):
    return x[index]


#numptx export taken_apart(float64[2,:], float64[:], int)
def taken_apart(x, v, n):
    return np.hypot(*x), np.hypot(*v.reshape(2, n)), np.maximum(*v[:2].reshape(2)), max(*x[:, 0]), np.array([*x[0:2, 0], 3.0])


#numptx export joined(float64[:], int)
def joined(x, n):
    out = []
    for i in range(n):
        out.append(x[:i + 1])
    return np.concatenate(out), np.hstack(out), np.concatenate(out, axis=None)


#numptx export joined_rows(float64[:], float64[:,:], int)
def joined_rows(x, y, n):
    out = []
    more = []
    for i in range(n):
        out.append(x * i)
        more.append(y[:i + 1])
    return np.vstack(out), np.column_stack(out), np.dstack(out), np.concatenate(out), np.vstack(more), np.concatenate(more), np.concatenate(more, axis=0)


#numptx export joined_columns(float64[:,:], int)
def joined_columns(y, n):
    out = []
    for i in range(n):
        out.append(y[:, :i + 1])
    return np.hstack(out), np.concatenate(out, axis=1), np.concatenate(out, -1), np.column_stack(out)


#numptx export joined_unlike(float64[:,:], int)
def joined_unlike(x, n):
    out = [x]
    for i in range(n):
        out.append(x[:, :i])
    return np.concatenate(out)


#numptx export joined_parts(float64[:,:])
def joined_parts(x):
    return np.concatenate(x), np.vstack(x), np.hstack(x), np.column_stack(x)


#numptx export filled(float64[:,:], float64[:])
#numptx export filled(int64[:,:], float64[:])
def filled(x, v):
    y, z, w, u = x.copy(), x.copy(), x.copy(), x.copy()
    np.fill_diagonal(y, 5, True)
    np.fill_diagonal(z, v, wrap=True)
    np.fill_diagonal(w, v)
    np.fill_diagonal(u, [1, 2])
    np.fill_diagonal(x, 7, wrap=False)
    return y, z, w, u, x


#numptx export filled_block(float64[:,:,:], float64[:])
def filled_block(x, v):
    y = x.copy()
    np.fill_diagonal(y, 5)
    np.fill_diagonal(x, v)
    return y, x


#numptx export without_nans(float64[:,:], float64[:])
#numptx export without_nans(float32[:,:], float32[:])
def without_nans(x, out):
    a, b, c = np.empty_like(out), np.empty_like(out), np.empty((), x.dtype)
    np.nanmedian(x, axis=0, out=a)
    np.nanvar(x, 0, None, b, 1)
    np.nanvar(x, out=c)
    d = np.nanstd(x, axis=0, out=out)
    return a, b, c, d, np.nanmedian(x, 0, out), np.nanstd(x, keepdims=True)


#numptx export inserted(float64[:,:], int64[:], int)
def inserted(x, k, n):
    return np.insert(x, n, 7, axis=1), np.insert(x, [n], 7), np.insert(x, k, 7, axis=1), np.insert(x, [n, 1], 7, axis=-1), np.delete(x, n, 0), np.delete(x, k, axis=1)


#numptx export inserted_at(float64[:], int64[:])
def inserted_at(x, k):
    return np.insert(x, k, 7)


#numptx export inserted_one(float64[:], int)
def inserted_one(x, n):
    return np.insert(x, n, 7)


#numptx export deleted_at(float64[:,:], int64[:])
def deleted_at(x, k):
    return np.delete(x, k, axis=1)


#numptx export inserted_values(float64[:,:], int64[:], float64[:,:])
def inserted_values(x, k, v):
    return np.insert(x[0], 1, v), np.insert(x[0], k, v)


#numptx export of_no_coefficients(int, float)
def of_no_coefficients(n, a):
    return np.polyval([], n), np.polyval(np.array([], int), a), np.polyval([], 2), np.polyval(np.zeros(0, int), n), np.polyval([], [n, 2])
'''

NAN = np.nan


def reals(*shape):
    return np.sin(np.arange(np.prod(shape, dtype=int)) * 1.7).reshape(shape)


def whole(dtype, *shape):
    return (np.arange(np.prod(shape, dtype=int)) * 37 % 11 * 6).astype(dtype).reshape(shape)


def cases():
    for n in (0, 1, 2, 5, 7):
        yield "divisors", lambda n=n: (whole(int, n),)
        yield "divisors", lambda n=n: (whole(np.uint8, n),)
    yield "divisors", lambda: (np.array([-4, 6, -(2**62)]),)
    yield "divisors", lambda: (whole(int, 9)[::-2],)
    for shape in ((2, 3), (3, 2), (1, 1), (0, 3), (3, 0), (5, 4)):
        yield "divisors_of_rows", lambda shape=shape: (whole(int, *shape), whole(int, *shape) > 12)
        yield "divisors_of_rows", lambda shape=shape: (np.asfortranarray(whole(np.int16, *shape)), whole(int, *shape) > 12)
    for n in (5, 1, 0, 2, -1):
        for dtype in (float, np.float32, int, complex):
            x, y = np.array([1, 3, -2]).astype(dtype), np.array([4, 3, 8]).astype(dtype)
            yield "spaced", lambda x=x, y=y, n=n: (x, y, n)
            yield "spaced", lambda x=x, y=y, n=n: (x[::2], y[:2], n)
            if dtype is complex:
                continue
            yield "powers", lambda x=x, y=y, n=n: (x, y, n)
            for z in (y, -y, 0 * y):
                yield "multiples", lambda x=x, z=z, n=n: (x, z, n)
            if dtype is not int:
                yield "steps", lambda x=x * dtype(1.7), y=y, n=n: (x, y, n)
    yield "steps_of_numbers", lambda: (0.5, 2.0)
    for k in ([], [0], [0, 0, 1], [-1, 2, 2, 2], [9]):
        yield "at", lambda k=k: (reals(4), np.array(k, int))
        yield "at", lambda k=k: (whole(int, 4), np.array(k, int))
    for k in ([], [0], [0, 0, 1]):
        yield "at_of_rows", lambda k=k: (reals(3, 4), np.array(k, int), reals(3, 4) > 0)
    for a, b, c in ((0, 2, 1), (1, 3, 2), (3, 0, -1), (-2, 9, 1), (2, 1, 1), (0, 0, 3), (5, -9, -2)):
        yield "by_slice", lambda a=a, b=b, c=c: (reals(3, 4), a, b, c)
        yield "by_slice", lambda a=a, b=b, c=c: (np.asfortranarray(reals(3, 4)), a, b, c)
    yield "by_slice", lambda: (reals(3, 4), 0, 2, 0)
    for n in (0, 2, 3, -1):
        yield "index_values", lambda n=n: (reals(3, 4), n)
    yield "taken_apart", lambda: (reals(2, 3), reals(8), 4)
    yield "taken_apart", lambda: (reals(2, 3), reals(8), 3)
    for n in (0, 1, 2, 4):
        yield "joined", lambda n=n: (reals(4), n)
        yield "joined_rows", lambda n=n: (reals(4), reals(3, 4), n)
        yield "joined_rows", lambda n=n: (reals(8)[::2], reals(3, 4)[::-1], n)
        yield "joined_columns", lambda n=n: (reals(3, 4), n)
        yield "joined_unlike", lambda n=n: (reals(3, 4), n)
    for shape in ((3, 4), (4, 1), (1, 3), (0, 2)):
        yield "joined_parts", lambda shape=shape: (reals(*shape),)
        yield "joined_parts", lambda shape=shape: (np.asfortranarray(reals(*shape)),)
    for shape in ((3, 4), (7, 3), (8, 2), (3, 3), (1, 4), (4, 1), (0, 2), (5, 0)):
        for v in ([1.5, 2.0], [3.0], [], [float(k) for k in range(10)]):
            yield "filled", lambda shape=shape, v=v: (reals(*shape), np.array(v))
            yield "filled", lambda shape=shape, v=v: (whole(int, *shape), np.array(v))
        yield "filled", lambda shape=shape: (np.asfortranarray(reals(*shape)), np.array([1.0, 2.0]))
    for shape in ((2, 2, 2), (3, 3, 3), (2, 3, 2), (1, 1, 1)):
        yield "filled_block", lambda shape=shape: (reals(*shape), np.array([1.0, 2.0]))
    for x in (np.array([[1.0, NAN, NAN], [2.0, 3.0, NAN], [7.0, NAN, NAN]]), reals(4, 3), reals(1, 3)):
        yield "without_nans", lambda x=x: (x, np.zeros(3))
        yield "without_nans", lambda x=x: (x.astype(np.float32), np.zeros(3, np.float32))
    yield "without_nans", lambda: (reals(4, 3), np.zeros(2))
    for n in (0, 4, 5, -5, -4, 12, -13):
        yield "inserted_one", lambda n=n: (reals(4), n)
    for k in ([4], [5], [-5], [1, 5], [-5, 1], [1, 4], [6, 1, 9], [-9, 1, 5], [-5, -5, -5], [-6, 4], []):
        yield "inserted_at", lambda k=k: (reals(4), np.array(k, int))
        yield "deleted_at", lambda k=k: (reals(3, 4), np.array(k, int))
        yield "inserted", lambda k=k: (reals(3, 4), np.array(k, int), len(k))
    for k in ([1], [0, 2], []):
        for shape in ((1, 1), (1, 2), (2, 1), (1, 3), (2, 2), (1, 0)):
            yield "inserted_values", lambda k=k, shape=shape: (reals(3, 4), np.array(k, int), reals(*shape))
    yield "of_no_coefficients", lambda: (3, 2.5)


CASES = list(cases())
# NumPy's words name shapes otherwise.
OTHER_WORDS = ("broadcast", "negative dimensions", "reshape")


@pytest.mark.parametrize("k", range(len(CASES)), ids=lambda k: f"{CASES[k][0]}-{k}")
def test_as_numpy(k, workshop):
    as_numpy.compare(*workshop.pair(SOURCE, "forms"), *CASES[k], words=OTHER_WORDS)
