"""Ints of ranges: each dtype, with both ends, of arrays of ends."""

import numpy as np


#numptx export each_dtype(Generator, int)
# run: each_dtype(np.random.default_rng(1), 9)
# run: each_dtype(np.random.Generator(np.random.MT19937(1)), 1)
# run: each_dtype(np.random.default_rng(1), 0)
# tolerance: 0
def each_dtype(rng, n):
    return (
        rng.integers(2, size=n, dtype=bool),
        rng.integers(-100, 100, n, dtype=np.int8),
        rng.integers(200, size=n, dtype=np.uint8),
        rng.integers(-5, 30000, n, dtype=np.int16),
        rng.integers(0, 65535, n, dtype=np.uint16, endpoint=True),
        rng.integers(-5, 2**31 - 1, n, dtype=np.int32),
        rng.integers(0, 2**32, n, dtype=np.uint32),
        rng.integers(-(2**62), 2**62, n),
        rng.integers(0, 2**40, n, dtype=np.uint64),
        rng.integers(10, size=(n, 2)),
    )


#numptx export one(Generator, int, int)
# run: one(np.random.default_rng(1), 3, 9)
# run: one(np.random.default_rng(1), -3, -2)
# run: one(np.random.default_rng(1), 3, 3)
# run: one(np.random.default_rng(1), 0, 0)
# run: one(np.random.default_rng(1), -300, 300)
# tolerance: 0
def one(rng, low, high):
    a = rng.integers(low, high)
    b = rng.integers(low, high, endpoint=True)
    c = rng.integers(low, high, dtype=np.int16)
    d = rng.integers(low, high, dtype=int)
    e = rng.integers(low, high, dtype=np.int8)
    return a, b, c, d, e


#numptx export ends(Generator, int64[:], int64[:])
# run: ends(np.random.default_rng(1), array([0, 5, -9]), array([4, 6, 9]))
# run: ends(np.random.default_rng(1), array([0]), array([4, 6, 9]))
# run: ends(np.random.default_rng(1), array([0, 7]), array([4, 6]))
# run: ends(np.random.default_rng(1), array([], dtype=int64), array([], dtype=int64))
# tolerance: 0
def ends(rng, low, high):
    return rng.integers(low, high), rng.integers(low[:, None], high + 10, dtype=np.int16), rng.integers(high + 20, size=(2, len(high)))


#numptx export dice(Generator, int)
# run: dice(np.random.default_rng(8), 1000)
# run: dice(np.random.default_rng(8), 0)
# tolerance: 0
def dice(rng, n):
    counts = np.zeros(6, np.int64)
    for _ in range(n):
        counts[rng.integers(1, 7) - 1] += 1
    return counts


#numptx export legacy(RandomState, int)
# run: legacy(np.random.RandomState(4), 5)
# run: legacy(np.random.RandomState(4), 1)
# tolerance: 0
def legacy(rng, n):
    return (
        rng.randint(10),
        rng.randint(-5, 5, n),
        rng.randint(0, 200, n, dtype=np.uint8),
        rng.randint(0, 2, (n, 2), dtype=bool),
        rng.randint(0, 1000, n, dtype=np.int16),
        rng.randint(0, 2**33, n),
        rng.randint(np.arange(1, 4), 10),
        rng.randint(n),
    )
