"""SciPy's functions of exponentials and logarithms, and those of probabilities and entropies: DLMF 4, and their definitions in SciPy's pages."""
import numpy as np


def scipy_special_cbrt(x):
    return rounded(np.cbrt(wide(x)), is_float32(x))


def scipy_special_exp2(x):
    return rounded(np.exp2(wide(x)), is_float32(x))


def scipy_special_exp10(x):
    return rounded(elementwise("exp10", wide(x)), is_float32(x))


def scipy_special_expm1(x):
    return rounded(np.expm1(wide(x)), is_float32(x))


def scipy_special_log1p(x):
    return rounded(np.log1p(wide(x)), is_float32(x))


def scipy_special_exprel(x):
    z = wide(x)
    safe = where_one(z == 0.0, 1.0, z)
    y = where_one(z == 0.0, 1.0, where_one(z == np.inf, np.inf, np.expm1(safe) / safe))
    return rounded(y, is_float32(x))


def scipy_special_cosm1(x):
    half = np.sin(0.5 * wide(x))
    return rounded(-2.0 * half * half + 0.0, is_float32(x))


def scipy_special_sinc(x):
    if is_python(x):
        return sine_over_angle(np.float64(x))
    if x.dtype == np.float32:
        return sine_over_angle(x)
    return sine_over_angle(wide(x))


def sine_over_angle(x):
    angle = np.pi * np.where(x == 0, x.dtype.type(1e-20), x)
    return np.sin(angle) / angle


def logistic(z):
    fallen = np.exp(-np.abs(z))
    return where_one(z < 0.0, fallen, 1.0) / (1.0 + fallen)


def scipy_special_expit(x):
    return rounded(logistic(wide(x)), is_float32(x))


def scipy_special_logit(x):
    """Beside 1/2 by two logarithms of numbers beside 1, that what is left of them is exact."""
    p = wide(x)
    s = 2.0 * (p - 0.5)
    is_near = np.abs(s) < 0.5
    near = np.log1p(where_one(is_near, s, 0.0)) - np.log1p(-where_one(is_near, s, 0.0))
    return rounded(where_one(is_near, near, np.log(p / (1.0 - p))), is_float32(x))


def scipy_special_log_expit(x):
    z = wide(x)
    return rounded(-(np.log1p(np.exp(-np.abs(z))) - np.minimum(z, 0.0)), is_float32(x))


def scipy_special_xlogy(x1, x2):
    a, b = wide(x1), wide(x2)
    is_nothing = (a == 0.0) & ~np.isnan(b)
    product = where_one(is_nothing, 0.0, a) * np.log(where_one(is_nothing, 1.0, b))
    return rounded(product, is_float32(x1) and is_float32(x2))


def scipy_special_xlog1py(x1, x2):
    a, b = wide(x1), wide(x2)
    is_nothing = (a == 0.0) & ~np.isnan(b)
    product = where_one(is_nothing, 0.0, a) * np.log1p(where_one(is_nothing, 0.0, b))
    return rounded(product, is_float32(x1) and is_float32(x2))


def scipy_special_entr(x):
    p = wide(x)
    inside = -p * np.log(where_one(p > 0.0, p, 1.0))
    y = where_one(np.isnan(p) | (p > 0.0), inside, where_one(p == 0.0, 0.0, -np.inf))
    return rounded(y, place_in_single(x) > 2)


def relative_entropy(a, b):
    """a log(a / b), also where the quotient leaves the range of numbers."""
    is_inside = (a > 0.0) & (b > 0.0)
    p, q = where_one(is_inside, a, 1.0), where_one(is_inside, b, 1.0)
    quotient = p / q
    is_near = (quotient > 0.5) & (quotient < 2.0)
    is_plain = (quotient > 1e-300) & (quotient < 1e300)
    near = np.log1p(where_one(is_near, (p - q) / q, 0.0))
    far = where_one(is_plain, np.log(quotient), np.log(p) - np.log(q))
    return p * where_one(is_near, near, far)


def scipy_special_rel_entr(x1, x2):
    a, b = wide(x1), wide(x2)
    outside = where_one(np.isnan(a) | np.isnan(b), np.nan, where_one((a == 0.0) & (b >= 0.0), 0.0, np.inf))
    entropy = where_one((a > 0.0) & (b > 0.0), relative_entropy(a, b), outside)
    return rounded(entropy, fit_single(x1, x2))


def scipy_special_kl_div(x1, x2):
    a, b = wide(x1), wide(x2)
    outside = where_one(np.isnan(a) | np.isnan(b), np.nan, where_one((a == 0.0) & (b >= 0.0), b, np.inf))
    is_inside = (a > 0.0) & (b > 0.0)
    # log(a / b) - (1 - b / a), without cancelling where both are near.
    difference = where_one(is_inside, (b - a) / where_one(is_inside, a, 1.0), 0.0)
    is_near = (difference > -0.3) & (difference < 0.5)
    near = a * less_linear(where_one(is_near, difference, 0.0))
    far = relative_entropy(a, b) - a + b
    return rounded(where_one(is_inside, where_one(is_near, near, far), outside), fit_single(x1, x2))


def less_linear(t):
    """t - log(1 + t) of -0.3 <= t <= 0.5; by r = t / (2 + t), log(1 + t) = 2 (r + r^3/3 + r^5/5 + …), DLMF 4.6.4, and 2 r = t - t r."""
    r = t / (2.0 + t)
    square = r * r
    reciprocals = (1 / 25, 1 / 23, 1 / 21, 1 / 19, 1 / 17, 1 / 15, 1 / 13, 1 / 11, 1 / 9, 1 / 7, 1 / 5, 1 / 3)
    return t * r - 2.0 * r * square * polynomial(reciprocals, square)
