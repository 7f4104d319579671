"""What single functions do beyond their table rows: keywords, weak scalars, errors, views, orders.

Each function below runs compiled and plain on the same arguments; the results, or the exceptions' types, agree.
"""

import math
from fractions import Fraction

import numpy as np
import pytest

import as_numpy

SOURCE = '''
import math

import numpy as np


#numptx export add_out(float64[:], float64[:], float64[:])
def add_out(x, y, z):
    np.add(x, y, out=z)
    return np.multiply(z, 2.0, z)


#numptx export sqrt_in_float32(int8[:])
def sqrt_in_float32(x):
    return np.sqrt(x, dtype=np.float32)


#numptx export weak(uint8[:], int)
def weak(x, n):
    return x + n, x < n, np.minimum(x, n)


#numptx export weak_float(float32[:], int8[:], float)
def weak_float(x, i, a):
    return x * a, i * a, x ** a, x / 2, i / 2


#numptx export mixed_signs(int64[:], uint64[:])
def mixed_signs(x, y):
    return x < y, x == y, y >= x, x + y


#numptx export powers(float64[:])
def powers(x):
    return x ** 2, x ** 0.5, x ** -1, x ** 3, x ** 0, 2.0 ** x


#numptx export integer_power(int64[:], int64[:])
def integer_power(x, y):
    return x ** y


#numptx export divide_integers(int32[:], int32[:])
def divide_integers(x, y):
    return x // y, x % y, x / y, np.fmod(x, y)


#numptx export shifts(int32[:], int32[:])
def shifts(x, y):
    return x << y, x >> y, x & y, x | y, x ^ y, ~x


#numptx export moments(float64[:,:])
#numptx export moments(int32[:,:])
#numptx export moments(complex128[:,:])
#numptx export moments(float32[:,:])
def moments(x):
    return np.mean(x), np.mean(x, axis=0), np.var(x, axis=1), np.std(x), np.var(x, axis=0, ddof=1), x.mean(axis=(0, 1))


#numptx export extremes(float64[:,:])
def extremes(x):
    return x.max(), x.min(axis=0), x.argmax(), x.argmin(axis=1), np.ptp(x, axis=0)


#numptx export nans(float64[:,:])
def nans(x):
    return np.nansum(x, axis=0), np.nanmax(x, axis=1), np.nanmin(x), np.nan_to_num(x)


#numptx export counted(int8[:,:])
def counted(x):
    return x.sum(), x.sum(axis=0), x.prod(axis=1), np.sum(x, dtype=np.int16), np.any(x, axis=0), np.all(x)


#numptx export choose(float64[:], int8[:])
def choose(x, i):
    return np.where(x > 0, x, 0), np.where(i, 1, i), np.where(x > 0, i, 2.5), np.where(x != x, 0.0, x)


#numptx export limited(float64[:], uint8[:])
def limited(x, u):
    return np.clip(x, -1, 1), x.clip(0.5), np.clip(u, -5, 300), np.clip(u, 2, 7), np.clip(x, None, x * 0.5)


#numptx export ranges(int, int, int)
def ranges(a, b, step):
    return np.arange(b), np.arange(a, b), np.arange(a, b, step), np.arange(b, dtype=np.float32)


#numptx export float_ranges(float, float, float)
def float_ranges(a, b, step):
    return np.arange(a, b, step), np.linspace(a, b, 7), np.linspace(a, b, 4, endpoint=False), np.linspace(a, b, 1)


#numptx export created(int, int)
def created(n, m):
    return np.zeros((n, m)), np.ones(n, dtype=np.int8), np.full((m, n), 7), np.eye(n, m, 1), np.identity(n)


#numptx export like(float32[:,:])
def like(x):
    return np.zeros_like(x), np.ones_like(x, dtype=np.int64), np.full_like(x, 3), np.empty_like(x).shape


#numptx export displays(float, int)
def displays(a, n):
    return np.array([a, 2.0 * a, n]), np.array([[1, 2], [n, 4]]), np.array([1, 2], dtype=np.float32)


#numptx export reshaped(float64[:,:], int)
def reshaped(x, n):
    return x.reshape(-1), x.reshape(n, -1), np.reshape(x, (-1, 2)), x.T.reshape(-1), x.reshape((n, -1), order="F")


#numptx export turned(float64[:,:,:])
def turned(x):
    return x.T, x.transpose(1, 2, 0), np.swapaxes(x, 0, 2), np.moveaxis(x, 0, -1), np.flip(x, 1), np.flip(x)


#numptx export expanded(float64[:], int)
def expanded(x, n):
    return np.expand_dims(x, (0, 2)), np.broadcast_to(x, (n, x.shape[0])), np.atleast_2d(x), np.squeeze(x[None], 0)


#numptx export copied(float64[:,:])
def copied(x):
    return x.copy(), np.copy(x), x.astype(np.float32), x.astype(np.int64), x.flatten(), np.ravel(x), x.astype(bool)


#numptx export parts(complex128[:,:])
def parts(z):
    return z.real, z.imag, np.conj(z), abs(z), np.angle(z), np.angle(z, deg=True)


#numptx export products(float64[:,:], float64[:,:], float64[:])
def products(a, b, v):
    return a @ b, a @ v, v @ b, np.dot(a, b), np.outer(v, v), np.inner(a, a), np.vdot(a, b.T), np.tensordot(a, b, 1)


#numptx export stacked_products(float32[:,:,:], float32[:,:,:])
def stacked_products(a, b):
    return a @ b


#numptx export whole_products(int32[:,:], bool[:,:])
def whole_products(i, b):
    return i @ i.T, b @ b.T, np.dot(i, i.T)


#numptx export joined(float64[:,:], int32[:,:])
def joined(x, i):
    return np.concatenate((x, i)), np.concatenate([x, x], axis=1), np.stack((x, x), axis=-1), np.vstack((x, i)), np.hstack((x, x))


#numptx export shifted(float64[:,:], int)
def shifted(x, n):
    return np.roll(x, n), np.roll(x, n, axis=1), np.diff(x), np.diff(x, axis=0), np.diff(x, 2)


#numptx export rounded(float64[:])
def rounded(x):
    return np.round(x), np.round(x, 2), np.rint(x), np.fix(x), np.floor(x), np.ceil(x), np.trunc(x), np.round(x, -1)


#numptx export host(float)
def host(x):
    return math.sqrt(x), math.log(x), math.floor(x), math.ceil(x), math.pow(x, 2.0), math.hypot(x, 1.0)


#numptx export host_exp(float)
def host_exp(x):
    return math.exp(x)


#numptx export host_scalars(float, int)
def host_scalars(a, n):
    return np.sqrt(a), np.maximum(a, n), np.float32(a) * 2, np.add(n, n), np.int8(n) + np.int8(n)


#numptx export filled(float64[:,:], float)
def filled(x, a):
    x[:, 1].fill(a)
    return x[0, 0].item()
'''

