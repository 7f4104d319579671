"""`float16`: each operation is rounded once to 16 bits, whatever computes it; sums are those of `float32`, rounded once."""

import numpy as np

# tolerance: 0

# 0, subnormal, smallest normal, ties of sums and products, the largest, and what passes it.
SPECIAL = [0.0, -0.0, 6e-8, -6e-8, 6.1e-5, 1.0, -1.0, 1.0005, 0.1, -2.5, 3.5, 2048.0, 2049.0, 65504.0, -65504.0, 1e-3]


def special(n=16):
    return np.array([*SPECIAL, np.inf, -np.inf, np.nan, 0.333, 1e-4, 1023.5, 4.2e-7, 300.0][:n], np.float16)


def every():
    """All numbers of 16 bits, nans too."""
    return np.arange(65536).astype(np.uint16).view(np.float16)


#numptx export arithmetic(float16[:], float16[:])
#numptx export arithmetic(float16[:,:], float16[:,:])
# run: arithmetic(special(24), special(24)[::-1])
# run: x = special(24); arithmetic(x.reshape(1, 24), x.reshape(24, 1))
# run: arithmetic(every(), every()[::-1])
# run: arithmetic(every(), (random(65536) * 100).astype(float16))
# run: arithmetic((random(5000) * 9 - 4).astype(float16), (random(5000) * 9).astype(float16))
# run: arithmetic(zeros(0, float16), zeros(0, float16))
# run: arithmetic(special(24).reshape(4, 6).T, special(24)[::-1].reshape(6, 4))
# run: x = random((9, 10)).astype(float16); arithmetic(x[::2, ::-3], x[1::2, :4][:4].repeat(1, 0)[:1])
def arithmetic(x, y):
    return x + y, x - y, x * y, x / y, -x, abs(x), np.maximum(x, y), np.fmin(x, y), np.copysign(x, y)


#numptx export steps(float16[:], float16[:])
# run: steps(special(24), special(24)[::-1])
# run: steps((random(3000) * 9 - 4).astype(float16), (random(3000) * 9).astype(float16))
# structure: launches=1 allocs=1
# run: steps(zeros(0, float16), zeros(0, float16))
def steps(x, y):
    return (x * y + x) / (y - x * x) - y * 3


#numptx export rounded(float16[:])
# run: rounded(special(24))
# run: rounded(every())
# run: rounded(every()[::-7])
def rounded(x):
    return np.floor(x), np.ceil(x), np.rint(x), np.trunc(x), np.sqrt(x), x**2, np.reciprocal(x), np.sign(x)


#numptx export anatomy(float16[:], float16[:])
# run: anatomy(special(24), special(24)[::-1])
# run: anatomy(every(), every()[::-1])
def anatomy(x, y):
    mantissa, exponent = np.frexp(x)
    fraction, whole = np.modf(x)
    tests = np.isnan(x), np.isinf(x), np.isfinite(x), np.signbit(x) & ~np.isnan(x)
    return np.nextafter(x, y), np.spacing(x), mantissa, exponent, fraction, whole, np.ldexp(x, 3), np.ldexp(x, -12), tests


#numptx export divided(float16[:], float16[:])
# run: divided(special(24), special(24)[::-1])
# run: divided((random(3000) * 90 - 40).astype(float16), (random(3000) * 9 - 4).astype(float16))
def divided(x, y):
    return x // y, x % y, np.fmod(x, y), np.divmod(x, y)


#numptx export compared(float16[:], float16[:])
# run: compared(special(24), special(24)[::-1])
# run: compared(every(), every()[::-1])
def compared(x, y):
    return x < y, x <= y, x == y, x != y, x > y, x >= y, x == x, np.logical_and(x, y), (x > 0) | (y < 1)


#numptx export narrowed(float64[:], float32[:])
# run: narrowed(array([1.00048828125 + 2.0**-40, 1.00048828125, 1.00048828125 - 2.0**-40, 65519.999, 65520.0, 1e300, 5e-324]), zeros(3, float32))
# run: narrowed(array([2.0**-25, 2.0**-25 * (1 + 2.0**-50), 3 * 2.0**-25, inf, -inf, nan, -0.0]), array([2.0**-25, 1.5, 65519.99, 65520.0, -1e-40], float32))
# run: narrowed((random(4000) * 2 - 1) * 2.0 ** integers(-30, 20, 4000), ((random(4000) * 2 - 1) * 2.0 ** integers(-30, 20, 4000)).astype(float32))
# run: x = every().astype(float64); narrowed((x[:-1] + x[1:]) / 2, every().astype(float32))
def narrowed(x, y):
    return x.astype(np.float16), y.astype(np.float16), np.float16(0.1), (x * 2).astype("e")


