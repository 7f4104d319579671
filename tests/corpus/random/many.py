"""Arrays of draws from none to many: a device draws large ones of some methods itself, and leaves the generator as NumPy does. Each run compares the
caller's generator, too."""

import numpy as np
from numpy.random import PCG64, Generator, Philox, default_rng


#numptx export doubles(Generator, int)
# run: doubles(default_rng(1), 0)
# run: doubles(default_rng(1), 1)
# run: doubles(default_rng(1), 2)
# run: doubles(default_rng(1), 3)
# run: doubles(default_rng(1), 5)
# run: doubles(default_rng(1), 1000)
# run: doubles(default_rng(1), 4096)
# run: doubles(default_rng(1), 10007)
# run: doubles(Generator(Philox(1)), 0)
# run: doubles(Generator(Philox(1)), 3)
# run: doubles(Generator(Philox(1)), 1000)
# run: doubles(Generator(Philox(1)), 4096)
# run: doubles(Generator(Philox(1)), 4097)
# run: doubles(Generator(Philox(1)), 4098)
# run: doubles(Generator(Philox(1)), 10007)
# run: doubles(Generator(np.random.MT19937(1)), 5001)
# run: doubles(Generator(np.random.PCG64DXSM(1)), 5001)
# run: doubles(Generator(np.random.SFC64(1)), 5001)
# tolerance: 0
def doubles(rng, n):
    first = rng.random(n)
    return first, rng.random(3), rng.random(n)


#numptx export singles(Generator, int)
# run: singles(default_rng(2), 5)
# run: singles(default_rng(2), 4096)
# run: singles(default_rng(2), 5001)
# run: singles(default_rng(2), 5002)
# run: singles(Generator(Philox(2)), 5)
# run: singles(Generator(Philox(2)), 5001)
# run: singles(Generator(Philox(2)), 5003)
# tolerance: 0
def singles(rng, n):
    first = rng.random(n, dtype=np.float32)
    return first, rng.random(2), rng.random(n, dtype=np.float32), rng.integers(0, 1000, 3, dtype=np.uint32)


#numptx export ranges(Generator, float, float, int)
# run: ranges(default_rng(3), -2.5, 7.0, 5001)
# run: ranges(default_rng(3), 1.0, 1.0, 5001)
# run: ranges(default_rng(3), 1.0, 0.0, 5001)
# run: ranges(default_rng(3), 0.0, np.inf, 5001)
# run: ranges(Generator(Philox(3)), -1e300, 1e-300, 5001)
# tolerance: 0
def ranges(rng, low, high, n):
    return rng.uniform(low, high, n), rng.uniform(low, high, (n // 8, 8))


#numptx export raws(int, int)
# run: raws(4, 0)
# run: raws(4, 7)
# run: raws(4, 4999)
# tolerance: 0
def raws(seed, n):
    pcg, philox = PCG64(seed), Philox(seed)
    return pcg.random_raw(n), philox.random_raw(n), pcg.random_raw(n + 1), philox.random_raw(n + 1)


#numptx export mixed(Generator, int)
# run: mixed(default_rng(5), 5001)
# run: mixed(default_rng(5), 5002)
# run: mixed(Generator(Philox(5)), 5001)
# run: mixed(Generator(Philox(5)), 5002)
# run: mixed(Generator(Philox(5)), 5003)
# tolerance: 0
def mixed(rng, n):
    a = rng.integers(0, 2**31, 3, dtype=np.int32)
    b = rng.random(n)
    c = rng.integers(0, 2**31, 2, dtype=np.int32)
    d = rng.random(n, dtype=np.float32)
    e = rng.standard_normal(3)
    f = rng.uniform(-1.0, 1.0, n)
    return a, b, c, d, e, f, rng.integers(0, 2**31, 1, dtype=np.int32), rng.random(n + 1, dtype=np.float32)


#numptx export every_other(Generator, float64[:,:])
# run: every_other(default_rng(6), np.zeros((70, 200)))
# run: every_other(Generator(Philox(6)), np.zeros((200, 70)).T)
# run: every_other(default_rng(6), np.zeros((3, 2)))
# tolerance: 0
def every_other(rng, out):
    n, m = out.shape
    out[:, ::2] = rng.random((n, m // 2))
    return out


#numptx export scaled(Generator, float64[:])
# run: scaled(default_rng(7), arange(5000.0))
# run: scaled(Generator(Philox(7)), arange(5000.0))
# tolerance: 0
def scaled(rng, x):
    return 2.0 * x + rng.random(x.shape) * rng.uniform(0.5, 1.5, x.size)


#numptx export between_arrays(Generator, float64[:])
# run: between_arrays(default_rng(8), arange(5000.0))
# tolerance: 0
def between_arrays(rng, high):
    return rng.uniform(-1.0, high), rng.random()


#numptx export in_steps(Generator, int, int)
# run: in_steps(default_rng(9), 40, 4099)
# run: in_steps(Generator(Philox(9)), 40, 4099)
# tolerance: 0
def in_steps(rng, steps, n):
    x = np.zeros(n)
    for _ in range(steps):
        x = 0.5 * x + rng.random(n)
    return x


#numptx export legacy(RandomState, int)
# run: legacy(np.random.RandomState(Philox(10)), 5001)
# run: legacy(np.random.RandomState(10), 5001)
# tolerance: 0
def legacy(rng, n):
    return rng.normal(), rng.random_sample(n), rng.uniform(2.0, 3.0, n), rng.normal(0.0, 1.0, 3)
