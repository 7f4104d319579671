"""What NumPy refuses, in its words: of scalars and of arrays. The generator has drawn nothing then."""

import numpy as np


#numptx export of_scalars(Generator, int, float)
#numptx export of_scalars(RandomState, int, float)
# run: of_scalars(np.random.default_rng(1), 0, -1.0)
# run: of_scalars(np.random.default_rng(1), 0, -0.0)
# run: of_scalars(np.random.default_rng(1), 1, 0.0)
# run: of_scalars(np.random.default_rng(1), 2, 1.5)
# run: of_scalars(np.random.default_rng(1), 2, nan)
# run: of_scalars(np.random.default_rng(1), 3, nan)
# run: of_scalars(np.random.default_rng(1), 3, -1.0)
# run: of_scalars(np.random.default_rng(1), 3, 1e19)
# run: of_scalars(np.random.default_rng(1), 4, 1.0)
# run: of_scalars(np.random.default_rng(1), 5, 1.0)
# run: of_scalars(np.random.default_rng(1), 6, inf)
# run: of_scalars(np.random.default_rng(1), 6, -1.0)
# run: of_scalars(np.random.default_rng(1), 7, 0.0)
# run: of_scalars(np.random.default_rng(1), 8, 0.0)
# run: of_scalars(np.random.default_rng(1), 9, 0.0)
# run: of_scalars(np.random.RandomState(1), 6, inf)
# run: of_scalars(np.random.RandomState(1), 6, -1.0)
# run: of_scalars(np.random.RandomState(1), 8, 0.0)
# run: of_scalars(np.random.RandomState(1), 9, 0.0)
# tolerance: 0
def of_scalars(rng, which, x):
    if which == 0:
        return rng.normal(0.0, x)
    if which == 1:
        return rng.beta(1.0, x)
    if which == 2:
        return float(rng.binomial(3, x))
    if which == 3:
        return float(rng.poisson(x))
    if which == 4:
        return float(rng.zipf(x))
    if which == 5:
        return float(rng.logseries(x))
    if which == 6:
        return rng.uniform(0.0, x)
    if which == 7:
        return rng.triangular(1.0, x, 2.0)
    if which == 8:
        return float(rng.geometric(x))
    return float(rng.negative_binomial(3.0, x))


#numptx export of_arrays(Generator, int, float64[:])
# run: of_arrays(np.random.default_rng(1), 0, array([1.0, -1.0]))
# run: of_arrays(np.random.default_rng(1), 1, array([0.5, nan]))
# run: of_arrays(np.random.default_rng(1), 2, array([0.5, nan]))
# run: of_arrays(np.random.default_rng(1), 3, array([0.5, 1.0]))
# tolerance: 0
def of_arrays(rng, which, x):
    if which == 0:
        return rng.normal(0.0, x)
    if which == 1:
        return rng.binomial(3, x).astype(np.float64)
    if which == 2:
        return rng.poisson(x).astype(np.float64)
    return rng.zipf(x).astype(np.float64)


#numptx export sizes(Generator, int)
# run: sizes(np.random.default_rng(1), 3)
# run: sizes(np.random.default_rng(1), -1)
def sizes(rng, n):
    return rng.random(n), rng.normal(size=(2, n))
