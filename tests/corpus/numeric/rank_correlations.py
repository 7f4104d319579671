"""Statistics of ranks: correlations of Spearman and Kendall, and tests whether groups differ."""

import numpy as np


def mid_ranks(x):
    """Ranks from 1 on; equal values share the mean of theirs. Also how many equal ones there are of each."""
    _, inverse, counts = np.unique(x, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[inverse], counts


#numptx export spearman(float64[:], float64[:])
# run: spearman(random(15), random(15))
# run: spearman(integers(0, 5, 24)[::2] / 4, integers(0, 3, 24)[::-2] / 2)
# run: spearman(arange(2.0), arange(2.0)[::-1])
def spearman(x, y):
    return np.corrcoef(mid_ranks(x)[0], mid_ranks(y)[0])[0, 1]


#numptx export spearman_matrix(float64[:,:])
# run: spearman_matrix(random((12, 4)))
# run: spearman_matrix(integers(0, 4, (5, 14))[::2, ::-1].T / 3)
# run: spearman_matrix(random((3, 2)))
def spearman_matrix(x):
    ranks = np.apply_along_axis(lambda column: mid_ranks(column)[0], 0, x)
    return np.corrcoef(ranks, rowvar=False)


#numptx export kendall(float64[:], float64[:])
# run: kendall(random(13), random(13))
# run: kendall(integers(0, 4, 12) / 3, integers(0, 4, 24)[::-2] / 3)
# run: kendall(zeros(3), arange(3.0))
def kendall(x, y):
    """Kendall's tau-b."""
    pairs = np.triu_indices(len(x), k=1)
    of_x = np.sign(np.subtract.outer(x, x))[pairs]
    of_y = np.sign(np.subtract.outer(y, y))[pairs]
    return np.sum(of_x * of_y) / np.sqrt(np.count_nonzero(of_x) * np.count_nonzero(of_y))


#numptx export mann_whitney(float64[:], float64[:])
# run: mann_whitney(random(9), random(12) + 0.3)
# run: mann_whitney(integers(0, 5, 14)[::2] / 4, integers(2, 6, 6) / 4)
# run: mann_whitney(random(1), random(1))
def mann_whitney(x, y):
    n, m = len(x), len(y)
    ranks, counts = mid_ranks(np.concatenate((x, y)))
    u = ranks[:n].sum() - n * (n + 1) / 2
    total = n + m
    ties = np.sum(counts**3 - counts)
    variance = n * m / 12 * (total + 1 - ties / (total * (total - 1)))
    return u, (u - n * m / 2) / np.sqrt(variance)


#numptx export kruskal(float64[:], int64[:])
# run: kruskal(random(18), integers(0, 3, 18))
# run: kruskal(random(40)[::-2], arange(20) % 4)
# run: kruskal(array([1.0, 2.0, 2.0]), array([7, -1, 7]))
def kruskal(x, group):
    ranks, counts = mid_ranks(x)
    names, which = np.unique(group, return_inverse=True)
    sizes, sums = np.bincount(which), np.bincount(which, weights=ranks)
    n = len(x)
    statistic = 12 / (n * (n + 1)) * np.sum(sums**2 / sizes) - 3 * (n + 1)
    return names, sums / sizes, statistic / (1 - np.sum(counts**3 - counts) / (n**3 - n))
