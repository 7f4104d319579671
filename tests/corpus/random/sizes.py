"""Sizes: none is a number, `()` an array without axes; lists and tuples."""

import numpy as np


#numptx export without_axes(Generator, float64[:], float64[:,:])
# run: without_axes(np.random.default_rng(3), arange(5.0), random((5, 2)))
# tolerance: 0
def without_axes(rng, x, y):
    p = [0.1, 0.2, 0.3, 0.2, 0.2]
    drawn = (
        rng.random(()),
        rng.random((), np.float32),
        rng.standard_gamma(2.0, ()),
        rng.normal(size=()),
        rng.poisson(3.0, ()),
        rng.integers(5, size=()),
        rng.integers(5, size=(), dtype=np.int8),
        rng.integers(2, size=(), dtype=bool),
        rng.bit_generator.random_raw(()),
        rng.multinomial(5, [0.5, 0.5], ()),
        rng.multivariate_hypergeometric([5, 5], 4, ()),
        rng.dirichlet([1.0, 2.0], ()),
    )
    chosen = (
        rng.choice(5, ()),
        rng.choice(5, (), replace=False),
        rng.choice(5, (), p=p),
        rng.choice(5, (), p=p, replace=False),
        rng.choice(x, ()),
        rng.choice(x, (), replace=False),
        rng.choice(x, (), p=p),
        rng.choice(x, (), p=p, replace=False),
        rng.choice(y, ()),
        rng.choice(y, (), axis=1),
    )
    return drawn, chosen


#numptx export legacy_without_axes(RandomState, float64[:])
# run: legacy_without_axes(np.random.RandomState(3), arange(5.0))
# tolerance: 0
def legacy_without_axes(rng, x):
    p = [0.1, 0.2, 0.3, 0.2, 0.2]
    return (
        rng.random_sample(()),
        rng.standard_normal(()),
        rng.poisson(3.0, ()),
        rng.randint(5, size=()),
        rng.randint(5, size=(), dtype=np.int8),
        rng.tomaxint(()),
        rng.multinomial(5, [0.5, 0.5], ()),
        rng.choice(5, ()),
        rng.choice(x, ()),
        rng.choice(x, (), replace=False),
        rng.choice(x, (), p=p),
        rng.choice(x, (), p=p, replace=False),
    )


#numptx export numbers(Generator, RandomState, float64[:], float64[:,:])
# run: numbers(np.random.default_rng(3), np.random.RandomState(3), arange(5.0), random((5, 2)))
# tolerance: 0
def numbers(rng, old, x, y):
    p = [0.1, 0.2, 0.3, 0.2, 0.2]
    return (
        (rng.random(), rng.random(None, np.float32), rng.standard_gamma(np.float64(2.0)), rng.poisson(3.0)),
        (rng.integers(5), rng.integers(5, dtype=np.int8), rng.integers(2, dtype=bool), rng.integers(5, dtype=int), rng.integers(2, dtype=np.bool_)),
        (rng.choice(5, p=p), rng.choice(5, replace=False), rng.choice(x, p=p), rng.choice(x, replace=False), rng.choice(y), rng.choice(y, axis=1)),
        (old.randint(5), old.randint(5, dtype=np.int8), old.randint(2, dtype=bool), old.tomaxint(), old.choice(5), old.choice(x), old.choice(x, p=p)),
    )


#numptx export lists(Generator, float64[:], int)
# run: lists(np.random.default_rng(3), arange(5.0), 2)
# run: lists(np.random.default_rng(3), arange(5.0), 0)
# tolerance: 0
def lists(rng, x, n):
    p = [0.1, 0.2, 0.3, 0.2, 0.2]
    return (
        rng.random([n, 2]),
        rng.integers(5, size=[n]),
        rng.multinomial(5, [0.5, 0.5], [n, 2]),
        rng.dirichlet([1.0, 2.0], [n]),
        rng.choice(5, [n, 2]),
        rng.choice(x, [n, 2]),
        rng.choice(x, [n, 2], replace=False),
        rng.choice(x, [n, 2], p=p),
        rng.choice(x, [n], p=p, replace=False),
        rng.multinomial(5, [0.5, 0.5], []),
    )


#numptx export negative(Generator, int, int)
# run: negative(np.random.default_rng(3), 0, -1)
# run: negative(np.random.default_rng(3), 1, -2)
# run: negative(np.random.default_rng(3), 2, -1)
# run: negative(np.random.default_rng(3), 3, -1)
# run: negative(np.random.default_rng(3), 4, -1)
# run: negative(np.random.default_rng(3), 4, 0)
# tolerance: 0
def negative(rng, which, n):
    if which == 0:
        return rng.multinomial(5, [0.5, 0.5], n).astype(np.float64)
    if which == 1:
        return rng.dirichlet([1.0, 2.0], n)
    if which == 2:
        return rng.multivariate_hypergeometric([5, 5], 4, n).astype(np.float64)
    if which == 3:
        return rng.dirichlet([1.0, 2.0], (n,))
    return np.sum(rng.dirichlet([1.0, 2.0], (n, 3)), axis=0)
