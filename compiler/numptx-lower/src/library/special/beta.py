"""The beta function, its logarithm, and binomial coefficients."""
import numpy as np


def log_of_beta(a, b):
    """log |B(a, b)| of a <= b; where logarithms of gamma would cancel, by Stirling's formula and what is left of it."""
    if b < 10.0 or a + b < 10.0:
        return elementwise("lgamma", a) + (elementwise("lgamma", b) - elementwise("lgamma", a + b))
    if a < 10.0:
        return elementwise("lgamma", a) - log_of_step(b, a)
    rest = tail_of_stirling(a) + tail_of_stirling(b) - tail_of_stirling(a + b)
    return 0.9189385332046727 - 0.5 * np.log(b) + rest + (a - 0.5) * np.log(a / (a + b)) - b * np.log1p(a / b)


def beta_at_pole(a, b):
    """B(a, b) of an integer a <= 0: SciPy's, which is finite beside an integer b where a + b < 1."""
    if b == np.floor(b) and 1.0 - a - b > 0.0:
        sign = 1.0 if b - 2.0 * np.floor(0.5 * b) == 0.0 else -1.0
        return sign, 1.0 - a - b
    return np.float64(1.0), np.float64(0.0)


def beta_at_infinity(a, b):
    least, most = min(a, b), max(a, b)
    if least == -np.inf or is_pole(least):
        return np.float64(np.inf)
    if least == np.inf:
        return np.float64(np.nan)
    return np.float64(0.0) if least > 0.0 else sign_of_gamma(least) * np.inf


def beta_of(a, b):
    if np.isnan(a) or np.isnan(b):
        return np.float64(np.inf) if is_pole(a) or is_pole(b) else np.float64(np.nan)
    if np.isinf(a) or np.isinf(b):
        return beta_at_infinity(a, b)
    sign, first, second = np.float64(1.0), a, b
    if is_pole(a):
        sign, first = beta_at_pole(a, b)
    elif is_pole(b):
        sign, second = beta_at_pole(b, a)
    if is_pole(first) or is_pole(second):
        return sign * np.inf
    if is_pole(first + second):
        return np.float64(0.0)
    if max(abs(first), abs(second)) < 20.0 and abs(first) > 1e-300 and abs(second) > 1e-300:
        small, large = (first, second) if abs(first) < abs(second) else (second, first)
        quotient = elementwise("tgamma", large) / elementwise("tgamma", first + second)
        return sign * (quotient * elementwise("tgamma", small))
    signs = sign_of_gamma(first) * sign_of_gamma(second) * sign_of_gamma(first + second)
    return sign * signs * np.exp(log_of_beta(min(first, second), max(first, second)))


def scipy_special_beta(x1, x2):
    return rounded(each_of_two(beta_of, wide(x1), wide(x2)), is_float32(x1) and is_float32(x2))


def betaln_of(a, b):
    if np.isnan(a) or np.isnan(b):
        return np.float64(np.inf) if is_pole(a) or is_pole(b) else np.float64(np.nan)
    if np.isinf(a) or np.isinf(b):
        return np.log(abs(beta_at_infinity(a, b)))
    first, second = a, b
    sign = np.float64(1.0)
    if is_pole(a):
        sign, first = beta_at_pole(a, b)
    elif is_pole(b):
        sign, second = beta_at_pole(b, a)
    if is_pole(first) or is_pole(second):
        return np.float64(np.inf)
    if is_pole(first + second):
        return np.float64(-np.inf)
    return log_of_beta(min(first, second), max(first, second))


def scipy_special_betaln(x1, x2):
    return rounded(each_of_two(betaln_of, wide(x1), wide(x2)), is_float32(x1) and is_float32(x2))


def binomial(n, k):
    """By a product for few factors, as it then is exact; else 1 / ((n + 1) B(n - k + 1, k + 1)), DLMF 1.2.6 and 5.12.1."""
    if np.isnan(n) or np.isnan(k) or (n < 0.0 and n == np.floor(n)):
        return np.float64(np.nan)
    if np.isinf(k):
        return np.float64(np.nan) if k > 0.0 else np.float64(0.0)
    if k == np.floor(k) and (abs(n) > 1e-8 or n == 0.0):
        count = n - k if n == np.floor(n) and n > 0.0 and k > 0.5 * n else k
        if 0.0 <= count < 30.0:
            above, below, i = np.float64(1.0), np.float64(1.0), np.float64(0.0)
            while i < count:
                i = i + 1.0
                above = above * (n - count + i)
                below = below * i
                if abs(above) > 1e50:
                    above, below = above / below, np.float64(1.0)
            return above / below
        if k < 0.0:
            return np.float64(0.0)
    return binomial_of_reals(n, k)


def binomial_of_reals(n, k):
    a, b = n - k + 1.0, k + 1.0
    if is_pole(a) or is_pole(b):
        return np.float64(0.0)
    if n > 1e10 * abs(k) and k > 0.0:
        return np.exp(-log_of_beta(b, a) - np.log1p(n))
    return 1.0 / ((n + 1.0) * beta_of(a, b))


def scipy_special_binom(x1, x2):
    return rounded(each_of_two(binomial, wide(x1), wide(x2)), fit_single(x1, x2))


def combinations(n, k):
    return binomial(n, k) if n >= k and n >= 0.0 and k >= 0.0 else np.float64(0.0)


def fit_single_as_arrays(x, y):
    """As `fit_single` of what `np.asarray` makes of numbers."""
    return place_in_single(x) > 2 and place_in_single(y) > 2


def scipy_special_comb(N, k, repetition=False):
    n, m = wide(N), wide(k)
    is_single = fit_single_as_arrays(N, k)
    if repetition:
        return rounded(each_of_two(combinations, n + m - 1.0, m), is_single)
    return rounded(each_of_two(combinations, n, m), is_single)


def scipy_special_perm(N, k):
    n, m = wide(N), wide(k)
    return rounded(each_of_two(arrangements, n, m), fit_single_as_arrays(N, k))


def arrangements(n, k):
    return rising(n - k + 1.0, k) if n >= k and n >= 0.0 and k >= 0.0 else np.float64(0.0)
