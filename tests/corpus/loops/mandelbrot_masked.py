"""The Mandelbrot set, all points at once: those that are still inside are a mask. Errors of rounding grow with every step."""

import numpy as np


#numptx export mandelbrot_masked(float, float, float, float, int, int, int, float)
# run: mandelbrot_masked(-2.25, 0.75, -1.25, 1.25, 4, 3, 10, 2.0)
# run: mandelbrot_masked(-2.25, 0.75, -1.25, 1.25, 13, 11, 30, 2.0)
# run: mandelbrot_masked(-2.25, 0.75, -1.25, 1.25, 60, 50, 80, 2.0)
# large: mandelbrot_masked(-2.25, 0.75, -1.25, 1.25, 600, 500, 80, 2.0)
# tolerance: 1e-6
# bench: mandelbrot_masked(-2.25, 0.75, -1.25, 1.25, 1000, 1000, 100, 2.0)
def mandelbrot_masked(xmin, xmax, ymin, ymax, nx, ny, limit, horizon):
    x = np.linspace(xmin, xmax, nx, dtype=np.float64)
    y = np.linspace(ymin, ymax, ny, dtype=np.float64)
    c = x + y[:, None] * 1j
    counts = np.zeros(c.shape, dtype=np.int64)
    z = np.zeros(c.shape, dtype=np.complex128)
    for n in range(limit):
        inside = np.less(abs(z), horizon)
        counts[inside] = n
        z[inside] = z[inside] ** 2 + c[inside]
    counts[counts == limit - 1] = 0
    return z, counts
