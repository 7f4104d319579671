"""Differences, derivatives, integrals and polynomials: keywords, dtypes and errors.

Each function below runs compiled and plain on the same arguments.
"""

import re

import numpy as np
import pytest

import as_numpy

SOURCE = """
import numpy as np
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre
from numpy.polynomial import polynomial as powers


#numptx export differences(float64[:,:], float64[:])
#numptx export differences(int32[:,:], float64[:])
def differences(x, v):
    return np.diff(x, prepend=0), np.diff(x, axis=0, append=x), np.diff(x, 2, 0, v[None, :x.shape[1]], 7.5), np.diff(v, 0, append=1), np.ediff1d(v, 1, x), np.ediff1d(v)


#numptx export slopes(float64[:,:], float64[:])
def slopes(x, v):
    return np.gradient(x, 0.5, v)


#numptx export gradients(float64[:,:], float64, float64[:], float64[:])
#numptx export gradients(float32[:,:], float64, float64[:], float64[:])
#numptx export gradients(int64[:,:], float64, float64[:], float64[:])
#numptx export gradients(complex128[:,:], float64, float64[:], float64[:])
def gradients(x, h, u, v):
    return np.gradient(x), np.gradient(x, h), np.gradient(x, u, h), np.gradient(x, v, axis=1), np.gradient(x, edge_order=2), np.gradient(x, u, v, edge_order=2), np.gradient(x[0], [0.0, 1.0, 3.0, 4.0])


#numptx export integrals(float64[:,:], float64[:])
#numptx export integrals(float32[:,:], float64[:])
#numptx export integrals(int64[:,:], float64[:])
def integrals(y, x):
    return np.trapezoid(y), np.trapezoid(y, x), np.trapezoid(y, y, axis=0), np.trapezoid(y, dx=0.5, axis=0), np.trapezoid(y[0])


#numptx export unwrapped(float64[:,:])
#numptx export unwrapped(float32[:,:])
#numptx export unwrapped(int64[:,:])
def unwrapped(p):
    return np.unwrap(p), np.unwrap(p, axis=0), np.unwrap(p, 4.0), np.unwrap(p, period=4), np.unwrap(p, period=5)


#numptx export polynomials(float64[:], float64[:])
#numptx export polynomials(int64[:], float64[:])
#numptx export polynomials(float32[:], float32[:])
#numptx export polynomials(complex128[:], float64[:])
def polynomials(p, q):
    return np.polyadd(p, q), np.polysub(p, q), np.polymul(p, q), np.polyval(p, q), np.polyval(p, 0.5), np.polyder(p), np.polyder(p, 3), np.polyint(p), np.polyint(p, 2, q[:2]), np.polyint(p, 2, 1.5)


#numptx export quotients(float64[:], float64[:])
def quotients(p, q):
    return np.polydiv(p, q)


#numptx export powers_of(float64[:])
#numptx export powers_of(int8[:])
#numptx export powers_of(float32[:])
def powers_of(x):
    return np.vander(x), np.vander(x, 2), np.vander(x, 4, increasing=True), np.poly(x)


#numptx export fits(float64[:], float64[:], float64[:], int)
#numptx export fits(float64[:], float64[:,:], float64[:], int)
#numptx export fits(float32[:], float64[:], float64[:], int)
#numptx export fits(int64[:], int64[:], float64[:], int)
def fits(x, y, w, n):
    c, rest, rank, values, limit = np.polyfit(x, y, n, full=True)
    return c, rest, rank, values, limit, np.polyfit(x, y, n, w=w), np.polyfit(x, y, 1, cov=True), np.polyfit(x, y, 1, cov="unscaled"), powers.polyfit(x, y, n), chebyshev.chebfit(x, y, n, w=w), legendre.legfit(x, y, 2)


#numptx export zeros_of(float64[:], float64[:,:])
def zeros_of(p, m):
    return np.sort(np.abs(np.roots(p))), np.poly(m), np.sort(np.abs(powers.polyroots(p)))


#numptx export values(float64[:], float64[:,:], float)
#numptx export values(int64[:], float64[:,:], float)
#numptx export values(complex128[:], float64[:,:], float)
def values(c, x, t):
    return powers.polyval(x, c), powers.polyval(t, c), chebyshev.chebval(x, c), chebyshev.chebval(t, c), legendre.legval(x, c), hermite.hermval(x, c), hermite_e.hermeval(x, c), laguerre.lagval(x, c), laguerre.lagval([0.5, t], c)


#numptx export values_of_two(float64[:], float64[:,:])
def values_of_two(x, c):
    return powers.polyval2d(x, x, c), powers.polygrid2d(x, x[:2], c), chebyshev.chebval2d(x, x, c), legendre.leggrid2d(x, x, c), powers.polyval(x, c), powers.polyval(x[:c.shape[1]], c, tensor=False), powers.polyval3d(x, x, x, c[None]), powers.polyvalfromroots(x, x)


#numptx export tables(float64[:,:], int)
#numptx export tables(int64[:,:], int)
def tables(x, n):
    return powers.polyvander(x, n), chebyshev.chebvander(x, n), legendre.legvander(x, n), hermite.hermvander(x, n), hermite_e.hermevander(x, n), laguerre.lagvander(x[0], n)


#numptx export lowest_first(float64[:], float64[:])
def lowest_first(p, q):
    return powers.polyadd(p, q), powers.polysub(p, q), powers.polymul(p, q), powers.polyder(p), powers.polyder(p, 2, 0.5)


#numptx export nodes(int)
def nodes(n):
    return legendre.leggauss(n), chebyshev.chebgauss(n)


#numptx export planes(float64[:,2], float64[:,2], float64[:,3])
def planes(a, b, c):
    return np.cross(a, b), np.cross(a, c), np.cross(c, b), np.cross(a[0], b[0]), np.cross(c, c)
"""


