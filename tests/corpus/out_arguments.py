"""`out=`: ufuncs, reductions, running totals and products that write where they are told, over what they read as well."""

import numpy as np


#numptx export add(float64[::], float64[::], float64[::])
# run: add(arange(9.0), ones(9), zeros(9))
# structure: launches==1 allocs==0 copies==0
# run: add(arange(9.0), ones(1), zeros(9))
# run: add(array([]), array([]), array([]))
# run: add(arange(9.0), ones(9), zeros(8))
# run: add(arange(9.0), ones(9), zeros(1))
# run: x = arange(9.0); add(x[1:], x[:-1], x[1:])
# run: x = arange(9.0); add(x[1:], x[:-1], x[:-1])
# run: x = arange(9.0); add(x, x[::-1], x)
# run: x = arange(9.0); add(x, x, x)
# run: x = arange(17.0); add(x[::2], x[::-2], x[:9])
def add(x, y, z):
    return np.add(x, y, out=z)


#numptx export add_by_position(float64[::,::], float64[::], float64[::,::,::])
# run: add_by_position(random((3, 4)), random(4), zeros((2, 3, 4)))
# run: add_by_position(random((3, 4)), random(4), zeros((4, 3, 2)).T)
# run: add_by_position(random((3, 1)), random(4), zeros((1, 3, 4)))
# run: add_by_position(random((3, 4)), random(4), zeros((2, 1, 4)))
def add_by_position(x, y, z):
    return np.add(x, y, z)


#numptx export shifted(float64[:])
# run: shifted(arange(9.0))
# run: shifted(arange(1.0))
def shifted(x):
    r = np.add(x[:-1], x[1:], out=x[1:])
    np.multiply(x, x[::-1], out=x)
    return r


#numptx export identity(float64[:], float64[:])
# run: identity(arange(3.0), zeros(3))
def identity(x, y):
    r = np.sin(x, y)
    q = np.sqrt(r, out=(r,))
    return r, q, y


#numptx export narrowed(float64[:], int8[:], float32[:], int64[:], bool[:])
# run: narrowed(arange(3.0), array([100, -3, 7], int8), zeros(3, float32), zeros(3, int64), zeros(3, bool))
def narrowed(x, i, f, n, b):
    np.add(x, x, out=f)
    np.add(i, i, out=n)
    np.less(x, 1, out=b)
    np.multiply(f, i, out=f)
    return np.less(x, 2, f), np.divide(i, 4, out=x), np.add(i, 1, out=n, dtype=np.int16)


#numptx export of_scalars(float64[:,:], float64)
# run: of_scalars(zeros((2, 3)), 2.0)
def of_scalars(z, s):
    np.sqrt(s, out=z[0])
    np.add(1, 2, out=z[1, ...])
    return z


#numptx export two_results(float64[:], float64[:], float64[:])
# run: two_results(arange(7.0), zeros(7), zeros(7))
# structure: launches==2 allocs==0 copies==0
# run: x = arange(7.0); two_results(x, x, zeros(7))
# run: x = arange(7.0); two_results(x, zeros(7), x)
# run: x = arange(8.0); two_results(x[:-1], x[1:], zeros(7))
def two_results(x, q, r):
    return np.divmod(x, 2, out=(q, r))


#numptx export two_results_in_part(float64[:], float64[:])
# run: two_results_in_part(arange(7.0) / 3, zeros(7))
def two_results_in_part(x, y):
    a, b = np.modf(x, out=(None, y))
    c, d = np.modf(x, y)
    e, f = np.divmod(x, 0.5, y, x)
    return a, b, c, d, e, f


#numptx export mantissas(float64[:], float64[:], int32[:], int64[:])
# run: mantissas(array([1.5, -3.0, 0.0, inf]), zeros(4), zeros(4, int32), zeros(4, int64))
def mantissas(x, m, e, n):
    np.frexp(x, m, e)
    return np.frexp(x, out=(m, n))


#numptx export sums(float64[::,::], float64[::])
# run: sums(random((4, 3)), zeros(3))
# structure: launches==1 allocs==0 copies==0
# run: sums(random((4, 3)), zeros(6)[::-2])
# run: sums(zeros((0, 3)), ones(3))
# run: sums(zeros((3, 0)), ones(0))
# run: sums(random((4, 3)), zeros(4))
# run: x = random((3, 4)); sums(x.T, x[:, 1])
# run: x = random((4, 3)); sums(x, x[0])
# run: x = random((4, 3)); sums(x, x[::-1][0, ::-1])
def sums(x, y):
    return np.sum(x, axis=0, out=y)


#numptx export assigned(float64[:,:], float64[:], float64[:,:])
# run: assigned(random((4, 3)), zeros(3), zeros((4, 3)))
# run: assigned(zeros((0, 3)), zeros(3), zeros((0, 3)))
def assigned(x, y, z):
    y[:] = x.sum(axis=0)
    z[...] = np.cumsum(x, axis=1)
    z[0:, :2] = np.maximum.accumulate(x[:, 1:], axis=0)


