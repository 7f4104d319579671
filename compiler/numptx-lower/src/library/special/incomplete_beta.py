"""The incomplete beta function: an element is one thread's work, which takes as many terms as it needs."""
import numpy as np


def log_of_part(x, y):
    """log(x) of x + y = 1, of which the smaller one is exact."""
    return np.log(x) if x <= 0.5 else np.log1p(-y)


def power_over_beta(a, b, x, y):
    """x^a y^b / B(a, b), y = 1 - x; of large a and b by how far x is from a / (a + b), where the power is largest."""
    if a < 10.0 or b < 10.0:
        return np.exp(a * log_of_part(x, y) + b * log_of_part(y, x) - log_of_beta(min(a, b), max(a, b)))
    whole = a + b
    distance = (x * b - y * a) / whole
    lost = a * excess_of_ratio(x * (whole / a), distance * (whole / a))
    lost = lost + b * excess_of_ratio(y * (whole / b), -distance * (whole / b))
    rest = tail_of_stirling(whole) - tail_of_stirling(a) - tail_of_stirling(b)
    return np.exp(rest - lost) * np.sqrt(a * (b / whole) / 6.283185307179586)


def excess_of_ratio(ratio, t):
    """t - log(1 + t), where 1 + t is the ratio."""
    return less_linear(t) if -0.3 <= t <= 0.5 else t - np.log(ratio)


def fraction_of_beta(a, b, x, y):
    """What the power is multiplied by: the even part of the continued fraction DLMF 8.17.22, by Lentz's method; it has 1 - x in places where x would cancel."""
    rest = a * y - b * x + 1.0
    total = a / (a + 1.0) * rest
    c, d = total, np.float64(0.0)
    for k in range(1, 20000):
        above = a + (2 * k - 1)
        numerator = ((a + (k - 1)) / above) * ((a + b + (k - 1)) * x / above) * k * ((b - k) * x)
        b_of_k = k + k * ((b - k) * x) / above + (a + k) / (above + 2.0) * (rest + k * (1.0 + y))
        d = 1.0 / (b_of_k + numerator * d)
        c = b_of_k + numerator / c
        factor = c * d
        total = total * factor
        if abs(factor - 1.0) < 2e-16:
            return 1.0 / total
    # Rather no number than a wrong one.
    return np.float64(np.nan)


def log_of_any_step(b, a):
    """log(gamma(a + b) / gamma(b)) of 0 < a <= 1/2, also of small b, from where steps lead to 10 and more; with all digits of a small a."""
    product, at = np.float64(0.0), b
    while at < 10.0:
        product = product - np.log1p(a / at)
        at = at + 1.0
    return product + (a * digamma_of(at + 0.5 * a) if a < 1e-5 else log_of_step(at, a))


def complement_of_small(a, b, x, y):
    """1 - I_x(a, b) of a small a, by how far its factors are from 1: x^a / (a B(a, b)), and the sum of DLMF 8.17.7."""
    term = np.float64(1.0)
    total = np.float64(0.0)
    for k in range(1, 500):
        term = term * ((k - b) * x / k)
        added = term / (a + k)
        total = total + added
        if abs(added) < 1e-17 * abs(total):
            break
    logarithm = a * log_of_part(x, y) - log_of_gamma_beside_one(a) + log_of_any_step(b, a)
    return -np.expm1(logarithm + np.log1p(a * total))


def below_middle(a, b, x, y):
    """I_x(a, b), y = 1 - x, and its complement, where the fraction converges."""
    lower = power_over_beta(a, b, x, y) * fraction_of_beta(a, b, x, y)
    if a <= 0.5 and lower > 0.5:
        return lower, complement_of_small(a, b, x, y)
    return lower, 1.0 - lower


def regularized_beta(a, b, x, y):
    if min(a, b) > 1e8:
        # The fraction would have too many terms.
        return np.float64(np.nan), np.float64(np.nan)
    # As x (a + b + 2) <= a + 1, which rounding decides where a is large.
    if x * (b + 1.0) <= (a + 1.0) * y:
        return below_middle(a, b, x, y)
    upper, lower = below_middle(b, a, y, x)
    return lower, upper


def at_ends_of_beta(a, b, x):
    """I_x(a, b) where an argument is none inside of its range: what SciPy gives; -1 elsewhere."""
    if np.isnan(a) or np.isnan(b) or np.isnan(x) or a < 0.0 or b < 0.0 or x < 0.0 or x > 1.0:
        return np.float64(np.nan)
    if (a == 0.0 and b == 0.0) or (np.isinf(a) and np.isinf(b)):
        return np.float64(np.nan)
    if a == 0.0 or np.isinf(b):
        return np.float64(1.0) if x > 0.0 else np.float64(0.0)
    if b == 0.0 or np.isinf(a):
        return np.float64(0.0) if x < 1.0 else np.float64(1.0)
    if x == 0.0 or x == 1.0:
        return x
    return np.float64(-1.0)


def lower_beta(a, b, x):
    known_value = at_ends_of_beta(a, b, x)
    if not known_value == -1.0:
        return known_value
    lower, _ = regularized_beta(a, b, x, 1.0 - x)
    return lower


def upper_beta(a, b, x):
    known_value = at_ends_of_beta(a, b, x)
    if not known_value == -1.0:
        return 1.0 - known_value
    _, upper = regularized_beta(a, b, x, 1.0 - x)
    return upper


def fit_single_of_three(x, y, z):
    one, other, last = place_in_single(x), place_in_single(y), place_in_single(z)
    if one == 0 or other == 0 or last == 0:
        return False
    if one == 4 or other == 4 or last == 4:
        return True
    return one != 2 and other != 2 and last != 2 and (one == 3 or other == 3 or last == 3)


def scipy_special_betainc(x1, x2, x3):
    return rounded(each_of_three(lower_beta, wide(x1), wide(x2), wide(x3)), fit_single_of_three(x1, x2, x3))


def scipy_special_betaincc(x1, x2, x3):
    return rounded(each_of_three(upper_beta, wide(x1), wide(x2), wide(x3)), fit_single_of_three(x1, x2, x3))
