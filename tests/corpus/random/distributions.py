"""Every distribution: one number, an array, and parameters that are arrays."""

import numpy as np


#numptx export floats(Generator, float, float)
#numptx export floats(RandomState, float, float)
# run: floats(np.random.default_rng(1), 1.5, 0.7)
# run: floats(np.random.default_rng(1), 0.25, 3.0)
# run: floats(np.random.RandomState(1), 1.5, 0.7)
# run: floats(np.random.RandomState(1), 0.25, 3.0)
# tolerance: 0
def floats(rng, a, b):
    one = (
        rng.uniform(a, a + b),
        rng.normal(a, b),
        rng.lognormal(a, b),
        rng.exponential(b),
        rng.laplace(a, b),
        rng.gumbel(a, b),
        rng.logistic(a, b),
        rng.rayleigh(b),
        rng.gamma(a, b),
        rng.beta(a, b),
        rng.chisquare(a),
        rng.noncentral_chisquare(a, b),
        rng.f(a, b),
        rng.noncentral_f(a, b, 1.0),
        rng.standard_t(a),
        rng.standard_cauchy(),
        rng.standard_gamma(a),
        rng.standard_exponential(),
        rng.standard_normal(),
        rng.vonmises(a, b),
        rng.pareto(a),
        rng.weibull(a),
        rng.power(a),
        rng.wald(a, b),
        rng.triangular(0.0, a, a + b),
    )
    return one, rng.random()


#numptx export arrays(Generator, float, float64[:])
#numptx export arrays(RandomState, float, float64[:])
# run: arrays(np.random.default_rng(1), 1.5, array([0.5, 1.0, 2.0]))
# run: arrays(np.random.RandomState(1), 1.5, array([0.5, 1.0, 2.0]))
# run: arrays(np.random.default_rng(1), 1.5, array([]))
# run: arrays(np.random.default_rng(1), 1.5, arange(6.0)[1::2])
# tolerance: 0
def arrays(rng, a, b):
    n = len(b)
    return (
        rng.uniform(a, a + b),
        rng.uniform(-a, a, (2, n)),
        rng.normal(a, b, (2, n)),
        rng.lognormal(b, 0.5),
        rng.exponential(b),
        rng.laplace(b, b),
        rng.gamma(b, a),
        rng.beta(b, b[:, None]),
        rng.chisquare(b, n),
        rng.standard_t(b),
        rng.standard_gamma(b),
        rng.vonmises(b, a),
        rng.weibull(b),
        rng.wald(a, b),
        rng.triangular(-b, 0.0, b),
        rng.standard_cauchy(3),
        rng.standard_exponential((2, 2)),
        rng.rayleigh(size=()),
    )


#numptx export counts(Generator, int, float)
#numptx export counts(RandomState, int, float)
# run: counts(np.random.default_rng(1), 10, 0.3)
# run: counts(np.random.default_rng(1), 1000, 0.7)
# run: counts(np.random.RandomState(1), 10, 0.3)
# run: counts(np.random.RandomState(1), 1000, 0.7)
# tolerance: 0
def counts(rng, n, p):
    if not 0.0 < p < 1.0:
        p = 0.3
    one = (
        rng.binomial(n, p),
        rng.poisson(n * p),
        rng.negative_binomial(n, p),
        rng.geometric(p),
        rng.zipf(1.0 + p),
        rng.logseries(p),
        rng.hypergeometric(n, 2 * n, n),
    )
    many = (
        rng.binomial(n, p, 5),
        rng.binomial(np.arange(4), p),
        rng.poisson(np.array([0.5, 20.0]), (3, 2)),
        rng.poisson(size=2),
        rng.negative_binomial(n, p, (2, 2)),
        rng.geometric(p, 4),
        rng.zipf(2.5, 4),
        rng.logseries(np.array([0.1, 0.9])),
        rng.hypergeometric(np.array([5, 50]), 7, 6),
    )
    return one, many


#numptx export of_new_generators(Generator, int)
# run: of_new_generators(np.random.default_rng(3), 7)
# run: of_new_generators(np.random.Generator(np.random.MT19937(3)), 1)
# run: of_new_generators(np.random.default_rng(3), 0)
# tolerance: 0
def of_new_generators(rng, n):
    return (
        rng.random(n, dtype=np.float32),
        rng.random(dtype=np.float32),
        rng.standard_normal((n, 2), dtype=np.float32),
        rng.standard_normal(n, np.float64),
        rng.standard_exponential(n, dtype=np.float32),
        rng.standard_exponential(n, method="inv"),
        rng.standard_exponential(n, dtype=np.float32, method="inv"),
        rng.standard_gamma(0.5, n, dtype=np.float32),
    )


#numptx export several(Generator, int)
# run: several(np.random.default_rng(3), 7)
# run: several(np.random.default_rng(3), 0)
# tolerance: 0
def several(rng, n):
    return (
        rng.multinomial(20, [0.2, 0.3, 0.5]),
        rng.multinomial(n, np.array([0.5, 0.5]), 4),
        rng.multinomial(n, np.array([0.25, 0.75]), (2, 3)),
        rng.multivariate_hypergeometric([5, 20, 8], 12),
        rng.multivariate_hypergeometric([5, 20, 8], 30, 2, method="count"),
        rng.dirichlet([1.0, 2.0, 0.5], n),
        rng.dirichlet(np.array([0.01, 0.02]), 2),
    )


#numptx export legacy_several(RandomState, int)
# run: legacy_several(np.random.RandomState(3), 7)
# tolerance: 0
def legacy_several(rng, n):
    return rng.multinomial(20, [0.2, 0.3, 0.5]), rng.dirichlet([1.0, 2.0, 0.5], n), rng.tomaxint(3), rng.random_sample((2, 2))
