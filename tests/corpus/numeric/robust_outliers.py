"""Measurements with outliers and gaps: scores by medians, Tukey's fences, and estimates that few outliers do not move."""

import numpy as np


def centre_and_spread(x):
    """The median of each column and its median absolute deviation, scaled as a standard deviation; nan is left out."""
    centre = np.nanmedian(x, axis=0)
    return centre, 1.4826 * np.nanmedian(np.abs(x - centre), axis=0)


#numptx export screened(float64[:,:], float)
# run: x = random((21, 3)); x[4] = 9.0; x[7, 1] = nan; screened(x, 3.5)
# run: x = random((24, 4)); x[2, 3] = -8.0; screened(x.T[:, ::2], 2.5)
# run: screened(random((1, 3)), 1.0)
def screened(x, limit):
    centre, spread = centre_and_spread(x)
    scores = np.abs(x - centre) / np.where(spread > 0, spread, 1.0)
    kept = np.where(scores > limit, np.nan, x)
    return kept, np.nanmean(kept, axis=0), np.nanstd(kept, axis=0, ddof=0), np.count_nonzero(scores > limit, axis=0)


#numptx export within_fences(float64[:,:], float)
# run: x = random((20, 3)); x[3] = 5.0; x[5, 0] = nan; within_fences(x, 1.5)
# run: x = random((5, 26)); x[1, 4] = -3.0; within_fences(x.T[::-2], 1.0)
# run: within_fences(random((3, 1)), 0.0)
def within_fences(x, reach):
    first, third = np.nanpercentile(x, [25, 75], axis=0)
    margin = reach * (third - first)
    low, high = first - margin, third + margin
    outside = (x < low) | (x > high)
    worst = np.nanargmax(np.abs(x - (first + third) / 2), axis=0)
    return np.clip(x, low, high), outside.any(axis=1), x[worst, np.arange(x.shape[1])]


#numptx export location_estimates(float64[:])
# run: location_estimates(append(random(30), 50.0))
# run: location_estimates(random(33)[::-3])
# run: location_estimates(random(1))
def location_estimates(x):
    """Trimmed and winsorised means, the trimean, and the median of all means of two."""
    ordered = np.sort(x)
    cut = len(x) // 5
    trimmed = ordered[cut : len(x) - cut].mean()
    winsorised = np.clip(x, ordered[cut], ordered[-cut - 1]).mean()
    trimean = np.average(np.quantile(x, [0.25, 0.5, 0.75]), weights=[1, 2, 1])
    i, j = np.triu_indices(len(x))
    return trimmed, winsorised, trimean, np.median((x[i] + x[j]) / 2)
