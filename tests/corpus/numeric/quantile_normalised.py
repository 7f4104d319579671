"""Expression of genes in samples: quantile normalisation, changes between groups, and control of false discoveries."""

import numpy as np


#numptx export quantile_normalised(float64[:,:])
# run: quantile_normalised(random((10, 4)))
# run: quantile_normalised(integers(0, 5, (3, 16))[:, ::-2].T / 4)
# run: quantile_normalised(random((1, 3)))
def quantile_normalised(expression):
    """All columns get the same values: of each rank the mean over columns. Equal values stay in their order."""
    order = np.argsort(expression, axis=0, kind="stable")
    means = np.take_along_axis(expression, order, axis=0).mean(axis=1)
    normalised = np.empty_like(expression)
    np.put_along_axis(normalised, order, means[:, None], axis=0)
    return normalised


#numptx export size_factors(int64[:,:])
# run: size_factors(integers(1, 200, (15, 4)))
# run: x = integers(5, 90, (20, 3)); x[5, 1] = 0; size_factors(x[::-2])
# run: size_factors(array([[3, 0], [2, 2]]))
def size_factors(counts):
    """By medians of ratios to the geometric means of genes; genes that some sample has not are left out."""
    with np.errstate(divide="ignore"):
        logarithms = np.log(counts)
    means = logarithms.mean(axis=1)
    used = np.isfinite(means)
    ratios = np.compress(used, logarithms, axis=0) - means[used, None]
    factors = np.exp(np.median(ratios, axis=0))
    return factors, np.log2(counts / factors + 1.0)


#numptx export changes(float64[:,:], bool[:])
# run: changes(random((9, 8)) + 1.0, arange(8) < 4)
# run: changes(random((14, 10))[::-2, ::2] * 9, array([True, False, True, False, True]))
# run: changes(zeros((0, 4)), array([True, True, False, False]))
def changes(expression, treated):
    """Fold changes as logarithms, moderated t statistics, and ranks by their size."""
    a, b = expression[:, treated], expression[:, ~treated]
    difference = a.mean(axis=1) - b.mean(axis=1)
    n, m = a.shape[1], b.shape[1]
    pooled = ((n - 1) * a.var(axis=1, ddof=1) + (m - 1) * b.var(axis=1, ddof=1)) / (n + m - 2)
    floor = np.quantile(np.sqrt(pooled), 0.9) if len(pooled) > 0 else np.float64(1.0)
    t = difference / ((np.sqrt(pooled) + floor) * np.sqrt(1 / n + 1 / m))
    return difference, t, np.argsort(np.argsort(-np.abs(t)))


#numptx export discoveries(float64[:], float)
# run: discoveries(random(30) ** 3, 0.1)
# run: discoveries((random(45) ** 2)[::-2], 0.2)
# run: discoveries(array([0.04, 0.04, 0.9, 0.001]), 0.05)
# run: discoveries(zeros(0), 0.05)
def discoveries(p, level):
    """Adjusted values by Benjamini and Hochberg, and by Holm, and which genes are below the level by both."""
    n = len(p)
    order = np.argsort(p)
    ranks = np.arange(1, n + 1)
    adjusted, holm = np.empty_like(p), np.empty_like(p)
    stepped_up = np.minimum.accumulate((p[order] * n / ranks)[::-1])[::-1]
    adjusted[order] = np.minimum(stepped_up, 1.0)
    holm[order] = np.fmin(np.maximum.accumulate(p[order] * (n - ranks + 1)), 1.0)
    return adjusted, holm, np.flatnonzero((adjusted < level) & (holm < level))
