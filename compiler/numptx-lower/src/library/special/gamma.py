"""The gamma function, its logarithm, and the derivative of that."""
import numpy as np


def scipy_special_gamma(x):
    return rounded(elementwise("tgamma", wide(x)), is_float32(x))


def log_of_gamma(z):
    return where_one(z == -np.inf, -np.inf, elementwise("lgamma", z))


def scipy_special_gammaln(x):
    return rounded(log_of_gamma(wide(x)), is_float32(x))


def scipy_special_loggamma(x):
    """Of real numbers: there is none of a negative one."""
    z = wide(x)
    return rounded(where_one(z < 0.0, np.nan, elementwise("lgamma", z)), is_float32(x))


def is_pole(z):
    return (z <= 0.0) & (z == np.floor(z))


def sign_of_gamma(z):
    """Of a negative number by whether the integer below it is odd."""
    below = np.floor(z)
    is_odd = below - 2.0 * np.floor(0.5 * below) == 1.0
    return where_one((z < 0.0) & is_odd, -1.0, 1.0)


def scipy_special_gammasgn(x):
    z = wide(x)
    sign = where_one(z == 0.0, np.copysign(1.0, z), sign_of_gamma(z))
    return rounded(where_one(np.isnan(z) | (is_pole(z) & (z != 0.0)), np.nan, sign), is_float32(x))


def scipy_special_rgamma(x):
    """Where gamma is too large, by its logarithm."""
    z = wide(x)
    safe = where_one(is_pole(z), 1.0, z)
    is_plain = np.abs(safe) < 170.0
    near = 1.0 / elementwise("tgamma", where_one(is_plain, safe, 1.0))
    far = sign_of_gamma(safe) * np.exp(-elementwise("lgamma", safe))
    return rounded(where_one(z == 0.0, z, where_one(is_pole(z), 0.0, where_one(is_plain, near, far))), is_float32(x))


def scipy_special_factorial(n):
    """Of arrays without axes SciPy gives such arrays."""
    z = wide(n)
    y = wide(rounded(where_one(z < 0.0, 0.0, elementwise("tgamma", np.maximum(z, -0.5) + 1.0)), is_float32(n)))
    return np.asarray(y) if isinstance(n, np.ndarray) and n.ndim == 0 else y


def tail_of_stirling(x):
    """log gamma(x) - ((x - 1/2) log x - x + log(2 pi) / 2) of x >= 10: DLMF 5.11.1."""
    coefficients = (
        -3617 / 122400, 1 / 156, -691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12,
    )
    reciprocal = 1.0 / x
    return reciprocal * polynomial(coefficients, reciprocal * reciprocal)


def log_of_step(b, a):
    """log(gamma(a + b) / gamma(b)) of b >= 10 and a + b >= 10."""
    rest = tail_of_stirling(a + b) - tail_of_stirling(b)
    return rest + (b - 0.5) * np.log1p(a / b) + a * (np.log(a + b) - 1.0)


def digamma_of(x):
    """DLMF 5.5.2 up to 10 and more, 5.11.2 there, and 5.5.4 of negative numbers."""
    coefficients = (
        -3617 / 8160, 1 / 12, -691 / 32760, 1 / 132, -1 / 240, 1 / 252, -1 / 120, 1 / 12,
    )
    is_negative = x < 0.0
    z = where_one(is_negative, 1.0 - x, x)
    far = z + 10.0
    square = 1.0 / (far * far)
    y = np.log(far) - 0.5 / far - square * polynomial(coefficients, square)
    # The sum of 1 / (z + k) for k below 10, from the smallest term.
    lost = 1.0 / (z + 9.0)
    for k in (8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0):
        lost = lost + 1.0 / (z + k)
    y = y - lost - 1.0 / where_one(z == 0.0, 1.0, z)
    turned = np.pi * (x - np.floor(x + 0.5))
    reflected = y - np.pi / np.tan(where_one(is_negative, turned, 1.0))
    at_pole = where_one(x == 0.0, np.copysign(np.inf, -x), np.nan)
    return where_one(is_pole(x), at_pole, where_one(is_negative, reflected, y))


def scipy_special_digamma(x):
    return rounded(digamma_of(wide(x)), is_float32(x))


def rising(a, m):
    """gamma(a + m) / gamma(a), by steps of 1 down to |m| < 1."""
    product = np.float64(1.0)
    while m >= 1.0:
        if a + m == 1.0:
            break
        m = m - 1.0
        product = product * (a + m)
        if not np.isfinite(product) or product == 0.0:
            break
    while m <= -1.0:
        if a + m == 0.0:
            break
        product = product / (a + m)
        m = m + 1.0
        if not np.isfinite(product) or product == 0.0:
            break
    if m == 0.0:
        return product
    if is_pole(a + m) and not is_pole(a):
        return np.float64(np.inf)
    if is_pole(a) and not is_pole(a + m):
        return np.float64(0.0)
    if a >= 10.0 and a + m >= 10.0:
        return product * np.exp(log_of_step(a, m))
    quotient = np.exp(elementwise("lgamma", a + m) - elementwise("lgamma", a))
    return product * quotient * sign_of_gamma(a + m) * sign_of_gamma(a)


def scipy_special_poch(x1, x2):
    return rounded(each_of_two(rising, wide(x1), wide(x2)), fit_single(x1, x2))
