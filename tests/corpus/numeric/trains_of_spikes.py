"""Spikes of neurons: intervals and their variability, rates around stimuli, correlograms, distances of trains, and surrogates."""
# tolerance: 1e-10
import math

import numpy as np

try:
    from scipy.special import gammaincc
except ImportError:

    def gammaincc(n, x):
        """Of whole numbers: the sum of Poisson's probabilities below them."""
        return np.vectorize(lambda n, x: math.exp(-x) * sum(x**k / math.factorial(k) for k in range(int(n))), otypes=[np.float64])(n, x)


#numptx export intervals(float64[:], float)
# run: intervals(cumsum(random(60)), 0.1)
# run: intervals(cumsum(random(50) + 0.05)[::-2], 0.25)
# run: intervals(array([0.5, 0.5, 2.0]), 1.0)
# run: intervals(array([3.0]), 1.0)
def intervals(times, dead):
    """Between spikes: variation, its local form by Shinomoto, entropy of their logarithms, the share within the dead time, and bursts."""
    gaps = np.diff(np.sort(times))
    if gaps.size < 2:
        return np.float64(np.nan), np.float64(np.nan), np.float64(0.0), np.float64(0.0), np.zeros((0, 2), dtype=np.int64)
    variation = gaps.std(ddof=1) / gaps.mean()
    local = 3.0 * np.mean(((gaps[:-1] - gaps[1:]) / (gaps[:-1] + gaps[1:])) ** 2)
    counts, _ = np.histogram(np.log10(np.maximum(gaps, 1e-3)), bins=np.linspace(-3.0, 1.0, 17))
    shares = np.extract(counts > 0, counts) / max(counts.sum(), 1)
    short = np.concatenate(([False], gaps < 0.5 * np.median(gaps), [False]))
    begins = np.flatnonzero(short[1:] & ~short[:-1])
    ends = np.flatnonzero(short[:-1] & ~short[1:])
    return variation, local, -np.sum(shares * np.log2(shares)), np.mean(gaps < dead), np.column_stack((begins, ends + 1))


#numptx export around_stimuli(float64[:], float64[:], float, int)
# run: around_stimuli(sort(random(200) * 20), arange(1.0, 19.0, 2.0), 0.8, 16)
# run: around_stimuli(sort(random(150) * 9)[::-2], (random(12) * 9)[::-3], 0.5, 9)
# run: around_stimuli(array([1.0, 1.1]), array([1.0]), 0.25, 5)
# run: around_stimuli(zeros(0), array([1.0]), 0.25, 3)
def around_stimuli(times, stimuli, reach, n_bins):
    """Rates before and after stimuli, smoothed by a window of Kaiser; latencies of first spikes; Fano's factor."""
    times = np.sort(times)
    first, last = np.searchsorted(times, stimuli - reach), np.searchsorted(times, stimuli + reach, side="right")
    edges = np.linspace(-reach, reach, n_bins + 1)
    rates = np.zeros((len(stimuli), n_bins))
    latency = np.full(len(stimuli), np.nan)
    for k in range(len(stimuli)):
        near = times[first[k] : last[k]] - stimuli[k]
        rates[k] = np.histogram(near, edges)[0]
        after = near[near > 0.0]
        if after.size > 0:
            latency[k] = after[0]
    window = np.kaiser(5, 4.0)
    padded = np.pad(rates.mean(axis=0) / np.diff(edges), 2, mode="reflect")
    counts = rates.sum(axis=1)
    fano = counts.var() / counts.mean() if counts.any() else np.float64(0.0)
    return np.convolve(padded, window / window.sum(), mode="valid"), latency, fano


#numptx export correlogram(float64[:], float64[:], float, int)
# run: correlogram(sort(random(80) * 5), sort(random(70) * 5), 0.3, 12)
# run: a = sort(random(90) * 4); correlogram(a[::-3], a[1::3] + 0.05, 0.2, 8)
# run: correlogram(array([1.0]), zeros(0), 0.5, 4)
def correlogram(times, others, reach, n_bins):
    """Differences of times of two trains, and with what chance a Poisson train would have had as many in each bin."""
    lags = np.subtract.outer(others, times).ravel()
    counts, edges = np.histogram(lags, bins=n_bins, range=(-reach, reach))
    width = edges[1] - edges[0]
    span = max(np.ptp(times), width)
    expected = len(times) * len(others) * width / span
    chance = 1.0 - gammaincc(counts + 1.0, expected)
    return counts, chance, edges[np.argmax(counts)] + 0.5 * width


def distance(a, b, cost):
    """By Victor and Purpura: spikes are moved, added and taken away."""
    row = np.arange(len(b) + 1.0)
    for i in range(len(a)):
        above = row.copy()
        row[0] = i + 1.0
        for j in range(len(b)):
            row[j + 1] = min(above[j + 1] + 1.0, row[j] + 1.0, above[j] + cost * abs(a[i] - b[j]))
    return row[len(b)]


#numptx export distances(float64[:], int64[:], float)
# run: distances(sort(random(40) * 3), integers(0, 4, 40), 5.0)
# run: distances((random(48) * 2)[::-2], arange(24) % 3, 1.0)
# run: distances(array([1.0, 2.0]), array([0, 2]), 3.0)
# run: distances(zeros(0), zeros(0, int64), 3.0)
def distances(times, neuron, cost):
    """Between the trains of all neurons, given in one vector: by moved spikes, and by traces that decay, as van Rossum's."""
    order = np.lexsort((times, neuron))
    times, neuron = times[order], neuron[order]
    n = neuron.max(initial=-1) + 1
    starts = np.searchsorted(neuron, np.arange(n + 1))
    moved = np.zeros((n, n))
    for i in range(n):
        for j in range(i):
            moved[i, j] = moved[j, i] = distance(times[starts[i] : starts[i + 1]], times[starts[j] : starts[j + 1]], cost)
    member = np.equal.outer(np.arange(n), neuron).astype(np.float64)
    products = member @ np.exp(-cost * np.abs(times[:, None] - times)) @ member.T
    own = np.diag(products)
    return moved, np.sqrt(np.maximum(0.5 * (own[:, None] + own - 2.0 * products), 0.0))


#numptx export surrogates(float64[:], float, int, Generator)
# run: surrogates(cumsum(random(30)), 0.2, 6, np.random.default_rng(3))
# run: surrogates(cumsum(random(24))[::-2], 0.5, 3, np.random.Generator(np.random.Philox(9)))
# run: surrogates(array([1.0, 3.0]), 0.1, 1, np.random.default_rng(0))
# run: surrogates(array([1.0]), 0.1, 2, np.random.default_rng(0))
def surrogates(times, jitter, n, rng):
    """Trains with the same intervals in other orders, trains with spikes moved a little, and Poisson trains of the same rate."""
    times = np.sort(times)
    gaps = np.diff(times, prepend=0.0)
    shuffled = np.cumsum(rng.permuted(np.tile(gaps, (n, 1)), axis=1), axis=1)
    moved = np.sort(times + rng.uniform(-jitter, jitter, (n, len(times))), axis=1)
    counts = rng.poisson(len(times), n)
    poisson = np.sort(times[-1] * rng.random(counts.sum())[: counts[0]])
    return shuffled, moved, np.abs(shuffled - moved).max(axis=0), poisson, rng.exponential(gaps.mean(), 3)
