"""Messages whose numbers have formats: those of Python."""

import numpy as np


#numptx export floats(float)
# run: floats(1234.5678)
# run: floats(-0.000012345678)
# run: floats(0.0001)
# run: floats(99999.95)
# run: floats(999999.5)
# run: floats(1e22)
# run: floats(-0.0)
# run: floats(0.0)
# run: floats(inf)
# run: floats(nan)
# run: floats(1e-300)
# run: floats(2.5)
# run: floats(-2.5)
def floats(x):
    if x < -1.0:
        return x
    raise ValueError(f"{x:g} {x:e} {x:.3e} {x:.0e} {x:.3g} {x:.0f} {x:f} {x:12.4f}|{x:012.4f}|{x:15.3e}|{x:8g}|{x:.12g}|{x!r} {x=} {x=:.2f}")


#numptx export ints(int)
# run: ints(42)
# run: ints(-42)
# run: ints(0)
# run: ints(123456789)
# run: ints(3)
def ints(n):
    if n % 7 == 3:
        return n
    raise ValueError(f"{n:5d}|{n:05d}|{n:d}|{n:g}|{n:.2f}|{n:8.1e}|{n=}")


#numptx export elements(float64[:], int32[:])
# run: elements(random(3) * 1e-5, arange(3, dtype=int32) + 7)
def elements(x, k):
    for i in range(len(x)):
        if k[i] > 7:
            raise ValueError(f"x[{i}] = {x[i]:.3e}, k = {k[i]:4d}")
    return x


#numptx export without_convergence(float, int)
# run: without_convergence(2.0, 3)
# run: without_convergence(2.0, 50)
def without_convergence(a, most):
    x = a
    for i in range(most):
        step = 0.5 * (x - a / x)
        x -= step
        if abs(step) < 1e-12:
            return x
    raise RuntimeError(f"no convergence after {i + 1} steps, the last was {step:.1e}")


#numptx export single_floats(float32)
# run: single_floats(float32(0.1))
# run: single_floats(float32(1e16))
# run: single_floats(float32(123456789.0))
# run: single_floats(float32("nan"))
def single_floats(x):
    if x < 0.0:
        return x
    raise RuntimeError(f"{x} {x!r} {'{}'.format(x)} {format(x)} {x:.2f}")
