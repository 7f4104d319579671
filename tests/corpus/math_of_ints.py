"""Functions of `math` on ints, and `math.isclose`."""

import math

import numpy as np


#numptx export divisors(int, int)
# run: divisors(12, 18)
# run: divisors(-12, 18)
# run: divisors(12, -18)
# run: divisors(-12, -18)
# run: divisors(0, 0)
# run: divisors(0, -7)
# run: divisors(7, 0)
# run: divisors(1, 2**62)
# run: divisors(2**63 - 1, 7)
def divisors(a, b):
    return math.gcd(a, b), math.gcd(a), math.gcd(), math.lcm(a % 1000, b % 1000), math.lcm(b % 10), math.lcm()


#numptx export divisor(int, int)
# run: divisor(-2**63, 3)
# run: divisor(3, -2**63)
# run: divisor(-2**63, -1)
# run: divisor(-2**63, 2**62)
def divisor(a, b):
    return math.gcd(a, b)


#numptx export multiple(int, int)
# run: multiple(2**31, 2**31 - 1)
# run: multiple(-6, 4)
# run: multiple(6, -4)
# run: multiple(0, 5)
def multiple(a, b):
    return math.lcm(a, b)


#numptx export numpy_ints(int32, uint8, bool)
# run: numpy_ints(int32(-12), uint8(18), True)
# run: numpy_ints(int32(-2**31), uint8(0), False)
def numpy_ints(a, b, c):
    return math.gcd(a, b), math.lcm(a, b), math.gcd(c, 4), math.isqrt(b), math.comb(b, 2)


#numptx export root(int)
# run: root(0)
# run: root(1)
# run: root(3)
# run: root(4)
# run: root(2**52 - 1)
# run: root(2**62 - 1)
# run: root(2**62)
# run: root(3037000499**2)
# run: root(3037000499**2 - 1)
# run: root(94906267**2 - 1)
# run: root(2**63 - 1)
# run: root(-1)
def root(n):
    return math.isqrt(n)


#numptx export factorial(int)
# run: factorial(0)
# run: factorial(1)
# run: factorial(5)
# run: factorial(20)
# run: factorial(-1)
def factorial(n):
    return math.factorial(n)


#numptx export too_large(int)
# run: too_large(21)
# run: too_large(10**18)
def too_large(n):
    if n > 20:
        raise OverflowError
    return math.factorial(n)


#numptx export ways(int, int)
# run: ways(0, 0)
# run: ways(5, 2)
# run: ways(5, 5)
# run: ways(5, 6)
# run: ways(66, 33)
# run: ways(67, 28)
# run: ways(2**62, 1)
# run: ways(2**62, 2**62 - 1)
# run: ways(-1, 2)
# run: ways(2, -1)
def ways(n, k):
    return math.comb(n, k)


#numptx export close(float, float, float, float)
# run: close(1.0, 1.0 + 1e-10, 1e-9, 0.0)
# run: close(1.0, 1.0 + 1e-8, 1e-9, 0.0)
# run: close(0.0, 1e-12, 1e-9, 0.0)
# run: close(0.0, 1e-12, 1e-9, 1e-9)
# run: close(inf, inf, 1e-9, 0.0)
# run: close(inf, -inf, 1e-9, 0.0)
# run: close(inf, 1.0, 1e-9, inf)
# run: close(nan, nan, 1e-9, inf)
# run: close(1.0, 2.0, -1e-9, 0.0)
# run: close(1.0, 2.0, 1e-9, -1.0)
# run: close(1e308, -1e308, 1e-9, 0.0)
def close(a, b, relative, absolute):
    return math.isclose(a, b), math.isclose(a, b, rel_tol=relative, abs_tol=absolute), math.isclose(3, b)


#numptx export of_elements(int64[:], int64[:])
# run: of_elements(array([12, -18, 0, 35]), array([18, 12, 5, 21]))
def of_elements(a, b):
    out = np.empty(len(a), dtype=np.int64)
    for i in range(len(a)):
        out[i] = math.gcd(a[i], b[i])
    return out
