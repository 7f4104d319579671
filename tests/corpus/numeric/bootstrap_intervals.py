"""Uncertainties by drawing anew: bootstrap intervals, and a permutation test of counts."""

import numpy as np


def resampled(x, n_draws, rng):
    """Samples as large as `x`, drawn from it with replacement, one a row."""
    return x[rng.integers(0, len(x), size=(n_draws, len(x)))]


#numptx export interval_of_mean(float64[:], int, int)
# run: interval_of_mean(random(25), 200, 7)
# run: interval_of_mean(random(30)[::-2], 100, 0)
# run: interval_of_mean(array([2.0]), 10, 3)
def interval_of_mean(x, n_draws, seed):
    means = resampled(x, n_draws, np.random.default_rng(seed)).mean(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return means.std(ddof=1), 2 * x.mean() - high, 2 * x.mean() - low


#numptx export interval_of_slope(float64[:], float64[:], int, int)
# run: interval_of_slope(random(20), random(20), 60, 1)
# run: interval_of_slope(arange(30.0)[::-2], random(15), 40, 2)
# run: interval_of_slope(array([0.0, 1.0, 3.0]), array([2.0, 1.0, 4.0]), 9, 5)
def interval_of_slope(x, y, n_draws, seed):
    """Residuals of a straight line are drawn anew; the slope is fitted to each draw."""
    slope, offset = np.polyfit(x, y, 1)
    fitted = offset + slope * x
    drawn = fitted + resampled(y - fitted, n_draws, np.random.default_rng(seed))
    slopes = np.polyfit(x, drawn.T, 1)[0]
    return slope, np.quantile(slopes, [0.05, 0.95]), slopes.std()


#numptx export permutation_test(int64[:], int64[:], int, int)
# run: permutation_test(integers(0, 20, 9), integers(5, 25, 9), 100, 4)
# run: permutation_test(integers(0, 20, 14)[::2], integers(0, 20, 5), 50, 11)
# run: permutation_test(array([3]), array([3]), 6, 0)
def permutation_test(x, y, n_draws, seed):
    """How often groups by chance differ as much as these do; sums stand for means, so that nothing is rounded."""
    rng = np.random.default_rng(seed)
    both = np.concatenate((x, y))

    def difference(values):
        return abs(len(y) * values[: len(x)].sum() - len(x) * values[len(x) :].sum())

    observed = difference(both)
    as_large = np.array([difference(rng.permutation(both)) >= observed for _ in range(n_draws)], dtype=bool)
    return observed, (np.count_nonzero(as_large) + 1) / (n_draws + 1)