def reals(*shape, seed=1):
    return np.random.default_rng(seed).standard_normal(shape)


def whole(*shape):
    return (9 * reals(*shape)).astype(int)


def cases():
    for x in (reals(3, 4), whole(3, 4).astype(np.int32), reals(4, 3).T, reals(1, 1)):
        yield "differences", lambda x=x: (x, reals(4))
    u, v = np.cumsum(np.abs(reals(3))), np.cumsum(np.abs(reals(4)))
    for x in (reals(3, 4), reals(3, 4).astype(np.float32), whole(3, 4), reals(3, 4) * (1 + 2j), reals(4, 3).T):
        yield "gradients", lambda x=x: (x, np.float64(0.5), u, v)
        if x.dtype.kind != "c":
            yield "integrals", lambda x=x: (x, v)
    yield "gradients", lambda: (reals(3, 4), np.float64(0.5), np.arange(3.0), 2 * np.arange(4.0))
    yield "gradients", lambda: (reals(2, 4), np.float64(0.5), u[:2], v)
    yield "gradients", lambda: (reals(3, 4), np.float64(0.5), u, u)
    for rows, columns in ((2, 2), (1, 2), (2, 1), (1, 1), (2, 0)):
        yield "slopes", lambda r=rows, c=columns: (reals(r, c), reals(c))
    yield "integrals", lambda: (reals(2, 0), np.zeros(0))
    turned = np.cumsum(4 * reals(4, 30), axis=1)
    for x in (turned, turned.astype(np.float32), (3 * turned).astype(int), np.array([[0.0, np.pi, 0.0, -np.pi, 4.0]]), reals(1, 1)):
        yield "unwrapped", lambda x=x: (x,)
    for p in ([1.0, 2.0, 3.0, 4.0], [0.0, 0.0, 5.0, 1.0], [2.0], [0.0, 0.0], reals(12), [np.inf, 1.0, np.nan]):
        for q in ([0.5, -1.0, 2.0], [0.0, 1.5], reals(20)):
            yield "polynomials", lambda p=p, q=q: (np.array(p), np.array(q))
            yield "quotients", lambda p=p, q=q: (np.array(p)[1:], np.array(q))
    yield "polynomials", lambda: (np.array([1, -2, 3]), np.array([0.5, 2.0]))
    yield "polynomials", lambda: (np.array([1, -2, 3], np.float32), np.array([0.5, 2.0], np.float32))
    yield "polynomials", lambda: (np.array([1, -2j, 3]), np.array([0.5, 2.0]))
    for x in (reals(4), np.array([1, 2, 3], np.int8), reals(3).astype(np.float32)):
        yield "powers_of", lambda x=x: (x,)
    x, y, w = np.sort(reals(20)), reals(20, seed=2), np.abs(reals(20, seed=3))
    for n in (0, 1, 3):
        yield "fits", lambda n=n: (x, y, w, n)
    yield "fits", lambda: (x, np.stack((y, w), axis=1), w, 2)
    yield "fits", lambda: (x.astype(np.float32), y, w, 2)
    yield "fits", lambda: (np.arange(20), whole(20), w, 2)
    for a, b, c, n in ((x, y, w, -1), (x, y[:3], w, 1), (x[:0], y[:0], w[:0], 1), (x, y, w[:3], 1), (x[:2], y[:2], w[:2], 1)):
        yield "fits", lambda a=a, b=b, c=c, n=n: (a, b, c, n)
    for p in ([1.0, -6.0, 11.0, -6.0], [0.0, 2.0, 1.0, 0.0, 0.0], [0.0, 0.0], [5.0]):
        yield "zeros_of", lambda p=p: (np.array(p), np.array([[1.0, 2.0], [3.0, -4.0]]))
    for c in (reals(6), reals(1), reals(2), reals(3), np.array([1, 0, -2]), reals(4) * (1 - 1j)):
        yield "values", lambda c=c: (c, reals(3, 4), 0.75)
    yield "values_of_two", lambda: (reals(3), reals(4, 3))
    for n in (0, 1, 2, 6, -1):
        yield "tables", lambda n=n: (reals(3, 4), n)
    yield "tables", lambda: (whole(2, 3), 4)
    for p, q in (([1.0, 2.0, 0.0], [-1.0, -2.0]), ([0.0, 0.0], [1.0]), ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0])):
        yield "lowest_first", lambda p=p, q=q: (np.array(p), np.array(q))
    for n in (1, 2, 5, 20, 0):
        yield "nodes", lambda n=n: (n,)
    yield "planes", lambda: (reals(4, 2), reals(4, 2, seed=2), reals(4, 3))


CASES = list(cases())
# A file for each function: together they compile for minutes.
HEADER, *BLOCKS = SOURCE.split("\n\n\n")
SOURCES = {re.search(r"^def (\w+)", block, re.MULTILINE)[1]: f"{HEADER}\n\n\n{block}\n" for block in BLOCKS}


@pytest.mark.parametrize("k", range(len(CASES)), ids=lambda k: f"{CASES[k][0]}-{k}")
def test_as_numpy(k, workshop):
    name, make = CASES[k]
    # Least squares, eigenvalues and their like have the errors of their factors.
    is_single = any(getattr(a, "dtype", None) == np.float32 for a in make())
    tolerance = (1e-5 if is_single else 1e-9) if name in ("fits", "zeros_of", "nodes") else None
    as_numpy.compare(*workshop.pair(SOURCES[name], name), *CASES[k], tolerance, layout=name not in ("fits", "zeros_of"))
