"""Functions of `math` on ints, and closeness of floats."""
import numpy as np


def math_gcd(a=0, b=0):
    a, b = int(a), int(b)
    while b != 0:
        a, b = b, a % b
    return abs(a)


def math_lcm(a=1, b=1):
    a, b = int(a), int(b)
    if a == 0 or b == 0:
        return 0
    return abs(a // math_gcd(a, b) * b)


def math_isqrt(n):
    n = int(n)
    if n < 0:
        raise ValueError("isqrt() argument must be nonnegative")
    root = int(np.sqrt(float(n)))
    if root * root > n:
        root -= 1
    if n - root * root > 2 * root:
        root += 1
    return root


def math_factorial(n):
    n = int(n)
    if n < 0:
        raise ValueError("factorial() not defined for negative values")
    product = 1
    for k in range(2, n + 1):
        product *= k
    return product


def math_comb(n, k):
    n, k = int(n), int(k)
    if n < 0:
        raise ValueError("n must be a non-negative integer")
    if k < 0:
        raise ValueError("k must be a non-negative integer")
    if k > n:
        return 0
    ways = 1
    for i in range(1, min(k, n - k) + 1):
        common = math_gcd(ways, i)
        ways = ways // common * ((n - i + 1) // (i // common))
    return ways


def math_isclose(a, b, rel_tol=1e-09, abs_tol=0.0):
    a = float(a)
    b = float(b)
    rel_tol = float(rel_tol)
    abs_tol = float(abs_tol)
    if rel_tol < 0.0 or abs_tol < 0.0:
        raise ValueError("tolerances must be non-negative")
    if a == b:
        return True
    if np.isinf(a) or np.isinf(b):
        return False
    apart = abs(b - a)
    return apart <= abs(rel_tol * b) or apart <= abs(rel_tol * a) or apart <= abs_tol
