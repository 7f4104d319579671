"""Monthly temperatures of stations, with gaps: seasonal means, anomalies, trends, and months that were extreme."""
# tolerance: 1e-10
import numpy as np


def by_year(series):
    """Months along the second axis; the last year is filled up with nan."""
    n_missing = -len(series) % 12
    return np.pad(series, ((0, n_missing), (0, 0)), constant_values=np.nan).reshape(-1, 12, series.shape[1])


def anomalies(series):
    """What each month differs from the mean of all such months, in standard deviations of these."""
    years = by_year(series)
    climatology, spread = np.nanmean(years, axis=0), np.nanstd(years, axis=0, ddof=1)
    n_years = years.shape[0]
    flat = (len(series), series.shape[1])
    usual = np.tile(climatology, (n_years, 1))[: flat[0]]
    return series - usual, (series - usual) / np.tile(spread, (n_years, 1))[: flat[0]]


#numptx export standardised(float64[:,:], int64[:])
# run: standardised(10.0 + random((60, 2)) * 5, array([3, 17, 40]))
# run: standardised((random((2, 100)) * 9).T[::-2], zeros(0, int64))
# run: standardised(random((27, 1)), array([26]))
def standardised(series, lost):
    gaps = np.isin(np.arange(len(series)), lost)
    series = np.where(gaps[:, None], np.nan, series)
    difference, score = anomalies(series)
    return difference, score, np.nanmax(np.abs(score), axis=0), np.nansum(difference, axis=0) / (len(series) - len(lost)) + 1.0


#numptx export trends(float64[:,:])
# run: x = random((60, 3)) + linspace(0, 2, 60)[:, None]; x[5, 0] = x[30:34, 2] = nan; trends(x)
# run: trends(cumsum(random((2, 82)), axis=1).T[::2])
# run: trends(array([[1.0], [nan], [2.0]]))
def trends(series):
    """Per decade, a straight line through the months that are there, its coefficient of determination, and the rest's spread."""
    time = np.arange(len(series)) / 120.0
    slopes, explained = np.empty(series.shape[1]), np.empty(series.shape[1])
    rest = np.full_like(series, np.nan)
    for k, column in enumerate(series.T):
        there = np.isfinite(column)
        coefficients = np.polyfit(time[there], column[there], 1)
        rest[there, k] = column[there] - np.polyval(coefficients, time[there])
        slopes[k] = coefficients[0]
        explained[k] = 1.0 - np.nanvar(rest[:, k]) / np.nanvar(column)
    return slopes, explained, rest + 1.0


#numptx export record_months(float64[:,:])
# run: x = random((48, 3)); x[11] = nan; record_months(x)
# run: record_months(random((2, 70))[:, ::-2].T)
# run: record_months(arange(12.0)[:, None])
def record_months(series):
    """The warmest and the coldest month of each station as year and month, and by station the share above the 90th percentile in each year."""
    warmest, coldest = np.nanargmax(series, axis=0), np.nanargmin(series, axis=0)
    limit = np.nanpercentile(series, 90, axis=0)
    hot = by_year(np.where(series > limit, 1.0, 0.0))
    return np.divmod(warmest, 12), np.divmod(coldest, 12), np.nanmean(hot, axis=1)
