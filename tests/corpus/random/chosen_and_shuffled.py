"""Choices, permutations and shuffles: of ints, vectors, matrices and lists."""

import numpy as np


#numptx export chosen(Generator, float64[:], int)
# run: chosen(np.random.default_rng(1), random(9), 4)
# run: chosen(np.random.default_rng(1), random(4), 4)
# run: chosen(np.random.default_rng(1), random(4), 5)
# run: chosen(np.random.default_rng(1), random(4), 0)
# run: chosen(np.random.default_rng(1), array([]), 1)
# tolerance: 0
def chosen(rng, x, n):
    return (
        rng.choice(x),
        rng.choice(x, n),
        rng.choice(x, (2, n)),
        rng.choice(len(x)),
        rng.choice(len(x), n),
        rng.choice(x, n, replace=False),
        rng.choice(len(x), n, replace=False, shuffle=False),
        rng.choice([3, 5, 7]),
    )


#numptx export weighted(Generator, int64[:], float64[:], int)
# run: weighted(np.random.default_rng(1), arange(4), array([0.1, 0.2, 0.3, 0.4]), 3)
# run: weighted(np.random.default_rng(1), arange(4), array([0.0, 0.0, 0.3, 0.7]), 2)
# run: weighted(np.random.default_rng(1), arange(4), array([0.0, 0.0, 0.3, 0.7]), 3)
# run: weighted(np.random.default_rng(1), arange(4), array([0.1, 0.2, 0.3, 0.5]), 3)
# run: weighted(np.random.default_rng(1), arange(4), array([0.1, -0.2, 0.6, 0.5]), 3)
# run: weighted(np.random.default_rng(1), arange(4), array([nan, 0.2, 0.6, 0.5]), 3)
# run: weighted(np.random.default_rng(1), arange(4), array([0.5, 0.5]), 3)
# tolerance: 0
def weighted(rng, x, p, n):
    return rng.choice(x, p=p), rng.choice(x, n, p=p), rng.choice(x, n, replace=False, p=p), rng.choice(len(x), (2, n), p=p)


#numptx export rows(Generator, float64[:,:])
# run: rows(np.random.default_rng(1), random((5, 3)))
# run: rows(np.random.default_rng(1), random((1, 3)))
# run: rows(np.random.default_rng(1), random((4, 6))[::2, ::-1])
# tolerance: 0
def rows(rng, x):
    y = x.copy()
    rng.shuffle(y)
    z = x.copy()
    rng.shuffle(z, axis=1)
    return y, z, rng.permutation(x), rng.permutation(x, axis=1), rng.permuted(x, axis=1), rng.permuted(x, axis=0), rng.choice(x, 2), rng.choice(x, 2, axis=1)


#numptx export vectors(Generator, float64[:], int list)
# run: vectors(np.random.default_rng(1), random(6), [1, 2, 3, 4, 5])
# run: vectors(np.random.default_rng(1), random(20)[::-3], [7])
# tolerance: 0
def vectors(rng, x, members):
    rng.shuffle(x)
    rng.shuffle(members)
    return rng.permutation(len(x)), rng.permutation(x), rng.permuted(x), rng.permutation(0)


#numptx export deck(int)
# run: deck(52)
# run: deck(0)
# tolerance: 0
def deck(n):
    rng = np.random.default_rng(99)
    cards = np.arange(n)
    rng.shuffle(cards)
    return cards[: n // 2], rng.choice(12000, 300, replace=False), rng.choice(20000, 10, replace=False)


#numptx export legacy(RandomState, float64[:], int)
# run: legacy(np.random.RandomState(1), random(9), 4)
# run: legacy(np.random.RandomState(1), random(4), 5)
# run: legacy(np.random.RandomState(1), array([]), 1)
# tolerance: 0
def legacy(rng, x, n):
    p = (np.abs(x) + 1.0) / np.sum(np.abs(x) + 1.0)
    y = x.copy()
    rng.shuffle(y)
    return (
        y,
        rng.choice(x),
        rng.choice(x, n),
        rng.choice(5, (2, n)),
        rng.choice(x, n, replace=False),
        rng.choice(x, n, p=p),
        rng.choice(x, 2, replace=False, p=p),
        rng.permutation(7),
        rng.permutation(x),
    )
