"""Brightness of variable stars: outliers clipped, periods by least squares of sines, curves folded and averaged by phase, transits."""
# tolerance: 1e-9
import numpy as np


def clipped(flux, limit):
    """Which measurements are left when those far from the median are taken out, again and again."""
    kept = np.isfinite(flux)
    while True:
        centre, spread = np.median(flux[kept]), np.std(flux[kept])
        inside = kept & (np.abs(np.nan_to_num(flux, nan=np.inf) - centre) <= limit * spread)
        if inside.sum() in (0, kept.sum()):
            return kept
        kept = inside


#numptx export periodogram(float64[:], float64[:], float64[:])
# run: t = cumsum(random(40)); periodogram(t, sin(2.1 * t) + 0.2 * random(40), linspace(0.05, 0.6, 23))
# run: t = cumsum(random(60))[::-2]; periodogram(t, cos(t) + random(30), (random(12) + 0.1)[::2])
# run: periodogram(array([0.0, 1.0, 2.5]), array([1.0, nan, 2.0]), array([0.3]))
def periodogram(time, flux, frequencies):
    """By Lomb and Scargle: the power of each frequency, the best one, and its period."""
    residual = flux - flux.mean()
    angle = 2 * np.pi * np.multiply.outer(frequencies, time)
    offset = np.arctan2(np.sin(2 * angle).sum(axis=1), np.cos(2 * angle).sum(axis=1)) / 2
    cosine, sine = np.cos(angle - offset[:, None]), np.sin(angle - offset[:, None])
    power = (cosine @ residual) ** 2 / np.sum(cosine**2, axis=1) + (sine @ residual) ** 2 / np.sum(sine**2, axis=1)
    best = np.argmax(power)
    return power / (2 * np.var(flux)), best, 1.0 / frequencies[best]


#numptx export folded(float64[:], float64[:], float, int)
# run: t = cumsum(random(60)); x = 1 + sin(3 * t); x[7] = 99.0; x[9] = nan; folded(t, x, 2.0943951, 8)
# run: t = cumsum(random(90))[::-2]; folded(t, cos(t) + 0.1 * random(45), 6.2831853, 5)
# run: folded(array([0.25]), array([3.0]), 1.0, 4)
def folded(time, flux, period, n_bins):
    """The curve by phase, and means, errors and counts of bins; of bins without a measurement, what their neighbours say."""
    kept = clipped(flux, 4.0)
    cycle, phase = np.divmod(time[kept], period)
    phase /= period
    order = np.argsort(phase)
    which = np.digitize(phase, np.linspace(0, 1, n_bins + 1)) - 1
    counts = np.bincount(which, minlength=n_bins)
    means = np.bincount(which, weights=flux[kept], minlength=n_bins) / counts
    squares = np.bincount(which, weights=(flux[kept] - means[which]) ** 2, minlength=n_bins)
    middles = (np.arange(n_bins) + 0.5) / n_bins
    filled = counts > 0
    curve = np.interp(middles, middles[filled], means[filled], period=1.0)
    return phase[order], flux[kept][order], curve, np.sqrt(squares) / np.maximum(counts, 1), np.unique(cycle).size


#numptx export transits(float64[:], float64[:], int)
# run: x = 1 + 0.01 * random(60); x[10:14] -= 0.3; x[40:43] -= 0.2; transits(arange(60) / 10, x, 5)
# run: x = 1 + 0.01 * random(99); x[20:30] -= 0.2; transits(arange(99.0)[::3], x[::3], 3)
# run: transits(arange(4.0), ones(4), 1)
def transits(time, flux, width):
    """Where the brightness falls below the running median and comes back, how deep and how long it is, each time."""
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(flux, width, mode="median"), 2 * width + 1)
    baseline = np.median(windows, axis=-1)
    low = (baseline - flux) / baseline > 0.05
    edges = np.flatnonzero(np.diff(low, prepend=False, append=False))
    begins, ends = edges[::2], edges[1::2]
    depth = np.array([1.0 - np.min(flux[a:b] / baseline[a:b]) for a, b in zip(begins, ends)], dtype=np.float64)
    return time[begins], ends - begins, depth, flux / baseline
