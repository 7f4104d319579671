"""Scales of tones: ratios of integers and their common multiples, tempered scales, roughness of chords, and tones found in spectra."""
# tolerance: 1e-10
import numpy as np


def reduced(numerator, denominator):
    divisor = np.gcd(numerator, denominator)
    return numerator // divisor, denominator // divisor


#numptx export just_scale(int64[:,2])
# run: just_scale(array([[1, 1], [10, 9], [6, 4], [15, 8], [4, 2]]))
# run: just_scale(array([[9, 8, 0], [5, 4, 0], [27, 16, 0]])[::-1, :2])
# run: just_scale(array([[3, 3]]))
def just_scale(ratios):
    """Intervals in lowest terms, in cents, after how many periods a chord of all repeats, and steps between neighbours."""
    top, bottom = reduced(ratios[:, 0], ratios[:, 1])
    common = np.lcm.reduce(bottom)
    harmonics = top * (common // bottom)
    next_top, next_bottom = reduced(top[1:] * bottom[:-1], bottom[1:] * top[:-1])
    return np.column_stack((top, bottom)), 1200 * np.log2(top / bottom), harmonics // np.gcd.reduce(harmonics), np.stack((next_top, next_bottom))


#numptx export tempered(float, int, float64[:])
# run: tempered(440.0, 12, array([1.25, 1.5, 1.75]))
# run: tempered(432.0, 19, (1.0 + random(8))[::-2])
# run: tempered(1.0, 1, zeros(0))
def tempered(base, n_steps, ratios):
    """Frequencies of an octave, the nearest step to each ratio, and by how many cents it misses."""
    tones = np.geomspace(base, 2 * base, n_steps + 1)
    distance = np.abs(np.subtract.outer(np.log2(ratios), np.log2(tones / base)))
    nearest = distance.argmin(axis=1)
    return tones, nearest, 1200 * distance[np.arange(len(ratios)), nearest], np.allclose(tones[1:] / tones[:-1], 2 ** (1 / n_steps))


#numptx export roughness(float64[:], int)
# run: roughness(array([220.0, 275.0, 330.0]), 4)
# run: roughness((random(8) * 300 + 100)[::-2], 2)
# run: roughness(array([440.0]), 1)
def roughness(tones, n_partials):
    """Of a chord, by Plomp and Levelt's curve over all pairs of partials, which get weaker with their number."""
    numbers = np.arange(1, n_partials + 1)
    frequencies = np.multiply.outer(tones, numbers).ravel()
    strengths = np.tile(0.88 ** (numbers - 1), len(tones))
    i, j = np.triu_indices(frequencies.size, k=1)
    apart = np.abs(frequencies[i] - frequencies[j])
    scaled = 0.24 * apart / (0.021 * np.fmin(frequencies[i], frequencies[j]) + 19.0)
    pairs = np.minimum(strengths[i], strengths[j]) * (np.exp(-3.5 * scaled) - np.exp(-5.75 * scaled))
    return pairs.sum(), np.float_power(pairs, 2).max(initial=0.0)


#numptx export chroma(float64[:], float)
# run: chroma(sin(2 * pi * 440 * arange(400) / 4000) + 0.5 * sin(2 * pi * 660 * arange(400) / 4000), 4000.0)
# run: chroma(random(900)[::-3], 8000.0)
# run: chroma(array([0.0, 1.0]), 100.0)
def chroma(samples, rate):
    """The strength of each of the twelve tones, octaves put together, and which chord of three fits best."""
    spectrum = np.abs(np.fft.rfft(samples * np.hanning(len(samples)), 4096))
    frequencies = np.fft.rfftfreq(4096, 1 / rate)
    audible = (frequencies > 27.5) & (frequencies < 4200.0)
    place = 12 * np.log2(frequencies[audible] / 440.0) + 69.0
    pitch = np.mod(np.rint(place), 12).astype(np.int64)
    strength = np.zeros(12)
    np.add.at(strength, pitch, spectrum[audible] ** 2)
    strength /= np.linalg.norm(strength) + 1e-12
    chords = np.array([np.roll([1, 0, 0, 0, minor, 1 - minor, 0, 1, 0, 0, 0, 0], tone) for minor in (0, 1) for tone in range(12)])
    scores = chords @ strength
    return strength, scores, np.sort(scores)[::-1][:3]
