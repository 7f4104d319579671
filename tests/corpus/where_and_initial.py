"""`where=` and `initial=` of reductions, `where=` and `casting=` of ufuncs: which elements count, and what is left as it was."""

import numpy as np


#numptx export sums(float64[:,:], bool[:,:])
# run: sums(arange(12.0).reshape(3, 4), arange(12).reshape(3, 4) % 3 == 0)
# run: sums(array([[inf, -0.0, nan], [1.0, -inf, 2.0]]), array([[True, True, False], [True, False, True]]))
# run: sums(array([[inf, -0.0, nan], [1.0, -inf, 2.0]]), array([[True, False, True]]))
# run: sums(array([[inf, -0.0, nan], [1.0, -inf, 2.0]]).T[::-1], array([[False, True]]))
# run: sums(ones((2, 3)), zeros((2, 3), dtype=bool))
# run: sums(zeros((0, 3)), zeros((0, 3), dtype=bool))
# run: sums(zeros((2, 0)), zeros((2, 0), dtype=bool))
# run: sums(ones((2, 1)), ones((2, 3), dtype=bool))
# run: sums(arange(12.0).reshape(3, 4), (arange(12).reshape(4, 3) % 2 == 0).T)
def sums(x, mask):
    return np.sum(x, where=mask), np.sum(x, axis=0, where=mask), x.sum(axis=1, where=mask, keepdims=True), np.prod(x, 1, where=mask)


#numptx export means(float64[:,:], bool[:])
# run: means(arange(12.0).reshape(3, 4), array([True, False, True, True]))
# run: means(arange(12.0).reshape(3, 4), array([False, False, False, False]))
# run: means(array([[1.0, nan], [3.0, inf]]), array([True, False]))
# run: means(array([[1.0, nan], [3.0, inf]])[::-1], array([False, True]))
# run: means(zeros((0, 3)), array([True, False, True]))
# run: means(arange(12.0).reshape(4, 3).T, array([True]))
def means(x, mask):
    return np.mean(x, where=mask), x.mean(axis=0, where=mask), np.var(x, axis=1, where=mask), x.std(where=mask, ddof=1)


#numptx export truths(int64[:,:], bool[:,:])
# run: truths(arange(6).reshape(2, 3) % 2, array([[True, False, True], [False, False, False]]))
# run: truths(arange(6).reshape(2, 3), array([[True], [False]]))
# run: truths(zeros((0, 2), dtype=int64), array([[True, False]]))
def truths(x, mask):
    return np.any(x, where=mask), np.all(x, axis=1, where=mask), x.any(axis=0, where=mask), np.all(x > 0, where=mask)


#numptx export extrema(float64[:,:], bool[:,:], float)
# run: extrema(arange(12.0).reshape(3, 4), arange(12).reshape(3, 4) % 3 == 0, 4.0)
# run: extrema(array([[inf, -0.0, nan], [1.0, -inf, 2.0]]), array([[True, True, False], [True, False, True]]), 0.0)
# run: extrema(array([[inf, -0.0, nan], [1.0, -inf, 2.0]]), array([[True, True, True]]), nan)
# run: extrema(ones((2, 3)), zeros((2, 3), dtype=bool), -inf)
# run: extrema(zeros((0, 3)), zeros((0, 3), dtype=bool), 7.5)
# run: extrema(zeros((2, 0)), zeros((2, 0), dtype=bool), -7.5)
def extrema(x, mask, start):
    return (
        np.max(x, where=mask, initial=start),
        x.min(axis=0, where=mask, initial=start),
        np.max(x, axis=1, initial=-np.inf),
        np.amin(x, initial=start, keepdims=True),
    )


#numptx export constant_initial(float64[:])
# run: constant_initial(arange(5.0))
# run: constant_initial(zeros(0))
# run: constant_initial(array([nan, 1.0]))
def constant_initial(x):
    return np.max(x, initial=0.0), np.sum(x, initial=10), np.sum(x, where=x > 1, initial=-1.5)


#numptx export of_one_launch(float64[:,:], bool[:,:])
# run: of_one_launch(arange(12.0).reshape(3, 4), arange(12).reshape(3, 4) % 3 == 0)
# structure: launches=1 allocs=1
def of_one_launch(x, mask):
    return np.max(x * 2, axis=1, initial=0.5, where=mask & (x > 1))


