"""Exponential and elliptic integrals: DLMF 6 and 19."""
import numpy as np


def series_of_exponentials(x):
    """The sum of x^k / (k k!), DLMF 6.6.1 and 6.6.2."""
    power, total = x, x
    for k in range(2, 200):
        power = power * (x / k)
        added = power / k
        total = total + added
        if abs(added) < 1e-17 * abs(total):
            break
    return total


def exp1_of(x):
    if np.isnan(x) or x < 0.0:
        return np.float64(np.nan)
    if x == 0.0:
        return np.float64(np.inf)
    if x <= 1.0:
        return -0.5772156649015329 - np.log(x) - series_of_exponentials(-x)
    return np.exp(-x) * fraction_of_gamma(np.float64(0.0), x) if x < 1000.0 else np.float64(0.0)


def expi_of(x):
    if np.isnan(x):
        return x
    if x <= 0.0:
        return -exp1_of(-x)
    if x == np.inf:
        return x
    if x < 40.0:
        return 0.5772156649015329 + np.log(x) + series_of_exponentials(x)
    term, total = np.float64(1.0), np.float64(1.0)
    for k in range(1, 40):
        if k >= x:
            break
        term = term * (k / x)
        total = total + term
        if term < 1e-17:
            break
    half = np.exp(0.5 * x)
    return half * (total / x) * half


def scipy_special_exp1(x):
    return rounded(each(exp1_of, wide(x)), place_in_single(x) > 2)


def scipy_special_expi(x):
    return rounded(each(expi_of, wide(x)), place_in_single(x) > 2)


def mean_and_rest(p):
    """The arithmetic-geometric mean of 1 and the root of p, DLMF 19.8.1, and 1 - the sum of DLMF 19.8.6, of p = 1 - m > 0."""
    a, g = np.float64(1.0), np.sqrt(p)
    rest, scale = 1.0 - 0.5 * (1.0 - p), np.float64(1.0)
    for _ in range(1, 60):
        half = 0.5 * (a - g)
        a, g = 0.5 * (a + g), np.sqrt(a * g)
        rest = rest - scale * half * half
        scale = 2.0 * scale
        if abs(half) <= 1e-8 * a:
            break
    return 0.5 * (a + g), rest


def ellipk_of(p):
    if np.isnan(p) or p < 0.0:
        return np.float64(np.nan)
    if p == 0.0:
        return np.float64(np.inf)
    if p == np.inf:
        return np.float64(0.0)
    mean, _ = mean_and_rest(p)
    return 1.5707963267948966 / mean


def ellipe_of(p):
    """Beside m = 1, where the sum leaves no digits, by its series, DLMF 19.12.2."""
    if np.isnan(p) or p < 0.0:
        return np.float64(np.nan)
    if p == 0.0 or p == np.inf:
        return np.float64(1.0) if p == 0.0 else np.float64(np.inf)
    if p < 1e-7:
        return 1.0 + 0.5 * p * (np.log(4.0 / np.sqrt(p)) - 0.5)
    mean, rest = mean_and_rest(p)
    return 1.5707963267948966 / mean * rest


def scipy_special_ellipk(x):
    return rounded(each(ellipk_of, 1.0 - wide(x)), is_float32(x))


def scipy_special_ellipkm1(x):
    return rounded(each(ellipk_of, wide(x)), is_float32(x))


def scipy_special_ellipe(x):
    return rounded(each(ellipe_of, 1.0 - wide(x)), is_float32(x))