#numptx export from_integers(int64[:], uint64[:], bool[:])
# run: from_integers(array([0, 1, -1, 2049, 2051, 65519, 65520, -65520, 2**62, -2**63]), array([2049, 65519, 65520, 2**64 - 1], uint64), array([True, False]))
# run: from_integers(integers(-70000, 70000, 3000), integers(0, 70000, 3000, dtype=uint64), zeros(0, bool))
def from_integers(n, m, b):
    return n.astype(np.float16), m.astype(np.float16), b.astype(np.float16), n.astype(np.int16).astype("float16")


#numptx export widened(float16[:])
# run: widened(every()[:0x7c00])
# run: widened(every()[0x8000:0xfc00])
def widened(x):
    wide = x.astype(np.float32), x.astype(np.float64), x.astype(np.complex64), x.astype(np.complex128), x.astype(bool)
    return wide, x.astype(np.int32), x.astype(np.int64)


#numptx export promoted(float16[:], int8[:], int16[:], int32[:], float32[:], complex64[:])
# run: promoted(special(4), array([1, -2, 3, 4], int8), arange(4, dtype=int16), arange(4, dtype=int32), ones(4, float32), ones(4, complex64))
def promoted(x, a, b, c, d, e):
    return x + a, x * b, x - c, x + d, x * e, x + 1, x * 0.1, x + True, 2.0 / (x + 1), x * 1j


#numptx export from_small(int8[:], uint8[:], bool[:])
# run: from_small(arange(-128, 128).astype(int8), arange(256).astype(uint8), array([True, False]))
# tolerance: 0.002
def from_small(a, b, c):
    return np.sqrt(b), np.cbrt(a), np.exp(a), np.arctan(b), np.exp(c), np.rint(a), np.spacing(b)


#numptx export functions(float16[:])
# run: functions(special(24))
# run: functions((random(3000) * 9).astype(float16))
# tolerance: 0.002
def functions(x):
    return np.exp(x), np.log(x), np.sin(x), np.tanh(x), np.log1p(x), np.hypot(x, x + 1), x**1.5, np.logaddexp(x, x)


#numptx export scalars(float16, float16)
# run: scalars(float16(0.1), float16(3))
# run: scalars(float16(65504), float16(65504))
# run: scalars(float16(2049), float16(-6e-8))
def scalars(x, y):
    larger = x if x > y else y
    return x + y, x * y, x / y, x - 1, larger, float(x), x == y, np.float16(7) * x, np.sqrt(np.float16(2)), x * np.float32(0.1)


#numptx export scaled(float16, float16[:])
# run: scaled(float16(0.1), special(24))
# run: scaled(float16(-6e-8), every())
# run: scaled(float16(3), zeros(0, float16))
def scaled(a, x):
    return a * x + a, np.where(x > a, x, a), np.full(3, a)


#numptx export members(float16[:])
# run: members(special(8))
def members(x):
    total = np.float16(0)
    for v in x:
        total += v * v
    return total, x[0], x[-1] + x[1], len(x), x.dtype == np.float16, x.itemsize, float(x[6]), x.item(3)


#numptx export in_turn(float16[:])
# run: in_turn(special(10))
# run: in_turn(random(100).astype(float16))
# run: in_turn(zeros(0, float16))
def in_turn(x):
    y = np.zeros_like(x)
    last = np.float16(0)
    for i in range(len(x)):
        last = last * np.float16(0.5) + x[i]
        y[i] = last
    return y


#numptx export overlapping(float16[:])
# run: overlapping(random(50).astype(float16))
# run: overlapping(special(24)[::2])
# run: overlapping(zeros(1, float16))
def overlapping(x):
    x[1:] += x[:-1]
    x[::2] = x[::-1][::2] * 2
    x[:] = x[::-1]
    return x


#numptx export chosen(float16[:], int64[:])
# run: chosen(special(24), array([3, 0, -1, 3]))
# run: chosen(special(4), zeros(0, int64))
def chosen(x, at):
    y = x.copy()
    y[y > 1] = 0.25
    y[at] = 7
    return x[at], x[x > 0.5], np.where(np.isnan(x), 0, x), y, np.take(x, at), np.flatnonzero(x), np.clip(x, -2, 0.1)


#numptx export made(int)
# run: made(5)
# run: made(0)
def made(n):
    some = np.zeros(n, np.float16), np.ones((n, 2), "e"), np.full(n, 0.1, np.half), np.eye(n, dtype=np.float16)
    return some, np.arange(n, dtype=np.float16), np.arange(0.0, n, 0.1, dtype=np.float16), np.array([0.1, 2, n], np.float16)


#numptx export ranged(float, float)
# run: ranged(3.0, 1e300)
# run: ranged(3e5, 1e5)
# run: ranged(2e39, 1e39)
# run: ranged(3.0, 1.0)
def ranged(stop, step):
    return np.arange(0.0, stop, step, dtype=np.float16), np.arange(1.0, stop, step, dtype=np.float32)