#numptx export without_first(float64[:])
# run: without_first(arange(5.0))
# run: without_first(zeros(0))
def without_first(x):
    return np.sum(x, initial=None)


#numptx export product_of_first(float64[:])
# run: product_of_first(zeros(0))
def product_of_first(x):
    return x.prod(initial=None)


#numptx export of_integers(uint8[:], int)
# run: of_integers(arange(5).astype(uint8), 3)
# run: of_integers(arange(5).astype(uint8), -3)
# run: of_integers(arange(5).astype(uint8), 300)
# run: of_integers(arange(0).astype(uint8), 255)
def of_integers(x, n):
    return np.sum(x, initial=n), np.max(x, initial=n), np.min(x, where=x > 2, initial=n)


#numptx export of_other_kinds(int8[:], bool[:], int64)
# run: of_other_kinds(arange(5).astype(int8), arange(5) % 2 == 0, int64(300))
# run: of_other_kinds(arange(5).astype(int8), arange(5) % 2 == 0, int64(30))
# run: of_other_kinds(arange(0).astype(int8), zeros(0, dtype=bool), int64(-5))
def of_other_kinds(x, b, n):
    return (
        np.sum(x, initial=2.9, where=b),
        np.max(x, initial=n),
        np.max(b, initial=True),
        np.min(b, initial=False),
        np.sum(b, initial=2),
        np.sum(x, dtype=np.float32, initial=1e40),
        np.prod(x, where=b, initial=3, dtype=np.int8),
    )


#numptx export flags(float64[:], bool)
# run: flags(arange(4.0), True)
# run: flags(arange(4.0), False)
def flags(x, flag):
    return np.sum(x, where=flag), np.max(x, where=flag, initial=1.0), np.mean(x, where=True), np.sum(x, where=[True, False, True, False])


#numptx export into(float64[:,:], bool[:,:], float32[:])
# run: into(arange(6.0).reshape(2, 3), arange(6).reshape(2, 3) % 2 == 0, zeros(3, dtype=float32))
# run: into(arange(6.0).reshape(2, 3), arange(6).reshape(2, 3) % 2 == 0, zeros(2, dtype=float32))
def into(x, mask, out):
    return np.sum(x, axis=0, where=mask, initial=0.5, out=out)


#numptx export reduce_method(float64[:,:], bool[:,:])
# run: reduce_method(arange(6.0).reshape(2, 3), arange(6).reshape(2, 3) % 2 == 0)
# run: reduce_method(zeros((0, 3)), ones((0, 3), dtype=bool))
def reduce_method(x, mask):
    return (
        np.add.reduce(x, where=mask),
        np.maximum.reduce(x, axis=1, where=mask, initial=-1.0),
        np.multiply.reduce(x, axis=None, initial=2.0),
    )


#numptx export added(float64[:,:], float64[:,:], bool[:,:], float64[:,:])
# run: added(arange(6.0).reshape(2, 3), ones((2, 3)), arange(6).reshape(2, 3) % 2 == 0, full((2, 3), nan))
# structure: launches=1 allocs=0
# run: added(arange(6.0).reshape(2, 3), ones((1, 3)), array([[True], [False]]), full((2, 3), -0.0))
# run: added(arange(3.0).reshape(1, 3), ones((1, 3)), array([[True], [False]]), zeros((2, 3)))
# run: added(arange(3.0).reshape(1, 3), ones((1, 3)), array([[True, False, True]]), zeros((2, 3)))
# run: added(arange(6.0).reshape(2, 3), ones((1, 3)), array([[True], [False]]), zeros((1, 3)))
# run: x = arange(9.0).reshape(3, 3); added(x, x.T, x % 2 == 0, x)
# run: x = arange(12.0).reshape(4, 3); added(x[1:], x[:-1], x[1:] % 2 == 0, x[1:])
# run: x = arange(12.0).reshape(4, 3); added(x[:-1], x[:-1], x[1:] % 2 == 0, x[1:])
# run: added(zeros((0, 3)), zeros((0, 3)), zeros((0, 3), dtype=bool), zeros((0, 3)))
def added(x, y, mask, out):
    return np.add(x, y, out=out, where=mask)


