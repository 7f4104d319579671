"""Quantum mechanics on a line: levels of wells, expectation values, oscillators' functions, tunnelling, and packets that move."""
# tolerance: 1e-8
import functools

import numpy as np


def square_well(x, width, depth):
    return np.piecewise(x, [np.abs(x) < width / 2, np.abs(x) == width / 2], [-depth, -depth / 2, 0.0])


def levels(potential, step):
    """Energies and normalised wave functions, a column each, on a grid with walls at its ends."""
    n = len(potential)
    kinetic = (2.0 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)) / (2.0 * step**2)
    energies, functions = np.linalg.eigh(kinetic + np.diag(potential))
    return energies, functions / np.sqrt(step)


#numptx export bound_states(float64[:], float, float)
# run: bound_states(linspace(-6, 6, 49), 3.0, 4.0)
# run: bound_states(linspace(-5, 5, 81)[::-2], 2.0, 9.0)
# run: bound_states(array([-1.0, 0.0, 1.0]), 2.0, 3.0)
def bound_states(x, width, depth):
    """Of a square well: energies, how much of each state is inside, mean squares of place and momentum."""
    step = np.abs(x[1] - x[0])
    energies, functions = levels(square_well(x, width, depth), step)
    bound = functions[:, energies < 0]
    density = bound**2
    inside = np.trapezoid(np.where(np.abs(x) < width / 2, 1.0, 0.0)[:, None] * density, dx=step, axis=0)
    slopes = np.gradient(bound, step, axis=0)
    return energies[energies < 0], inside, x**2 @ density * step, np.sum(slopes**2, axis=0) * step


#numptx export oscillator_functions(float64[:], int)
# run: oscillator_functions(linspace(-5, 5, 41), 5)
# run: oscillator_functions((random(12) * 4)[::-3], 3)
# run: oscillator_functions(zeros(1), 1)
def oscillator_functions(x, n):
    """The first ones, by Hermite's polynomials, a row each, and by the recurrence of normalised functions; and their Gram matrix."""
    direct, stable = np.empty((n, len(x))), np.empty((n, len(x)))
    factor = np.pi**-0.25
    for k in range(n):
        unit = np.zeros(k + 1)
        unit[k] = 1.0
        direct[k] = factor * np.polynomial.hermite.hermval(x, unit) * np.exp(-(x**2) / 2)
        factor /= np.sqrt(2.0 * (k + 1))
        if k == 0:
            stable[0] = direct[0]
        elif k == 1:
            stable[1] = np.sqrt(2.0) * x * stable[0]
        else:
            stable[k] = np.sqrt(2.0 / k) * x * stable[k - 1] - np.sqrt((k - 1) / k) * stable[k - 2]
    return direct, stable, np.trapezoid(stable[:, None] * stable, x)


#numptx export transmission(float64[:], float64[:], float64[:])
# run: transmission(linspace(0.2, 4.0, 9), array([0.0, 1.0]), array([2.0]))
# run: transmission((random(8) * 3 + 0.1)[::-2], array([0.0, 0.5, 1.5, 2.0]), array([3.0, 0.0, 3.0, 9.0])[:3])
# run: transmission(array([1.5]), zeros(1), zeros(0))
def transmission(energies, edges, barriers):
    """Through barriers of constant height, by products of transfer matrices."""
    result = np.empty_like(energies)
    heights = np.concatenate(([0.0], barriers, [0.0]))
    for k, energy in enumerate(energies):
        waves = np.sqrt(2.0 * (energy - heights) + 0j)
        steps = [interface(waves[j], waves[j + 1], edges[j]) for j in range(len(edges))]
        total = functools.reduce(np.matmul, steps, np.eye(2) + 0j)
        result[k] = 1.0 / np.abs(total[0, 0]) ** 2
    return result


def interface(left, right, place):
    """The amplitudes left of a step, as a matrix of those right of it."""
    ratio = right / left
    plus, minus = np.exp(1j * (right - left) * place), np.exp(-1j * (right + left) * place)
    return 0.5 * np.array([[(1 + ratio) * plus, (1 - ratio) * minus], [(1 - ratio) / minus, (1 + ratio) / plus]])


#numptx export moved_packet(float64[:], float, float, int)
# run: moved_packet(0.02 * arange(-32, 32.0) ** 2 / 4, 0.5, 0.1, 12)
# run: moved_packet(where(arange(90) > 60, 2.0, 0.0)[::-2], 0.4, 0.05, 5)
# run: moved_packet(array([0.0, 1.0, 0.0]), 1.0, 0.2, 1)
def moved_packet(potential, step, time_step, n_steps):
    """A packet in a potential, by turns of phase in place and in momentum; its density, mean place and width, and what passes the middle."""
    n = len(potential)
    x = (np.arange(n) - n // 2) * step
    momentum = 2 * np.pi * np.fft.fftfreq(n, step)
    packet = np.exp(-((x + 2.0) ** 2) / 2 + 1j * x)
    packet /= np.linalg.norm(packet) * np.sqrt(step)
    half = np.exp(-0.5j * time_step * potential)
    drift = np.exp(-0.5j * time_step * momentum**2)
    for _ in range(n_steps):
        packet = half * np.fft.ifft(drift * np.fft.fft(half * packet))
    density = (packet * packet.conj()).real
    mean, variance = density @ x * step, density @ x**2 * step
    return density, mean, np.sqrt(variance - mean**2), np.sum(density, where=x > 0) * step
