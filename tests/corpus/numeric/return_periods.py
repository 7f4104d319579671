"""Floods: the largest discharge of each year, return levels by Gumbel's distribution, and independent peaks over a threshold."""

import numpy as np


def starts_of_runs(x):
    """Where a run of equal values begins."""
    return np.flatnonzero(np.r_[True, x[1:] != x[:-1]])


#numptx export yearly_maxima(float64[:], int64[:])
# run: yearly_maxima(random(60), 1990 + arange(60) // 12)
# run: yearly_maxima(random(80)[::-2], 2000 + arange(120)[::3] // 50)
# run: yearly_maxima(array([2.0, nan, 1.0]), array([1, 1, 2]))
def yearly_maxima(discharge, year):
    """Of each year the maximum, the day of it, the mean, and how many days there are."""
    starts = starts_of_runs(year)
    largest = np.maximum.reduceat(discharge, starts)
    lengths = np.diff(starts, append=len(year))
    means = np.add.reduceat(discharge, starts) / lengths
    days = np.arange(len(year)) - np.repeat(starts, lengths)
    is_largest = discharge == np.repeat(largest, lengths)
    first = np.minimum.reduceat(np.where(is_largest, days, 366), starts)
    return year[starts], largest, first, means, lengths


#numptx export return_levels(float64[:], float64[:])
# run: return_levels(random(20) * 100 + 50, array([2.0, 10.0, 50.0, 100.0]))
# run: return_levels((random(45) * 30)[::-3], array([5.0]))
# run: return_levels(array([4.0, 7.0]), zeros(0))
def return_levels(maxima, periods):
    """By the first two probability-weighted moments; beside them Gringorten's empirical periods of the maxima."""
    ordered = np.sort(maxima)
    n = len(ordered)
    first = np.sum(np.arange(n) * ordered) / (n * (n - 1))
    scale = (2 * first - ordered.mean()) / np.log(2.0)
    location = ordered.mean() - np.euler_gamma * scale
    levels = location - scale * np.log(-np.log1p(-1.0 / periods))
    ranks = np.empty(n, dtype=np.int64)
    ranks[np.argsort(maxima)] = np.arange(1, n + 1)
    empirical = 1.0 / (1.0 - (ranks - 0.44) / (n + 0.12))
    fit = np.exp(-np.exp(-(ordered - location) / scale))
    return (location, scale), levels, empirical, np.max(np.abs(fit - np.arange(1, n + 1) / n))


#numptx export peaks_over(float64[:], float, int)
# run: peaks_over(random(60), 0.7, 3)
# run: peaks_over((random(90) ** 2)[::-2], 0.5, 0)
# run: peaks_over(random(9), 2.0, 1)
def peaks_over(discharge, threshold, gap):
    """Days over a threshold that are no more than `gap` days apart are one flood: where each peaks, its volume above, its length."""
    days = np.flatnonzero(discharge > threshold)
    if days.size == 0:
        return days, np.zeros(0), days
    event = np.cumsum(np.diff(days, prepend=days[0]) > gap + 1)
    starts = starts_of_runs(event)
    above = discharge[days] - threshold
    order = np.lexsort((-above, event))
    volume = np.add.reduceat(above, starts)
    return days[order[starts]], volume, np.bincount(event)