#numptx export quotients(int64[:], int64[:], bool[:], int64[:], int64[:])
# run: quotients(array([7, -7, 3, -9223372036854775808]), array([2, 2, 0, -1]), array([True, True, False, True]), zeros(4, dtype=int64), ones(4, dtype=int64))
# run: a = arange(4); quotients(a, ones(4, dtype=int64), a % 2 == 0, a, ones(4, dtype=int64))
def quotients(x, y, mask, q, r):
    np.divmod(x, y, out=(q, r), where=mask)
    np.negative(x, out=q, where=q > 1)
    return q, r


#numptx export safe_division(float64[:], float64[:])
# run: safe_division(array([1.0, -2.0, 0.0, nan]), array([0.0, 4.0, 0.0, inf]))
# structure: launches=2 allocs=1 copies=0
def safe_division(x, y):
    return np.divide(x, y, out=np.zeros_like(x), where=y != 0)


#numptx export scalars(float64, int64[:], bool)
# run: scalars(2.5, zeros(3, dtype=int64), True)
# run: scalars(2.5, zeros(3, dtype=int64), False)
def scalars(a, out, flag):
    np.floor(a, out=out, where=flag, casting="unsafe")
    return np.add(a, 1, where=True), out


#numptx export castings(float64[:], int32[:], float32[:])
# run: castings(array([1.7, -2.7, 3.0]), arange(3).astype(int32), zeros(3, dtype=float32))
def castings(x, n, out):
    return (
        np.add(x, x, casting="no"),
        np.add(x, n, casting="safe"),
        np.add(x, 2, casting="no"),
        np.add(x, x, casting="equiv"),
        np.add(x, n, casting="unsafe", dtype=np.int64),
        np.multiply(x, 1.6, casting="unsafe", dtype=np.int8),
        np.sqrt(n, dtype=np.float32, casting="same_kind"),
        np.add(x, 1, out=out),
        np.logical_and(x, n, casting="unsafe"),
    )


#numptx export begun(float64[:,:], float, bool[:,:])
# run: begun(zeros((0, 3)), -0.0, ones((0, 3), dtype=bool))
# run: begun(zeros((3, 0)), -0.0, ones((3, 0), dtype=bool))
# run: begun(zeros((3, 2)), -0.0, ones((3, 2), dtype=bool))
# run: begun(-zeros((3, 2)), -0.0, ones((3, 2), dtype=bool))
# run: begun(-zeros((3, 2)), 0.0, ones((3, 2), dtype=bool))
# run: begun(zeros((3, 2)), -0.0, zeros((3, 2), dtype=bool))
# run: begun(array([[1.0, -0.0], [-1.0, -0.0], [-0.0, -0.0]]), -0.0, array([[True, True], [True, True], [True, False]]))
# run: begun(array([[1.0, -0.0], [nan, -0.0], [-0.0, 0.0]]), -0.0, array([[False, True], [False, True], [True, False]]))
# run: begun(random((40, 30)), -0.0, ones((40, 30), dtype=bool))
def begun(x, start, mask):
    first = np.sum(x, initial=start), np.sum(x, axis=0, initial=start), np.sum(x, axis=1, initial=-0.0)
    second = np.sum(x, axis=0, initial=start, where=mask), np.nansum(x, axis=1, initial=start)
    return first, second, np.sum(x, axis=(), initial=start), np.prod(x, axis=0, initial=start)


#numptx export begun_of_two_parts(complex128[:], complex)
# run: begun_of_two_parts(zeros(0, dtype=complex128), complex(-0.0, -0.0))
# run: begun_of_two_parts(zeros(0, dtype=complex128), complex(-0.0, 0.0))
# run: begun_of_two_parts(-zeros(3, dtype=complex128), complex(-0.0, -0.0))
# run: begun_of_two_parts(array([complex(-0.0, 0.0), complex(-0.0, -0.0)]), complex(-0.0, -0.0))
# run: begun_of_two_parts(array([complex(-0.0, 2.0), complex(-1.0, -0.0)]), complex(-0.0, -0.0))
def begun_of_two_parts(z, start):
    return np.sum(z, initial=start), np.sum(z, initial=-0.0)


#numptx export begun_in_single(float32[:], float)
# run: begun_in_single(zeros(0, dtype=float32), -0.0)
# run: begun_in_single(-zeros(2, dtype=float32), -0.0)
# run: begun_in_single(-zeros(2, dtype=float32), 1.5)
def begun_in_single(x, start):
    out = np.ones((), np.float32)
    np.sum(x, initial=start, out=out)
    return np.sum(x, initial=start), np.add.reduce(x, initial=start), out
