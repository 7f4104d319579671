"""Portfolios of assets: means and covariances, least variance with constraints, weights that are not negative, factors, and ranks by momentum."""
# tolerance: 1e-8
import numpy as np


def shrunk_covariance(returns, share):
    """The sample's, of which a part is replaced by a matrix with one variance and one correlation for all."""
    sample = np.cov(returns, rowvar=False)
    deviations = np.sqrt(np.diag(sample))
    correlations = sample / np.outer(deviations, deviations)
    others = correlations[~np.eye(len(sample), dtype=bool)]
    target = others.mean() * np.outer(deviations, deviations)
    target[np.diag_indices(len(sample))] = np.diag(sample)
    return (1.0 - share) * sample + share * target


#numptx export frontier(float64[:,:], float64[:])
# run: frontier(random((30, 4)) - 0.45, linspace(0.0, 0.1, 5))
# run: frontier((random((3, 50)) - 0.4).T[::-2], array([0.05, 9.0, 0.1])[::2])
# run: frontier(random((12, 2)), zeros(0))
def frontier(returns, goals):
    """Weights of least variance for each expected return, by one system of equations with multipliers; and the deviations."""
    mean, covariance = returns.mean(axis=0), shrunk_covariance(returns, 0.2)
    n = len(mean)
    conditions = np.vstack((mean, np.ones(n)))
    system = np.block([[covariance, conditions.T], [conditions, np.zeros((2, 2))]])
    right = np.zeros((n + 2, len(goals)))
    right[n], right[n + 1] = goals, 1.0
    weights = np.linalg.solve(system, right)[:n]
    return weights, np.sqrt(np.einsum("ik,ij,jk->k", weights, covariance, weights))


#numptx export on_simplex(float64[:])
# run: on_simplex(array([0.5, -0.2, 0.9, 0.1]))
# run: on_simplex((random(14) * 3 - 1)[::-2])
# run: on_simplex(array([-7.0]))
def on_simplex(weights):
    """The nearest weights that are not negative and have the sum 1."""
    ordered = np.sort(weights)[::-1]
    excess = (np.cumsum(ordered) - 1.0) / np.arange(1, len(weights) + 1)
    n_used = np.count_nonzero(ordered > excess)
    return np.maximum(weights - excess[n_used - 1], 0.0)


#numptx export factors(float64[:,:], int)
# run: factors(random((25, 5)), 2)
# run: factors(random((4, 44)).T[::-2], 1)
# run: factors(random((6, 2)), 2)
def factors(returns, n):
    """The share of variance of each principal component, what the first ones leave of each asset, and correlations of what is left."""
    centred = returns - returns.mean(axis=0)
    u, s, vt = np.linalg.svd(centred, full_matrices=False)
    kept = (u[:, :n] * s[:n]) @ vt[:n]
    rest = centred - kept
    return s**2 / np.sum(s**2), rest.std(axis=0) + 1.0, np.abs(vt[0])


#numptx export by_momentum(float64[:,:], int, int)
# run: by_momentum(random((14, 7)) + 1.0, 4, 2)
# run: by_momentum((random((6, 40)) + 1.0).T[::-2], 7, 3)
# run: by_momentum(random((2, 3)) + 1.0, 1, 1)
def by_momentum(prices, window, n):
    """Of each day the assets that gained most over a window, in order of their numbers, and what they gain the day after."""
    gains = prices[window:-1] / prices[: -window - 1] - 1.0
    best = np.sort(np.argpartition(-gains, n - 1, axis=1)[:, :n], axis=1)
    following = prices[window + 1 :] / prices[window:-1] - 1.0
    held = np.take_along_axis(following, best, axis=1)
    return best, np.cumprod(1.0 + held.mean(axis=1))
