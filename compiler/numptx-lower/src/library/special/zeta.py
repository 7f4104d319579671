"""Zeta functions, and the derivatives of the logarithm of gamma."""
import numpy as np


def hurwitz(x, q):
    """Euler and Maclaurin's sum, DLMF 25.11.5: terms up to q >= 12 and 12 corrections."""
    if x == 1.0:
        return np.float64(np.inf)
    if np.isnan(q) or (np.isnan(x) and not is_pole(q)):
        return np.float64(np.nan)
    if x < 1.0:
        return np.float64(np.nan)
    if q <= 0.0:
        if q == np.floor(q):
            return np.float64(np.inf)
        if x != np.floor(x):
            return np.float64(np.nan)
    if x > 10000.0:
        return q**-x if x < np.inf or np.isinf(q) else np.float64(np.nan)
    if q > 1e8:
        return (1.0 / (x - 1.0) + 0.5 / q) * q ** (1.0 - x)
    total, at, n = np.float64(0.0), q, 0
    while n < 12 or at < 12.0:
        term = at**-x
        total = total + term
        at = at + 1.0
        n += 1
        if at > 1.0 and abs(term) < abs(total) * 1e-18:
            return total
    return total + rest_of_zeta(x, at)


def rest_of_zeta(x, at):
    """The sum of (at + k)^-x over all k."""
    coefficients = (
        0.08333333333333333, -0.001388888888888889, 3.306878306878307e-05, -8.267195767195768e-07,
        2.08767569878681e-08, -5.284190138687493e-10, 1.3382536530684679e-11, -3.3896802963225827e-13,
        8.586062056277845e-15, -2.174868698558062e-16, 5.5090028283602295e-18, -1.3954464685812522e-19,
    )
    power = at**-x
    total = power * (at / (x - 1.0) + 0.5)
    factor = x * power / at
    square = at * at
    for k in range(12):
        total = total + coefficients[k] * factor
        if abs(factor) < 1e-18 * abs(total):
            break
        factor = factor * ((x + (2 * k + 1)) * ((x + (2 * k + 2)) / square))
    return total


def riemann(x):
    """DLMF 25.2.9, and 25.4.1 of negative numbers."""
    if x >= 1.0:
        return hurwitz(x, np.float64(1.0)) if x < np.inf else np.float64(1.0)
    if np.isnan(x) or x == -np.inf:
        return np.float64(np.nan)
    if x >= -0.25:
        total = np.float64(0.0)
        for k in range(1, 12):
            total = total + np.float64(k) ** -x
        return total + rest_of_zeta(x, np.float64(12.0))
    # The sine of what is left of x beside the next even number: there it is 0.
    half = np.floor(0.5 * x + 0.5)
    sign = 2.0 if half - 2.0 * np.floor(0.5 * half) == 0.0 else -2.0
    wave = sign * np.sin(1.5707963267948966 * (x - 2.0 * half))
    if wave == 0.0:
        return np.float64(0.0)
    other = 1.0 - x
    if other < 150.0:
        scale = elementwise("tgamma", other) * 6.283185307179586 ** -other
    else:
        scale = np.exp(elementwise("lgamma", other) - other * 1.8378770664093453)
    return wave * scale * hurwitz(other, np.float64(1.0))


def scipy_special_zeta(x, q=None):
    if q is None:
        return rounded(each(riemann, wide(x)), is_float32(x))
    return rounded(each_of_two(hurwitz, wide(x), wide(q)), fit_single(x, q))


def zeta_less_one(x):
    """From 2 on without its first term."""
    if x >= 2.0:
        return hurwitz(x, np.float64(2.0)) if x < np.inf else np.float64(0.0)
    return riemann(x) - 1.0


def scipy_special_zetac(x):
    return rounded(each(zeta_less_one, wide(x)), is_float32(x))


def polygamma_of(n, x):
    """DLMF 25.11.12."""
    if n == 0.0:
        return digamma_of(x)
    sign = 1.0 if n - 2.0 * np.floor(0.5 * n) == 1.0 else -1.0
    if n != np.floor(n):
        return np.float64(np.nan)
    return sign * elementwise("tgamma", n + 1.0) * hurwitz(n + 1.0, x)


def scipy_special_polygamma(n, x):
    y = rounded(each_of_two(polygamma_of, wide(n), wide(x)), is_float32(n) and is_float32(x))
    return np.asarray(y)
