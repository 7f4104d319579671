"""Controllers and plants: polynomials of transfer functions, poles, responses in time and frequency, margins, and state space."""
# tolerance: 1e-8
import functools

import numpy as np


def trimmed(polynomial):
    """Without leading zeros, but with one coefficient at least."""
    return np.trim_zeros(polynomial, "f") if np.any(polynomial) else polynomial[-1:]


#numptx export closed_loop(float64[:], float64[:], float64[:])
# run: closed_loop(array([2.0, 1.0]), array([1.0, 3.0, 2.0, 0.0]), array([1.0, 0.5, 0.1]))
# run: closed_loop(random(8)[::-2], random(12)[::2] + 0.5, array([0.1, 0.2, 3.0])[::-1])
# run: closed_loop(array([1.0]), array([1.0, 1.0]), array([4.0, 0.0, 0.0]))
def closed_loop(numerator, denominator, gains):
    """With proportional, integral and differential gains: polynomials, poles from left to right, steady gain, damping, and the poles' real factor."""
    above = np.polymul(numerator, np.array([gains[2], gains[0], gains[1]]))
    below = np.polymul(denominator, np.array([1.0, 0.0]))
    whole = trimmed(np.polyadd(above, below))
    poles = np.sort_complex(np.roots(whole))
    damping = -np.cos(np.angle(poles))
    steady = np.polyval(above, 0.0) / np.polyval(whole, 0.0) if whole[-1] != 0.0 else np.float64(np.inf)
    return above, whole, poles, steady, -damping, np.poly(np.append(poles[poles.imag == 0.0].real, -1.0))


