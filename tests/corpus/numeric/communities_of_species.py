"""Species in samples: diversity, rarefaction, species not seen yet, turnover between sites, and how samples add up."""
# tolerance: 1e-9
import itertools
import math

import numpy as np

try:
    from scipy.special import gammaln, xlogy
except ImportError:
    gammaln = np.vectorize(math.lgamma, otypes=[np.float64])

    def xlogy(x, y):
        return np.where(x == 0, 0.0, x * np.log(np.where(x == 0, 1.0, y)))


def log_choose(n, k):
    return gammaln(n + 1.0) - gammaln(k + 1.0) - gammaln(n - k + 1.0)


#numptx export diversities(int64[:,:])
# run: diversities(integers(0, 30, (5, 8)))
# run: diversities(integers(0, 9, (12, 6)).T[::-1, ::2])
# run: diversities(zeros((2, 3), int64))
# run: diversities(array([[7]]))
def diversities(counts):
    """Of sites, one a row: how many species, entropy, Simpson's index, evenness, Hill's numbers of three orders, and Chao's estimate."""
    n = counts.sum(axis=1)
    shares = np.divide(counts, n[:, None], out=np.zeros(counts.shape), where=n[:, None] > 0)
    richness = np.count_nonzero(counts, axis=1)
    entropy = -xlogy(shares, shares).sum(axis=1)
    simpson = 1.0 - np.sum(shares**2, axis=1)
    even = np.full(len(counts), np.nan)
    np.divide(entropy, np.log(np.maximum(richness, 1)), out=even, where=richness > 1)
    orders = np.array([0.5, 2.0, 3.0])
    hill = np.power(np.where(shares[:, None] > 0, shares[:, None], 1.0), orders[:, None])
    hill = np.where(shares[:, None] > 0, hill, 0.0).sum(axis=-1) ** (1.0 / (1.0 - orders))
    once, twice = np.sum(counts == 1, axis=1), np.sum(counts == 2, axis=1)
    return richness, entropy, simpson, even, hill, richness + once * (once - 1) / (2 * (twice + 1))


#numptx export rarefied(int64[:], int64[:])
# run: rarefied(integers(0, 40, 12), arange(1, 30, 4))
# run: rarefied(integers(1, 20, 24)[::-3], array([9, 3, 6])[::-1])
# run: rarefied(array([5]), array([1, 5]))
# run: rarefied(array([2, 3]), zeros(0, int64))
# run: rarefied(array([2, 3]), array([4, 6]))
def rarefied(counts, sizes):
    """How many species a smaller sample would have had, by Hurlbert, and the chance that two of its individuals differ."""
    n = counts.sum()
    if np.any(sizes > n):
        raise ValueError(f"samples of {sizes.max()} out of {n} individuals")
    there = np.trim_zeros(np.sort(counts), "f")
    absent = n - there
    possible = np.maximum(absent - sizes[:, None], 0)
    missed = np.exp(log_choose(absent, absent - possible) - log_choose(n, sizes)[:, None])
    missed[absent < sizes[:, None]] = 0.0
    return np.sum(1.0 - missed, axis=1), 1.0 - np.sum(there * (there - 1)) / max(n * (n - 1), 1)


#numptx export turnover(int64[:,:])
# run: turnover(integers(0, 6, (6, 9)))
# run: turnover(integers(0, 3, (14, 10))[::-3, ::2])
# run: turnover(array([[1, 0, 2], [0, 0, 0]]))
# run: turnover(ones((1, 4), int64))
def turnover(counts):
    """Distances between sites by Bray and Curtis, shared, lost and gained species by Jaccard, and what all sites have."""
    n_sites = len(counts)
    distances = np.zeros((n_sites, n_sites))
    similar = np.eye(n_sites)
    for i, j in itertools.combinations(range(n_sites), 2):
        a, b = np.flatnonzero(counts[i]), np.flatnonzero(counts[j])
        both, either = np.intersect1d(a, b, assume_unique=True), np.union1d(a, b)
        total = counts[i].sum() + counts[j].sum()
        distances[i, j] = distances[j, i] = np.abs(counts[i] - counts[j]).sum() / total if total > 0 else 0.0
        similar[i, j] = similar[j, i] = len(both) / len(either) if len(either) > 0 else 1.0
    common = np.flatnonzero(np.logical_and.reduce(counts > 0, axis=0))
    return distances, similar, common, np.setxor1d(np.flatnonzero(counts[0]), np.flatnonzero(counts[-1]))


#numptx export accumulated(int64[:,:], int, Generator)
# run: accumulated(integers(0, 3, (7, 11)), 40, np.random.default_rng(5))
# run: accumulated(integers(0, 2, (8, 12)).T[::-2], 25, np.random.default_rng(1))
# run: accumulated(zeros((3, 0), int64), 4, np.random.default_rng(2))
# run: accumulated(array([[0, 4]]), 2, np.random.default_rng(3))
def accumulated(counts, n_orders, rng):
    """Species seen after each site, over random orders of sites: the mean, and where nine tenths of the orders lie; and the last order."""
    seen = counts > 0
    curves = np.empty((n_orders, len(counts)))
    order = np.arange(len(counts))
    for k in range(n_orders):
        rng.shuffle(order)
        curves[k] = np.logical_or.accumulate(seen[order], axis=0).sum(axis=1)
    return curves.mean(axis=0), np.percentile(curves, [5, 95], axis=0, method="median_unbiased"), order


#numptx export ranks_of_abundance(int64[:], int, int)
# run: ranks_of_abundance(integers(0, 300, 25), 60, 4)
# run: ranks_of_abundance(integers(0, 50, 16)[::-2], 12, 7)
# run: ranks_of_abundance(array([3, 0, 3]), 5, 1)
def ranks_of_abundance(counts, n_drawn, seed):
    """Octaves of Preston, the slope of the geometric series, and a subsample that is drawn without putting back."""
    there = np.sort(counts[counts > 0])[::-1]
    octaves = np.bincount(np.frexp(there)[1] - 1)
    slope = np.polynomial.polynomial.polyfit(np.arange(len(there)), np.log(there), 1)[1] if there[0] > there[-1] else 0.0
    individuals = np.repeat(np.arange(len(counts)), counts)
    drawn = np.random.default_rng(seed).choice(individuals, n_drawn, replace=False)
    found, how_often = np.unique(drawn, return_counts=True)
    return octaves, 1.0 - np.exp(slope), found[np.argsort(-how_often, kind="stable")], np.isin(np.flatnonzero(counts), found)
