"""Digital filters whose impulse response a window cuts off, what they let pass, and signals filtered by them."""
# tolerance: 1e-10
import numpy as np


def window_of(name, n):
    if name == "hamming":
        return np.hamming(n)
    if name == "blackman":
        return np.blackman(n)
    if name == "bartlett":
        return np.bartlett(n)
    return np.hanning(n)


def low_pass(cutoff, window):
    """The impulse response, for a cutoff in parts of the sampling rate."""
    n = len(window)
    response = np.sinc(2 * cutoff * (np.arange(n) - (n - 1) / 2)) * window
    return response / response.sum()


def high_pass(cutoff, window):
    """What the low-pass takes away, for an odd number of coefficients."""
    response = -low_pass(cutoff, window)
    response[len(window) // 2] += 1.0
    return response


#numptx export gains(str, int, float, float64[:])
# run: gains("hamming", 21, 0.1, linspace(0, 0.5, 9))
# run: gains("blackman", 32, 0.2, (random(11) / 2)[::-2])
# run: gains("bartlett", 15, 0.25, zeros(0))
# run: gains("hanning", 5, 0.3, array([0.25]))
def gains(name, n, cutoff, frequencies):
    """Of a low-pass, and of a high-pass for odd lengths: the response is a polynomial on the unit circle."""
    circle = np.exp(-2j * np.pi * frequencies)
    response = low_pass(cutoff, window_of(name, n))
    if n % 2 == 0:
        return response, np.abs(np.polyval(response, circle))
    return high_pass(cutoff, window_of(name, n)), np.abs(np.polyval(response, circle))


#numptx export by_kaiser(float, float, float)
# tolerance: 1e-8
# run: by_kaiser(60.0, 0.05, 0.2)
# run: by_kaiser(30.0, 0.1, 0.1)
# run: by_kaiser(10.0, 0.4, 0.25)
def by_kaiser(attenuation, transition, cutoff):
    """Kaiser's formulas for the length and the shape of the window, for an attenuation in decibels."""
    if attenuation > 50:
        beta = 0.1102 * (attenuation - 8.7)
    elif attenuation >= 21:
        beta = 0.5842 * (attenuation - 21) ** 0.4 + 0.07886 * (attenuation - 21)
    else:
        beta = 0.0
    n = int(np.ceil((attenuation - 7.95) / (14.36 * transition))) | 1
    response = low_pass(cutoff, np.kaiser(n, beta))
    spectrum = np.abs(np.fft.rfft(response, 64))
    return response, 20 * np.log10(np.maximum(spectrum, 1e-3)), np.i0(beta)


#numptx export without_phase(float64[:], int, float)
# run: without_phase(random(50), 11, 0.1)
# run: without_phase(random(60)[::-2], 7, 0.3)
# run: without_phase(random(4), 9, 0.2)
def without_phase(x, n, cutoff):
    """Filtered forward and backward, the signal mirrored at its ends before; and how much power is left."""
    response = low_pass(cutoff, np.hamming(n))
    extended = np.pad(x, n - 1, mode="reflect", reflect_type="odd")
    forward = np.convolve(extended, response, mode="same")
    backward = np.convolve(forward[::-1], response, mode="same")[::-1]
    smooth = backward[n - 1 : n - 1 + len(x)]
    return smooth, np.vdot(smooth, smooth) / np.vdot(x, x)