EDGE = [0.0, -0.0, 1.0, -1.0, 2.5, -2.5, 0.5, 1e300, np.inf, -np.inf, np.nan]


def reals(*shape):
    return np.sin(np.arange(np.prod(shape, dtype=int)) * 1.7).reshape(shape)


def whole(dtype, *shape):
    return ((np.arange(np.prod(shape, dtype=int)) * 37) % 23 - 6).astype(dtype).reshape(shape)


def cases():
    edge = np.array(EDGE)
    yield "add_out", lambda: (reals(5), reals(5), np.zeros(5))
    yield "add_out", lambda: (reals(1), reals(5), np.zeros(5))
    yield "add_out", lambda: (reals(5), reals(5), np.zeros(1))
    yield "sqrt_in_float32", lambda: (np.array([4, 9, 2], np.int8),)
    for n in (3, 255, 256, -1):
        yield "weak", lambda n=n: (np.array([0, 3, 255], np.uint8), n)
    yield "weak_float", lambda: (reals(4).astype(np.float32), whole(np.int8, 4), 0.1)
    yield "mixed_signs", lambda: (np.array([-1, 2, 5]), np.array([1, 2, 2**64 - 1], np.uint64))
    yield "powers", lambda: (edge,)
    yield "integer_power", lambda: (np.array([2, -3, 7]), np.array([3, 2, 70]))
    yield "integer_power", lambda: (np.array([2, -3, 7]), np.array([3, -2, 70]))
    yield "divide_integers", lambda: (np.array([7, -7, 7, -2147483648, 5], np.int32), np.array([2, 2, -2, -1, 0], np.int32))
    yield "shifts", lambda: (np.array([1, -1, 5, 1], np.int32), np.array([31, 40, 2, 64], np.int32))
    for x in (reals(3, 4), reals(4, 3).T, reals(0, 3), whole(np.int32, 2, 5), reals(3, 3) * 1j, reals(2, 3).astype(np.float32)):
        yield "moments", lambda x=x: (x,)
    for x in (reals(3, 4), np.array([[1.0, np.nan, 3.0], [2.0, 2.0, 1.0]]), reals(0, 3), reals(3, 0)):
        yield "extremes", lambda x=x: (x,)
    yield "nans", lambda: (np.array([[1.0, np.nan, -np.inf], [np.inf, np.nan, 2.0]]),)
    yield "counted", lambda: (whole(np.int8, 3, 4) * np.int8(9),)
    yield "choose", lambda: (edge, whole(np.int8, len(EDGE)))
    yield "limited", lambda: (edge, np.array([0, 3, 255], np.uint8))
    for bounds in ((0, 5, 1), (2, 11, 3), (5, 5, 2), (10, 0, -3), (0, 5, -1), (0, 5, 0)):
        yield "ranges", lambda bounds=bounds: bounds
    for bounds in ((0.0, 1.0, 0.1), (1.0, 0.0, -0.3), (0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (-1.5, 7.25, 2.0)):
        yield "float_ranges", lambda bounds=bounds: bounds
    for shape in ((2, 3), (0, 4), (3, 1), (-1, 2)):
        yield "created", lambda shape=shape: shape
    for x in (reals(3, 4), reals(4, 3).T, reals(6, 6)[::2, ::-1]):
        yield "like", lambda x=x: (x.astype(np.float32, order="K"),)
        yield "copied", lambda x=x: (x,)
    yield "displays", lambda: (1.5, 7)
    for n in (2, 3, 5):
        yield "reshaped", lambda n=n: (reals(3, 4), n)
    yield "turned", lambda: (reals(2, 3, 4),)
    yield "expanded", lambda: (reals(4), 3)
    yield "parts", lambda: (reals(3, 4) + 1j * reals(4, 3).T,)
    yield "products", lambda: (reals(3, 4), reals(4, 5)[:, :3], reals(4))
    yield "products", lambda: (reals(3, 4), reals(5, 3), reals(4))
    yield "stacked_products", lambda: (reals(2, 3, 4).astype(np.float32), reals(1, 4, 5).astype(np.float32))
    yield "whole_products", lambda: (whole(np.int32, 3, 4) * np.int32(70000), whole(np.int8, 3, 4) > 3)
    yield "joined", lambda: (reals(2, 3), whole(np.int32, 2, 3))
    for n in (1, -1, 0, 7):
        yield "shifted", lambda n=n: (reals(3, 4), n)
    yield "rounded", lambda: (np.array([*EDGE, 0.125, 2.675, -1234.5678]),)
    for x in (2.25, 0.0, -1.0, np.inf):
        yield "host", lambda x=x: (x,)
    for x in (1.0, 1000.0, -1000.0):
        yield "host_exp", lambda x=x: (x,)
    yield "host_scalars", lambda: (2.0, 100)
    yield "filled", lambda: (reals(3, 4), 2.5)


CASES = list(cases())


@pytest.mark.parametrize("k", range(len(CASES)), ids=lambda k: f"{CASES[k][0]}-{k}")
def test_as_numpy(k, workshop):
    as_numpy.compare(*workshop.pair(SOURCE, "special"), *CASES[k], words=None)


def test_an_int_to_a_negative_int_raises_where_python_gives_a_float(workshop):
    """The type of a result is decided when compiling, the sign of an exponent is known when running."""
    compiled, _ = workshop.pair("#numptx export power(int, int)\ndef power(a, n):\n    return a**n\n", "power_of_ints")
    assert compiled.power(-2, 5) == -32 and type(compiled.power(2, 0)) is int
    with pytest.raises(ValueError, match=r"write `float\(a\) \*\* n`"):
        compiled.power(2, -1)
    with pytest.raises(OverflowError):
        compiled.power(2, 63)


def test_fma_rounds_once(workshop):
    """Python has `math.fma` from 3.13 on: what is expected is computed exactly."""
    text = "import math\n\n\n#numptx export fused(float, float, float)\ndef fused(x, y, z):\n    return math.fma(x, y, z)\n"
    compiled, _ = workshop.pair(text, "fused")
    tiny = 2.0**-30
    for x, y, z in [(1 + tiny, 1 + tiny, -1 - 2 * tiny), (1 + tiny, 1 - tiny, -1.0), (0.1, 10.0, -1.0), (5e-324, 0.5, 5e-324)]:
        assert compiled.fused(x, y, z) == float(Fraction(x) * Fraction(y) + Fraction(z))
    assert compiled.fused(math.inf, 2.0, math.nan) != compiled.fused(math.inf, 2.0, 1.0) == math.inf
    with pytest.raises(ValueError, match="invalid operation in fma"):
        compiled.fused(math.inf, 0.0, 1.0)
    with pytest.raises(OverflowError, match="overflow in fma"):
        compiled.fused(1e308, 10.0, 1.0)
