"""Distributions by incomplete gamma and beta functions, and functions of statistics and of robust fits, by their definitions in SciPy's pages."""
import numpy as np


def chi_square(v, x):
    if x < 0.0 or v < 0.0:
        return np.float64(np.nan)
    return lower_gamma(0.5 * v, 0.5 * x)


def chi_square_rest(v, x):
    if x < 0.0:
        return np.float64(1.0)
    return upper_gamma(0.5 * v, 0.5 * x)


def scipy_special_chdtr(x1, x2):
    return rounded(each_of_two(chi_square, wide(x1), wide(x2)), fit_single(x1, x2))


def scipy_special_chdtrc(x1, x2):
    return rounded(each_of_two(chi_square_rest, wide(x1), wide(x2)), fit_single(x1, x2))


def student(v, t):
    """DLMF 8.17 by t^2 / (v + t^2), of which both parts are known."""
    if np.isnan(v) or np.isnan(t) or v <= 0.0:
        return np.float64(np.nan)
    if np.isinf(t):
        return np.float64(1.0) if t > 0.0 else np.float64(0.0)
    if np.isinf(v):
        return 0.5 * elementwise("erfc", -0.7071067811865476 * t)
    if t == 0.0:
        return np.float64(0.5)
    square = t * t
    tail = np.float64(0.0)
    if square < np.inf:
        tail, _ = regularized_beta(0.5 * v, np.float64(0.5), v / (v + square), square / (v + square))
    return 1.0 - 0.5 * tail if t > 0.0 else 0.5 * tail


def scipy_special_stdtr(x1, x2):
    return rounded(each_of_two(student, wide(x1), wide(x2)), fit_single(x1, x2))


def both_of_f(a, b, x):
    """The distribution of quotients of variances, and its complement."""
    if np.isnan(a) or np.isnan(b) or np.isnan(x) or a <= 0.0 or b <= 0.0 or x < 0.0 or np.isinf(a) or np.isinf(b):
        return np.float64(np.nan), np.float64(np.nan)
    if x == 0.0 or np.isinf(x):
        share = np.float64(0.0) if x == 0.0 else np.float64(1.0)
        return share, 1.0 - share
    whole = b + a * x
    return regularized_beta(0.5 * a, 0.5 * b, a * x / whole, b / whole)


def lower_f(a, b, x):
    lower, _ = both_of_f(a, b, x)
    return lower


def upper_f(a, b, x):
    _, upper = both_of_f(a, b, x)
    return upper


def scipy_special_fdtr(x1, x2, x3):
    return rounded(each_of_three(lower_f, wide(x1), wide(x2), wide(x3)), fit_single_of_three(x1, x2, x3))


def scipy_special_fdtrc(x1, x2, x3):
    return rounded(each_of_three(upper_f, wide(x1), wide(x2), wide(x3)), fit_single_of_three(x1, x2, x3))


def power_of_box_and_cox(logarithm, power):
    """(e^(power logarithm) - 1) / power, and its limit; also where the power alone is too large."""
    is_limit = np.abs(power) < 1e-273
    safe = where_one(is_limit, 1.0, power)
    exponent = safe * logarithm
    plain = np.expm1(np.minimum(exponent, 709.0)) / safe
    large = np.copysign(np.exp(exponent - np.log(np.abs(safe))), safe)
    return where_one(is_limit, logarithm, where_one(exponent > 709.0, large, plain))


def scipy_special_boxcox(x1, x2):
    return rounded(power_of_box_and_cox(np.log(wide(x1)), wide(x2)), fit_single(x1, x2))


def scipy_special_boxcox1p(x1, x2):
    return rounded(power_of_box_and_cox(np.log1p(wide(x1)), wide(x2)), fit_single(x1, x2))


def scipy_special_inv_boxcox(x1, x2):
    y, power = wide(x1), wide(x2)
    is_limit = power == 0.0
    safe = where_one(is_limit, 1.0, power)
    return rounded(np.exp(where_one(is_limit, y, np.log1p(safe * y) / safe)), fit_single(x1, x2))


def scipy_special_huber(x1, x2):
    delta, r = wide(x1), wide(x2)
    far = np.abs(r)
    y = where_one(far <= delta, 0.5 * r * r, delta * (far - 0.5 * delta))
    return rounded(where_one(delta < 0.0, np.inf, y), fit_single(x1, x2))


def scipy_special_pseudo_huber(x1, x2):
    delta, r = wide(x1), wide(x2)
    u = r / where_one(delta == 0.0, 1.0, delta)
    # sqrt(1 + u^2) - 1, without cancelling, and u - 1 where that is the same.
    held = np.minimum(np.abs(u), 1e100)
    root = held * (held / (np.sqrt(1.0 + held * held) + 1.0))
    y = where_one(np.abs(u) > 1e20, delta * np.abs(r) - delta * delta, delta * delta * root)
    nothing = (delta == 0.0) | (r == 0.0)
    return rounded(where_one(delta < 0.0, np.inf, where_one(nothing, 0.0, y)), fit_single(x1, x2))
