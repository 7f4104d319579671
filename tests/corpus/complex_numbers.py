"""Complex numbers: arithmetic, functions, parts as views, comparisons."""

import numpy as np


#numptx export arithmetic(complex128[:], complex128[:])
#numptx export arithmetic(complex64[:], complex64[:])
#numptx export arithmetic(complex128[:], complex64[:])
# run: arithmetic(random(5) + 1j * random(5), random(5) - 1j * random(5))
# run: arithmetic((random(5) + 1j * random(5)).astype(complex64), (random(5) - 1j * random(5)).astype(complex64))
# run: arithmetic((random(10) + 1j * random(10))[::-2], (random(5) - 1j * random(5)).astype(complex64))
def arithmetic(x, y):
    return x + y, x - y, x * y, x / y, -x, x**2, x**y, +x, x == y, x != y, 2 * x, x + 1, x - 0.5, 1j * x, x / 2, 1 / y


#numptx export functions(complex128[:] or complex64[:])
# run: functions(random(5) + 1j * random(5) + 0.1)
# run: functions((random(5) - 1j * random(5)).astype(complex64))
# tolerance: 1e-6
def functions(x):
    return (
        np.exp(x),
        np.sqrt(x),
        np.sin(x),
        np.cos(x),
        np.abs(x),
        np.angle(x),
        np.log(x),
        np.conj(x),
        np.real(x),
        np.imag(x),
        np.square(x),
        np.tanh(x),
        np.isnan(x),
        np.isfinite(x),
        np.sign(x),
        np.reciprocal(x),
    )


#numptx export mandelbrot(int, int, int)
# run: mandelbrot(8, 9, 10)
# run: mandelbrot(1, 1, 3)
def mandelbrot(n, m, steps):
    x = np.linspace(-2, 0.5, n)
    y = np.linspace(-1, 1, m)
    c = x[:, None] + 1j * y
    z = np.zeros_like(c)
    count = np.zeros((n, m), dtype=np.int64)
    for _ in range(steps):
        inside = np.abs(z) < 2
        z = np.where(inside, z * z + c, z)
        count += inside
    return count


#numptx export special(complex128[:])
# run: special(array([complex(inf, 1), complex(0, nan), complex(-0.0, 0.0), complex(1, inf)]))
def special(z):
    return z + 1, z * 2.0, -z, np.abs(z), np.isinf(z), z == z, z.sum()


# From 3.14 on Python's own products keep an infinity that stands beside a nan; NumPy's do not, and ours are those everywhere.
#numptx export product_of_python(complex)
# run: product_of_python(1 + 2j)
# run: product_of_python(complex(-0.0, 1e300))
def product_of_python(z):
    return z * z.conjugate()


#numptx export of_python(complex, float, int, bool)
# run: of_python(1 + 2j, 0.5, 3, True)
# run: of_python(complex(-0.0, 0.0), -0.0, -1, False)
# run: of_python(complex(inf, nan), nan, 0, True)
def of_python(z, x, n, flag):
    return z.conjugate(), x.conjugate(), n.conjugate(), flag.conjugate(), z.real, z.imag, n.imag, abs(z)