def routh(polynomial):
    """The table of Routh, by rows; a pivot of 0 is taken a little larger."""
    width = (len(polynomial) + 1) // 2
    table = np.zeros((len(polynomial), width))
    table[0] = polynomial[::2]
    table[1, : len(polynomial) // 2] = polynomial[1::2]
    for k in range(2, len(polynomial)):
        pivot = table[k - 1, 0] if table[k - 1, 0] != 0.0 else 1e-9
        above, below = table[k - 2], table[k - 1]
        table[k, :-1] = (pivot * above[1:] - above[0] * below[1:]) / pivot
    return table


#numptx export stability(float64[:])
# run: stability(array([1.0, 2.0, 3.0, 1.0]))
# run: stability(array([5.0, 0.0, 3.0, 0.0, 2.0, 0.0, 7.0, 0.0, 1.0])[::-2])
# run: stability(array([1.0, 4.0]))
# run: stability(array([1.0, 0.0, 1.0, 2.0]))
def stability(polynomial):
    """Routh's table, how many poles are to the right, whether all roots are within the unit circle, and the derivative's roots."""
    table = routh(polynomial)
    signs = np.sign(table[:, 0])
    n_right = np.count_nonzero(signs[1:] * signs[:-1] < 0)
    companion = np.eye(len(polynomial) - 1, k=-1)
    companion[0] = -polynomial[1:] / polynomial[0]
    largest = np.max(np.abs(np.linalg.eigvals(companion)))
    return table, n_right, largest < 1.0, largest, np.sort_complex(np.roots(np.polyder(polynomial)))


#numptx export frequency_response(float64[:], float64[:], float64[:])
# run: frequency_response(array([10.0]), array([1.0, 3.0, 2.0, 0.0]), logspace(-1, 1.5, 60))
# run: frequency_response(array([1.0, 6.0])[::-1], array([1.0, 2.0, 4.0, 1.0]), geomspace(0.05, 20, 90)[::2])
# run: frequency_response(array([0.5]), array([1.0, 1.0]), array([1.0, 2.0]))
# run: frequency_response(array([0.5]), array([1.0, 1.0]), zeros(0))
def frequency_response(numerator, denominator, omega):
    """Decibels, phases without jumps, the margins of gain and phase where there are some, and the bandwidth."""
    s = 1j * omega
    response = np.polyval(numerator, s) / np.polyval(denominator, s)
    decibels = 20.0 * np.log10(np.abs(response))
    phase = np.degrees(np.unwrap(np.angle(response)))
    crossing = np.flatnonzero(np.diff(np.signbit(decibels)))
    phase_margin = 180.0 + phase[crossing[-1]] if crossing.size > 0 else np.float64(np.inf)
    turning = np.flatnonzero(np.diff(np.sign(phase + 180.0)) < 0)
    gain_margin = -decibels[turning[0]] if turning.size > 0 else np.float64(np.inf)
    wide = omega[decibels >= decibels[0] - 3.0] if omega.size > 0 else omega
    return decibels, phase, phase_margin, gain_margin, wide.max(initial=0.0)


def powers(matrix, n):
    """Of a matrix from 0 on, along a new first axis."""
    found = np.empty((n, *matrix.shape))
    for k in range(n):
        found[k] = np.linalg.matrix_power(matrix, k)
    return found


def exponential(matrix):
    """By Taylor's series of a matrix made small, squared again."""
    n_halved = max(0, int(np.ceil(np.log2(max(np.abs(matrix).sum(axis=1).max(), 1e-9)))) + 1)
    small = matrix / 2.0**n_halved
    series = functools.reduce(lambda total, k: np.eye(len(matrix)) + small @ total / k, range(16, 0, -1), np.eye(len(matrix)))
    return np.linalg.matrix_power(series, 2**n_halved)


#numptx export sampled_plant(float64[:,:], float64[:,:], float64[:,:], float, int)
# run: sampled_plant(array([[0.0, 1.0], [-2.0, -0.5]]), array([[0.0], [1.0]]), array([[1.0, 0.0]]), 0.1, 12)
# run: sampled_plant(-random((6, 3))[::-2].T - eye(3), random((3, 4))[:, ::-2], random((3, 3)).T, 0.4, 9)
# run: sampled_plant(array([[0.0]]), array([[1.0]]), array([[2.0]]), 1.0, 3)
# run: sampled_plant(array([[-1.0]]), array([[1.0]]), array([[2.0]]), 0.5, 1)
def sampled_plant(a, b, c, step, n):
    """Held inputs: the plant in steps, its impulse and step responses, whether inputs reach all states, and Hankel's singular values."""
    both = np.block([[a, b], [np.zeros((b.shape[1], len(a) + b.shape[1]))]])
    moved = exponential(both * step)
    a_step, b_step = moved[: len(a), : len(a)], moved[: len(a), len(a) :]
    impulse = c @ powers(a_step, n) @ b_step
    response = np.cumsum(impulse, axis=0)
    reach = (powers(a_step, len(a)) @ b_step).swapaxes(0, 1).reshape(len(a), -1)
    half = (n + 1) // 2
    hankel = impulse[np.add.outer(np.arange(half), np.arange(half)), 0, 0]
    return a_step, b_step, response, np.linalg.matrix_rank(reach), np.linalg.svd(hankel, compute_uv=False)[:2]


#numptx export step_quality(float64[:], float64[:])
# run: t = linspace(0, 10, 60); step_quality(t, 1 - exp(-0.5 * t) * cos(2 * t))
# run: t = linspace(0, 8, 81)[::-2]; step_quality(t[::-1], 2 - 2 * exp(-t[::-1]))
# run: step_quality(array([0.0, 1.0]), array([0.0, 1.0]))
def step_quality(time, output):
    """Of a response to a step: overshoot, rise time by interpolation, settling time, errors' integrals, and the largest slope."""
    end = output[-max(len(output) // 10, 1) :].mean()
    overshoot = max(output.max() / end - 1.0, 0.0)
    peak = np.argmax(output) + 1
    climb = np.maximum.accumulate(output[:peak])
    low, high = np.interp([0.1 * end, 0.9 * end], climb, time[:peak])
    outside = np.flatnonzero(np.abs(output - end) > 0.05 * abs(end))
    settled = time[min(outside[-1] + 1, len(time) - 1)] if outside.size > 0 else time[0]
    error = np.abs(1.0 - output)
    slope = np.gradient(output, time) if len(time) > 2 else np.diff(output) / np.diff(time)
    return overshoot, high - low, settled, np.trapezoid(error, time), np.trapezoid(time * error, time), slope.max()
