"""The functions of `np.random`, which draw of the state that NumPy keeps, and `RandomState`."""

import numpy as np


#numptx export seeded(int, int)
# run: seeded(0, 5)
# run: seeded(4294967295, 1)
# run: seeded(-1, 1)
# run: seeded(4294967296, 1)
# tolerance: 0
def seeded(seed, n):
    np.random.seed(seed)
    return (
        np.random.rand(),
        np.random.rand(n, 2),
        np.random.randn(),
        np.random.randn(n),
        np.random.random(n),
        np.random.random(),
        np.random.random_sample(2),
        np.random.normal(1.0, 2.0, n),
        np.random.normal(),
        np.random.uniform(-1.0, 1.0, (n, 1)),
        np.random.randint(0, 10, n),
        np.random.randint(10),
        np.random.choice(7, n),
        np.random.permutation(n),
        np.random.exponential(2.0),
        np.random.poisson(3.0, n),
        np.random.binomial(10, 0.5),
    )


#numptx export noise(float64[:], float)
# run: noise(arange(5.0), 0.5)
# run: noise(array([]), 0.5)
# tolerance: 0
def noise(x, scale):
    np.random.seed(12)
    y = x.copy()
    for k in range(len(x)):
        y[k] += scale * np.random.randn()
    np.random.shuffle(y)
    return y


def flipped():
    return np.random.rand() < 0.5


#numptx export coins(int)
# run: coins(40)
# run: coins(0)
# tolerance: 0
def coins(n):
    np.random.seed(1)
    heads = 0
    for _ in range(n):
        if flipped():
            heads += 1
    return heads


#numptx export states(int, int64[:])
# run: states(3, array([1, 2, 3]))
# run: states(3, array([5]))
# run: states(3, array([], dtype=int64))
# run: states(3, array([-1]))
# tolerance: 0
def states(seed, seeds):
    a = np.random.RandomState(seed)
    b = np.random.RandomState(seeds)
    c = np.random.RandomState(np.random.PCG64(seed))
    d = np.random.RandomState(seed)
    d.seed(seed + 1)
    return a.standard_normal(3), a.standard_normal(), a.rand(), b.rand(3), c.standard_normal(), c.standard_normal(), d.randn(2, 2)


#numptx export of_callers(RandomState, int)
# run: of_callers(np.random.RandomState(2), 3)
# run: of_callers(np.random.RandomState(np.random.Philox(2)), 3)
# run: rng = np.random.RandomState(2); rng.standard_normal(); of_callers(rng, 1)
# tolerance: 0
def of_callers(rng, n):
    return rng.standard_normal(), rng.normal(size=n), rng.rand(n), rng.standard_normal()
