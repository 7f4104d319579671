"""Signals and their phases: envelopes and frequencies by Hilbert's transform, interpolation between samples, demodulation."""
# tolerance: 1e-9
import numpy as np


def analytic(x):
    """The signal with its Hilbert transform as imaginary part: negative frequencies are taken out."""
    n = len(x)
    factors = np.zeros(n)
    factors[0] = 1.0
    factors[1 : (n + 1) // 2] = 2.0
    if n % 2 == 0:
        factors[n // 2] = 1.0
    return np.fft.ifft(np.fft.fft(x) * factors)


#numptx export envelope_and_frequency(float64[:], float)
# run: t = arange(64) / 64; envelope_and_frequency((1.5 + cos(6 * t)) * cos(50 * t + 20 * t**2), 64.0)
# run: t = arange(102) / 50; envelope_and_frequency((cos(40 * t) * exp(-t))[::-2], 25.0)
# run: envelope_and_frequency(array([1.0, 0.5, -1.0]), 2.0)
def envelope_and_frequency(x, rate):
    signal = analytic(x)
    phase = np.unwrap(np.angle(signal))
    frequency = np.gradient(phase) * rate / (2 * np.pi)
    weights = np.abs(signal) ** 2
    mean = np.average(frequency, weights=weights)
    return np.abs(signal), frequency, mean, np.sqrt(np.average((frequency - mean) ** 2, weights=weights))


#numptx export resampled(float64[:], float64[:])
# run: resampled(sin(arange(20) * 0.4), linspace(0, 19, 31))
# run: resampled(random(30)[::-2], random(10)[::2] * 14)
# run: resampled(array([2.0]), array([0.0, 0.5]))
def resampled(x, places):
    """Between the samples by Shannon's formula, with a window that ends after eight of them; and by the nearest sample."""
    distance = np.subtract.outer(places, np.arange(len(x)))
    window = np.where(np.abs(distance) < 8, 0.5 + 0.5 * np.cos(np.pi * distance / 8), 0.0)
    weights = np.sinc(distance) * window
    nearest = x[np.clip(np.floor(places + 0.5), 0, len(x) - 1).astype(np.intp)]
    return weights @ x / weights.sum(axis=1), nearest


#numptx export demodulated(complex64[:], float, float)
# tolerance: 1e-4
# run: demodulated((exp(1j * (0.6 * arange(40) + 0.02 * arange(40) ** 2))).astype(complex64), 1.0, 0.25)
# run: demodulated((exp(-0.3j * arange(60)) * (1 + 0.5 * random(60))).astype(complex64)[::-3], 8.0, 1.0)
# run: demodulated(array([1j, -1.0], complex64), 2.0, 0.0)
def demodulated(samples, rate, deviation):
    """What a receiver of frequency modulation hears: changes of phase from sample to sample, without their mean, and clipped."""
    turns = np.angle(samples[1:] * np.conj(samples[:-1])) * rate / (2 * np.pi)
    heard = turns - turns.mean()
    limit = np.float32(deviation) if deviation > 0 else np.max(np.abs(turns))
    return np.clip(heard / limit, -1.0, 1.0) + 2.0, np.unwrap(np.cumsum(turns) % 1.0, period=1.0)
