"""Delays found by correlation: echoes of a pulse, sensors that hear the same source, codes of satellites."""

import numpy as np


#numptx export delay(float64[:], float64[:])
# run: x = random(40); delay(x, r_[zeros(5), x[:-5]] + 0.1 * random(40))
# run: x = random(80); delay(x[::-2], roll(x, 14)[::-2])
# run: delay(array([1.0, 2.0, -1.0]), array([0.5]))
def delay(x, y):
    """By how many samples `y` is behind `x`: the peak of their correlation, and a parabola through it and its neighbours."""
    x, y = x - x.mean(), y - 0.9 * y.mean()
    correlation = np.correlate(y, x, mode="full")
    peak = np.argmax(correlation)
    lag = peak - (len(x) - 1)
    if peak == 0 or peak == len(correlation) - 1:
        return lag, lag + 0.0, correlation
    before, at, after = correlation[peak - 1 : peak + 2]
    return lag, lag + 0.5 * (before - after) / (before - 2 * at + after), correlation


#numptx export echoes(int64[:], int64[:], int)
# run: echoes(array([0, 3, -2, 1, 0]), integers(-2, 3, 60), 8)
# run: echoes(array([0, 0, 1, 1, -1]), repeat(integers(-1, 2, 25), 2)[::-1], 3)
# run: echoes(array([0, 2]), zeros(4, int64), 1)
# run: echoes(zeros(3, int64), ones(4, int64), 1)
def echoes(pulse, received, least):
    """Where a pulse comes back at least so strongly: the matched filter's output is a local maximum there."""
    shape = np.trim_zeros(pulse)
    if shape.size == 0:
        return np.zeros(0, np.int64), shape
    strength = np.correlate(received, shape, mode="valid")
    beside = np.pad(strength, 1, constant_values=np.iinfo(np.int64).min)
    is_peak = (strength >= least) & (strength > beside[:-2]) & (strength >= beside[2:])
    places = np.flatnonzero(is_peak)
    return places, strength[places]


#numptx export aligned(int64[:,:])
# run: x = integers(-9, 10, 24); aligned(stack((x, roll(x, 3), roll(x, -7))))
# run: x = integers(-9, 10, 13); aligned(stack((x, roll(x, 1))).T[::-1].T)
# run: aligned(ones((2, 1), int64))
def aligned(signals):
    """All rows turned so that they agree best with the first one, and their mean."""
    n = signals.shape[1]
    turned = np.empty_like(signals)
    shifts = np.zeros(len(signals), dtype=np.int64)
    for k, signal in enumerate(signals):
        circular = np.convolve(np.tile(signal, 2), signals[0][::-1], mode="valid")[:n]
        shifts[k] = np.argmax(circular)
        turned[k] = np.roll(signal, -shifts[k])
    return shifts, turned, turned.mean(axis=0)


#numptx export satellite_code(int64[:], int)
# run: satellite_code(array([1, 0, 1, 0, 0]), 31)
# run: satellite_code(array([1, 0, 7, 1])[::-1], 15)
# run: satellite_code(array([1]), 0)
def satellite_code(register, n):
    """The sequence of a shift register with feedback, and its correlation with itself, turned by each number of chips."""
    state = register % 2
    chips = np.zeros(n, dtype=np.int8)
    for k in range(n):
        chips[k] = 1 - 2 * state[-1]
        fed = np.bitwise_xor.reduce(state[[1, -1]]) if len(state) > 1 else state[0]
        state = np.roll(state, 1)
        state[0] = fed
    turns = np.array([np.dot(chips.astype(np.int32), np.roll(chips, k)) for k in range(n)], dtype=np.int32)
    return chips, turns