# Numbers of Python are weak beside those of NumPy.
#numptx export spaced(float16, float32, int8, float, int)
# run: spaced(float16(0.1), float32(0.1), int8(2), 2.7, 5)
# run: spaced(float16(-3), float32(7), int8(0), 1e3, 1)
# run: spaced(float16(6e-8), float32(0), int8(-1), 0.0, 0)
# run: spaced(float16(6e-8), float32(1e-45), int8(0), 0.0, 5)
def spaced(a, b, c, x, n):
    of_halves = np.linspace(a, 3, n), np.linspace(x, a, n, endpoint=False), np.linspace(a, a, n), np.linspace(a, c, n)
    of_singles = np.linspace(b, x, n), np.linspace(0, b, n), np.linspace(a, b, n), np.linspace(b, True, n)
    return of_halves, of_singles, np.linspace(c, x, n), np.linspace(c, 3, n), np.linspace(x, 3, n), np.linspace(b, np.float64(2), n)


#numptx export powers(float32, float, int)
# run: powers(float32(0.1), 2.0, 4)
# run: powers(float32(-1), 0.5, 0)
# tolerance: 1e-5
def powers(a, x, n):
    return np.logspace(a, x, n), np.logspace(0, a, n), np.geomspace(abs(a), x, n)


#numptx export after_zeros(float16[:], float16[:])
# run: after_zeros(array([0.0, -0.0, 0.0, -0.0, 1.0], float16), array([-0.0, 0.0, 0.0, -0.0, 1.0], float16))
# numpy: 2.4
def after_zeros(x, y):
    z, first = np.nextafter(x, y), np.nextafter(x[0], y[0])
    return z, np.signbit(z), np.signbit(first), np.signbit(np.nextafter(np.float16(-0.0), np.float16(0)))


#numptx export extremes(float16[:,:])
# run: extremes(special(24).reshape(4, 6)[:2])
# run: extremes(random((30, 40)).astype(float16))
# run: extremes(random((30, 40)).astype(float16).T[::3, ::-2])
def extremes(x):
    return x.max(axis=0), x.min(), np.argmax(x, axis=1), x.argmin(), np.ptp(x, axis=1), x.any(axis=0), np.maximum.accumulate(x, axis=1)


#numptx export summed(float16[:])
# run: summed(special(16)[:12])
# run: summed(random(5000).astype(float16))
# run: summed((random(300000) - 0.5).astype(float16))
# run: summed(zeros(0, float16))
# tolerance: 0.001
def summed(x):
    return x.sum(), np.sum(x, dtype=np.float32), np.dot(x, x), x @ x, np.count_nonzero(x), np.sum(x * 0.5, initial=2)


#numptx export averaged(float16[:,:])
# run: averaged(random((7, 300)).astype(float16))
# tolerance: 0.001
def averaged(x):
    return x.mean(), x.mean(axis=1), x.std(axis=1), x.var(axis=1), np.mean(x, axis=1, dtype=np.float64)


# Where rows are not contiguous, NumPy rounds each partial sum.
#numptx export averaged_across(float16[:,:])
# run: averaged_across(random((300, 7)).astype(float16))
# tolerance: 0.02
def averaged_across(x):
    return x.mean(axis=0), x.std(axis=0), x.var(axis=0), np.sum(x, axis=0)


#numptx export products(float16[:,:], float16[:,:], float16[:])
# run: products(random((7, 20)).astype(float16), random((20, 9)).astype(float16), random(20).astype(float16))
# run: products(random((20, 7)).astype(float16).T, random((20, 18)).astype(float16)[:, ::2], random(40).astype(float16)[::-2])
# run: products(zeros((3, 0), float16), zeros((0, 2), float16), zeros(0, float16))
# tolerance: 0.001
def products(x, y, v):
    return x @ y, x @ v, v @ y, np.dot(x, y), np.inner(v, v), np.outer(v, v), np.prod(v + 0.5)


#numptx export running(float16[:,:])
# run: running(random((5, 30)).astype(float16))
# tolerance: 0.02
def running(x):
    return np.cumsum(x, axis=1), np.cumsum(x), np.cumprod(x + 0.5, axis=0)


#numptx export written(float64[:], float16[:])
# run: written(random(6), zeros(6, float16))
# run: written(array([1e9, -1e-9, nan]), zeros(6, float16)[::2])
def written(x, out):
    out[:] = x
    np.multiply(out, 3, out=out)
    np.add(out, 1, out=x)
    return np.finfo(out.dtype).eps, np.finfo(np.float16).max, np.finfo(x.dtype).bits, np.finfo("e").tiny, np.finfo(np.half).resolution


#numptx export without_axes(float16[:])
# run: without_axes(special(5))
def without_axes(x):
    y = np.array(x[1])
    z = np.sum(x, keepdims=True).reshape(())
    return y, y + 1, np.sqrt(x[2:3].reshape(())), z.dtype == "float16", np.zeros((), np.float16)