#numptx export kept(float64[:,:], float64[:,:])
# run: kept(random((4, 3)), zeros((4, 1)))
# structure: launches==1 allocs==0 copies==0
# run: x = random((4, 3)); kept(x, x[:, 1:2])
# run: kept(random((4, 3)), zeros((4, 2)))
def kept(x, y):
    return np.max(x, axis=1, keepdims=True, out=y)


#numptx export typed_reductions(float64[:], int8[:], int64[:], float32[:], bool[:], int8[:])
# run: typed_reductions(array([1.5, 2.5, 3.5]), array([100, 100, 100], int8), zeros(6, int64), zeros(8, float32), zeros(3, bool), zeros(3, int8))
def typed_reductions(x, i, n, f, b, c):
    np.sum(x, out=n[0, ...])
    np.sum(i, out=f[0, ...])
    np.prod(i, out=c[0, ...])
    np.sum(i, dtype=np.int64, out=c[1, ...])
    np.max(x, out=n[1, ...])
    i.min(out=f[1, ...])
    np.any(x, out=f[2, ...])
    np.all(x, out=b[0, ...])
    np.argmax(x, out=n[2, ...])
    np.argmin(x, out=b[1, ...])
    np.mean(x, out=f[3, ...])
    np.mean(x, out=n[3, ...])
    np.var(x, out=n[4, ...])
    np.std(x, out=f[4, ...])
    np.ptp(x, out=f[5, ...])
    np.nansum(x, out=n[5, ...])
    np.nanmax(x, out=f[6, ...])
    return np.sum(x, out=f[7, ...])


#numptx export extremes(float64[:,:], float32[:], int64[:], int32[:])
# run: extremes(random((4, 3)), zeros(3, float32), zeros(3, int64), zeros(3, int32))
# run: extremes(zeros((0, 3)), zeros(3, float32), zeros(3, int64), zeros(3, int32))
def extremes(x, f, n, m):
    x.max(axis=0, out=f)
    np.argmax(x, axis=0, out=n)
    return x.argmin(0, m), x.mean(axis=0, out=f)


#numptx export spread(float64[:,:], float64[:])
# run: spread(random((4, 3)), zeros(3))
# run: x = random((4, 3)); spread(x, x[2])
def spread(x, y):
    np.std(x, axis=0, out=y)
    r = np.var(x, axis=0, out=y, ddof=1)
    return r, np.ptp(x, axis=0, out=y)


#numptx export totals(float64[::], float64[::])
# run: totals(arange(9.0), zeros(9))
# structure: launches==1 allocs==0 copies==0
# run: x = arange(9.0); totals(x, x)
# run: x = arange(9.0); totals(x[:-1], x[1:])
# run: x = arange(9.0); totals(x[1:], x[:-1])
# run: x = arange(9.0); totals(x, x[::-1])
# run: x = ones(200001); totals(x[:-1], x[1:])
# run: x = ones(200001); totals(x, x)
# run: totals(arange(9.0), zeros(8))
# run: totals(array([]), array([]))
def totals(x, y):
    return np.cumsum(x, out=y)


#numptx export totals_of_itself(float64[:])
# run: totals_of_itself(arange(9.0))
# structure: launches==2 allocs==1
def totals_of_itself(x):
    np.cumsum(x[:-1], out=x[1:])


#numptx export totals_in_place(float64[:,:])
# run: totals_in_place(random((3, 4)))
# structure: launches==2 allocs==0 copies==0
def totals_in_place(x):
    np.cumsum(x, axis=0, out=x)
    return x.cumprod(1, out=x)


#numptx export totals_turned(float64[:,:])
# run: totals_turned(random((4, 4)))
def totals_turned(x):
    return np.cumsum(x, axis=0, out=x.T)


#numptx export typed_totals(float64[:], int8[:], int64[:], int16[:], float32[:], int8[:], bool[:])
# run: typed_totals(array([1.5, 2.5, 3.5]), full(3, 100, int8), zeros(3, int64), zeros(3, int16), zeros(3, float32), zeros(3, int8), zeros(3, bool))
def typed_totals(x, i, n, h, f, c, b):
    r = np.cumsum(x, out=n).copy(), np.cumsum(i, out=h).copy(), np.cumsum(i, out=c).copy(), np.cumsum(i, out=b).copy()
    s = np.maximum.accumulate(x, out=n).copy(), np.add.accumulate(i, 0, None, h).copy()
    t = np.logical_and.accumulate(x, out=f).copy(), np.cumsum(i, dtype=np.int64, out=f).copy()
    return r, s, t, np.nancumsum(x, out=f), np.cumulative_sum(x, out=n)


