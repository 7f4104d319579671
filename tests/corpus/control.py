"""Branches and loops of the host program."""

import numpy as np


#numptx export newton(float, int)
# run: newton(2.0, 6)
# run: newton(0.0, 3)
def newton(x, steps):
    y = 1.0
    for _ in range(steps):
        if y == 0.0:
            break
        y = 0.5 * (y + x / y)
    return y


#numptx export collatz(int)
# run: collatz(27)
# run: collatz(1)
def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n //= 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


#numptx export first_negative(float64[:])
# run: first_negative(array([1.0, 2.0, -3.0, 4.0]))
# run: first_negative(ones(5))
def first_negative(x):
    for i in range(len(x)):
        if x[i] < 0:
            return i
    return -1


#numptx export smooth_until(float64[:], float, int)
# run: smooth_until(random(50), 1e-3, 100)
# run: smooth_until(random(2), 1e-3, 100)
# tolerance: 1e-10
def smooth_until(u, tolerance, limit):
    steps = 0
    while steps < limit:
        v = u.copy()
        v[1:-1] = 0.5 * (u[:-2] + u[2:])
        change = np.max(np.abs(v - u))
        u = v
        steps += 1
        if change < tolerance:
            break
    else:
        steps = -steps
    return u, steps


#numptx export rejects(float64[:], int)
# run: rejects(ones(3), 1)
# run: rejects(ones(3), 5)
# run: rejects(ones(3), -4)
# run: rejects(ones(3), 0)
def rejects(x, i):
    if i == 0:
        raise ValueError("zero is refused")
    return x[i]


#numptx export divides(int, int)
# run: divides(7, -2)
# run: divides(7, 0)
def divides(a, b):
    return a // b, a % b, a / b


#numptx export taken_in_a_loop(float64[:,:], int)
# run: taken_in_a_loop(random((5, 3)), 0)
# run: taken_in_a_loop(random((5, 3)), 2)
def taken_in_a_loop(x, n):
    for _ in range(n):
        least = np.minimum(x[3:], x[4:, 1:2] + x[0, 0])
        least[::-1] *= 5
        x[0] += least[0]
    return x


#numptx export least_of(float64[:])
# run: least_of(array([3.0, -1.5, 2.0]))
# run: least_of(array([nan, inf, -inf]))
def least_of(x):
    least = float("inf")
    for v in x:
        if v < least:
            least = v
    return least, float("-Infinity"), float(" nan "), float("1.5e3"), int("-12")


#numptx export dtypes_by_strings(int)
# run: dtypes_by_strings(2)
def dtypes_by_strings(n):
    return np.zeros(n, dtype="<f8"), np.ones(n, dtype="i4"), np.zeros(n, dtype="float32"), np.ones(n, dtype="intp")
