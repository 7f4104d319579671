"""The Mandelbrot set, each point with a loop of its own: a `while`, and a `for` that is left."""

import numpy as np


#numptx export mandelbrot(int, int, int)
# run: mandelbrot(4, 3, 10)
# run: mandelbrot(13, 11, 30)
# run: mandelbrot(40, 30, 60)
# run: mandelbrot(3, 0, 10)
# large: mandelbrot(400, 300, 100)
def mandelbrot(width, height, limit):
    counts = np.zeros((height, width), dtype=np.int32)
    for i in range(height):
        for j in range(width):
            c = complex(-2.25 + 3.0 * j / width, -1.25 + 2.5 * i / height)
            z = 0j
            n = 0
            while n < limit and abs(z) <= 2.0:
                z = z * z + c
                n += 1
            counts[i, j] = n
    return counts


#numptx export mandelbrot_real(float64[:], float64[:], int)
# run: mandelbrot_real(linspace(-2.25, 0.75, 4), linspace(-1.25, 1.25, 3), 10)
# run: mandelbrot_real(linspace(-2.25, 0.75, 13), linspace(-1.25, 1.25, 11), 30)
# run: mandelbrot_real(linspace(-2.25, 0.75, 40), linspace(-1.25, 1.25, 30), 60)
# run: mandelbrot_real(array([nan, inf, 0.0]), array([0.0, -inf]), 5)
# large: mandelbrot_real(linspace(-2.25, 0.75, 300), linspace(-1.25, 1.25, 280), 100)
# bench: mandelbrot_real(linspace(-2.25, 0.75, 2048), linspace(-1.25, 1.25, 2048), 200)
def mandelbrot_real(xs, ys, limit):
    counts = np.empty((ys.size, xs.size), dtype=np.int64)
    for i in range(ys.size):
        for j in range(xs.size):
            x = y = 0.0
            counts[i, j] = limit
            for n in range(limit):
                if x * x + y * y > 4.0:
                    counts[i, j] = n
                    break
                x, y = x * x - y * y + xs[j], 2.0 * x * y + ys[i]
    return counts