#numptx export from_initial(float64[:], float64[:], float64[:,:], float64[:,:])
# run: from_initial(random(3), zeros(4), random((2, 3)), zeros((3, 3)))
# run: from_initial(random(3), zeros(3), random((2, 3)), zeros((3, 3)))
# run: x = arange(4.0); from_initial(x[:-1], x, random((2, 3)), zeros((3, 3)))
def from_initial(x, y, a, b):
    np.cumulative_prod(a, axis=0, include_initial=True, out=b)
    return np.cumulative_sum(x, include_initial=True, out=y)


#numptx export products(float64[:,:], float64[:], float64[:], float64[:,:])
# run: products(random((3, 4)), random(4), zeros(3), zeros((3, 3)))
# structure: launches==2 allocs==0 copies==0
# run: products(random((3, 4)), random(4), zeros(4), zeros((3, 3)))
# run: products(random((3, 4)), random(4), zeros(3), zeros((1, 3)))
def products(a, x, y, c):
    np.dot(a, a.T, out=c)
    return np.matmul(a, x, out=y)


#numptx export products_over_factors(float64[:,:])
# run: products_over_factors(random((3, 3)))
def products_over_factors(a):
    np.dot(a, a, out=a)
    return np.matmul(a, a.T, a)


#numptx export stacked(float64[:,:], float32[:,:,:], float64[:])
# run: stacked(random((3, 3)), zeros((2, 3, 3), float32), random(3))
def stacked(a, c, x):
    return np.matmul(a, a, out=c), np.dot(x, x, out=x[0, ...]), x


#numptx export limited(float64[::], float64[::])
# run: limited(arange(6.0) / 4, zeros(6))
# structure: launches==2 allocs==0 copies==0
# run: x = arange(7.0) / 4; limited(x[1:], x[:-1])
# run: x = arange(7.0) / 4; limited(x, x)
def limited(x, y):
    np.round(x, 1, out=y)
    return np.clip(x, 0.3, 1.1, out=y)


#numptx export rounded(float64[::,::], float64[::,::], float32[:,:])
# run: rounded(arange(6.0).reshape(2, 3) / 7, zeros((2, 3)), zeros((2, 3), float32))
# run: rounded(arange(6.0).reshape(2, 3) / 7, zeros((3, 2)).T, zeros((2, 3), float32))
# run: rounded(ones((1, 1)), zeros((2, 3)), zeros((1, 1), float32))
# run: rounded(ones((1, 1)), zeros((0, 3)), zeros((1, 1), float32))
# run: rounded(ones((3, 1)), zeros((1, 3)), zeros((3, 1), float32))
# run: rounded(zeros((0, 3)), zeros((0, 3)), zeros((0, 3), float32))
# run: rounded(random((20, 30)), zeros((20, 30)), zeros((20, 30), float32))
def rounded(x, y, f):
    np.round(x, 2, out=f)
    return x.round(1, y), np.round(x[0], out=y[:1])


#numptx export rounded_integers(int64[:], int64[:,:])
# run: rounded_integers(arange(3), zeros((1, 3), int64))
# run: rounded_integers(arange(1), zeros((2, 3), int64))
def rounded_integers(x, y):
    return np.round(x, 1, out=y)


#numptx export dot_into(float64[::,::], float64[::,::], float64[::,::])
# run: dot_into(random((3, 4)), random((4, 2)), zeros((3, 2)))
# run: dot_into(random((3, 4)), random((4, 2)), zeros((2, 3)).T)
# run: dot_into(random((3, 4)), random((4, 2)), zeros((6, 2))[::2])
# run: dot_into(random((3, 4)), random((4, 2)), zeros((3, 4))[:, ::2])
# run: dot_into(random((1, 4)), random((4, 2)), zeros((3, 2))[::3])
# run: dot_into(random((3, 4)), random((4, 1)), zeros((3, 2))[:, ::2])
# run: dot_into(random((0, 4)), random((4, 2)), zeros((0, 4))[:, ::2])
# run: dot_into(random((3, 4)), random((4, 2)), zeros((3, 3)))
# run: dot_into(random((3, 0)), random((0, 2)), ones((3, 2)))
def dot_into(a, b, c):
    return np.dot(a, b, out=c)


#numptx export scaled_into(float64[:], float64[::])
# run: scaled_into(arange(3.0), zeros(3))
# run: scaled_into(arange(3.0), zeros(6)[::2])
# run: scaled_into(arange(1.0), zeros(3))
def scaled_into(x, y):
    return np.dot(2.0, x, out=y), np.dot(x, 0.5, out=y)


#numptx export by_methods(float64[:], float64[:])
# run: by_methods(arange(6.0) / 4, zeros(6))
def by_methods(x, y):
    x.clip(0.5, 1, y)
    return y.round(0, x), np.outer(x, y, out=np.zeros((6, 6)))


#numptx export in_a_loop(float64[:,:], float64[:], int)
# run: in_a_loop(random((5, 4)), zeros(4), 3)
def in_a_loop(x, y, n):
    for k in range(n):
        np.sum(x[k:], axis=0, out=y)
        np.add(x[k], y, out=x[k])
        np.cumsum(x, axis=1, out=x)
    return x
