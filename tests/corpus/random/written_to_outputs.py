"""`out=` of draws: the array is the result, numbers are drawn in the order of its memory, and NumPy's checks come before the draw."""

import numpy as np


#numptx export vectors(Generator, float64[:], int)
# run: vectors(np.random.default_rng(1), zeros(3), 3)
# run: vectors(np.random.default_rng(1), zeros(0), 0)
# run: y = zeros(6); vectors(np.random.default_rng(1), y[1:4], 3)
# run: vectors(np.random.default_rng(1), zeros(3), 4)
# run: vectors(np.random.default_rng(1), zeros(3), -1)
# run: vectors(np.random.default_rng(1), zeros(6)[::2], 3)
# run: vectors(np.random.default_rng(1), zeros(6)[::-1], 6)
# run: vectors(np.random.default_rng(1), zeros(2)[::2], 1)
# tolerance: 0
def vectors(rng, y, n):
    return rng.random(n, out=y), rng.random()


#numptx export matrices(Generator, float64[:,:], int)
# run: matrices(np.random.default_rng(1), zeros((2, 3)), 0)
# run: matrices(np.random.default_rng(1), zeros((3, 2)).T, 1)
# run: matrices(np.random.default_rng(1), zeros((3, 2)).T, 2)
# run: matrices(np.random.default_rng(1), zeros((2, 3)), 3)
# run: matrices(np.random.default_rng(1), zeros((1, 3)).T, 3)
# run: matrices(np.random.default_rng(1), zeros((0, 3)), 2)
# run: matrices(np.random.default_rng(1), zeros((2, 6))[:, ::2], 0)
# run: matrices(np.random.default_rng(1), zeros((3, 2)).T, 4)
# tolerance: 0
def matrices(rng, y, which):
    if which == 0:
        z = rng.random(out=y)
    elif which == 1:
        z = rng.standard_normal(out=y)
    elif which == 2:
        z = rng.standard_exponential(out=y)
    elif which == 3:
        z = rng.standard_exponential(y.shape, method="inv", out=y)
    else:
        z = rng.standard_gamma(2.5, out=y)
    z[0] += 1.0
    return y, rng.random()


#numptx export shapes(Generator, float64[:,:], float64[:], int)
# run: shapes(np.random.default_rng(1), zeros((2, 3)), array([0.5, 1.0, 4.0]), 2)
# run: shapes(np.random.default_rng(1), zeros((2, 3)), array([2.0]), 2)
# run: shapes(np.random.default_rng(1), zeros((0, 3)), array([0.5, 1.0, 4.0]), 0)
# run: shapes(np.random.default_rng(1), zeros((2, 3)), array([0.5, -1.0, 4.0]), 2)
# run: shapes(np.random.default_rng(1), zeros((2, 3)), array([0.5, 1.0, 4.0]), 3)
# run: shapes(np.random.default_rng(1), zeros((3, 2)).T, array([0.5, 1.0, 4.0]), 2)
# tolerance: 0
def shapes(rng, y, a, n):
    rng.standard_gamma(a, out=y)
    return y.copy(), rng.standard_gamma(a, (n, 3), out=y)


#numptx export singles(Generator, float32[:,:])
# run: singles(np.random.default_rng(1), zeros((2, 3), float32))
# run: singles(np.random.default_rng(1), zeros((3, 2), float32).T[:, :1])
# tolerance: 0
def singles(rng, y):
    rng.random(None, np.float32, y)
    a = y.copy()
    rng.standard_normal(out=y, dtype=np.float32)
    b = y.copy()
    rng.standard_exponential(y.shape, np.float32, "zig", y)
    c = y.copy()
    return a, b, c, rng.standard_gamma(1.5, out=y, dtype=np.float32)


#numptx export of_another_dtype(Generator, int, float64[:], float32[:], int64[:])
# run: of_another_dtype(np.random.default_rng(1), 0, zeros(3), zeros(3, float32), zeros(3, int64))
# run: of_another_dtype(np.random.default_rng(1), 1, zeros(3), zeros(3, float32), zeros(3, int64))
# run: of_another_dtype(np.random.default_rng(1), 2, zeros(3), zeros(3, float32), zeros(3, int64))
# run: of_another_dtype(np.random.default_rng(1), 0, zeros(3), zeros(6, float32)[::2], zeros(3, int64))
# tolerance: 0
def of_another_dtype(rng, which, x, y, k):
    if which == 0:
        return rng.random(out=y)
    if which == 1:
        return rng.standard_normal(out=x, dtype=np.float32)
    if which == 2:
        return rng.standard_gamma(1.0, 4, out=k)
    return x


#numptx export made_here(Generator)
# run: made_here(np.random.default_rng(1))
# tolerance: 0
def made_here(rng):
    return rng.random(out=np.empty(())), rng.random((), out=np.empty(())), rng.random(out=np.empty((2, 3), order="F")), rng.random((2, 1), out=np.empty((2, 1)))


#numptx export many(Generator, float64[:,:])
# run: many(np.random.default_rng(1), zeros((70, 70)))
# run: many(np.random.Generator(np.random.Philox(1)), zeros((70, 70)).T)
# tolerance: 0
def many(rng, y):
    rng.random(out=y)
    return y, rng.random()


#numptx export permuted(Generator, float64[:,:], float64[:,:])
# run: permuted(np.random.default_rng(1), random((3, 4)), zeros((3, 4)))
# run: permuted(np.random.default_rng(1), random((3, 4)), zeros((4, 3)).T)
# run: permuted(np.random.default_rng(1), random((4, 3)).T, zeros((3, 8))[:, ::-2])
# run: permuted(np.random.default_rng(1), zeros((0, 4)), zeros((0, 4)))
# run: permuted(np.random.default_rng(1), random((3, 4)), zeros((4, 3)))
# run: x = random((3, 4)); permuted(np.random.default_rng(1), x, x)
# tolerance: 0
def permuted(rng, x, y):
    a = rng.permuted(x, axis=1), rng.permuted(x, axis=0), rng.permuted(x)
    b = rng.permuted(x, axis=-1, out=y).copy()
    return a, b, rng.permuted(y, axis=0, out=y), rng.permuted(x[0], out=np.empty(x.shape[1], np.complex128))
