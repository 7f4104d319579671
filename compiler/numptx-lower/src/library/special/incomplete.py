"""The incomplete gamma functions: an element is one thread's work, which takes as many terms as it needs."""
import numpy as np


def log_of_gamma_beside_one(a):
    """log gamma(1 + a) of |a| <= 1/2: a Chebyshev fit of its quotient by a."""
    coefficients = (
        4.656918526401498e-10, -8.990809043424478e-10, -1.6383867000496465e-09, 2.930006921758862e-09,
        5.761159089535886e-09, -1.0457694646983121e-08, -2.0530219606907244e-09, 1.3416285834333462e-09,
        2.8943959482529098e-08, -5.690774547052658e-08, 9.004201809149558e-08, -1.9284675279470471e-07,
        4.2666323095050014e-07, -9.014793572649296e-07, 1.9063116444841117e-06, -4.067770293473459e-06,
        8.720131172623906e-06, -1.8782688400384684e-05, 4.070006275740668e-05, -8.882222595652844e-05,
        0.0001955067598998176, -0.00043489948221950563, 0.000980544292606348, -0.002250779636608288,
        0.005298661781194233, -0.012961596939306022, 0.03382260105347253, -0.10017140859663266, 0.4112335167120566,
        -0.5772156649015329,
    )
    return a * polynomial(coefficients, 2.0 * a)


def excess(t):
    """t - log(1 + t) of t > -1."""
    return less_linear(t) if -0.3 <= t <= 0.5 else t - np.log1p(t)


def power_over_gamma(a, x):
    """x^a e^-x / gamma(a + 1); of a from 10 on by Stirling's formula, with the exponent a (lambda - 1 - log lambda), DLMF 8.12.1."""
    if a < 10.0:
        if abs(a) <= 0.5:
            return np.exp(a * np.log(x) - x - log_of_gamma_beside_one(a))
        return np.exp(a * np.log(x) - x) / elementwise("tgamma", a + 1.0)
    t = (x - a) / a
    exponent = a * excess(t) if -0.5 < t < 1.0 else x - a - a * np.log(x / a)
    return np.exp(-exponent - tail_of_stirling(a)) / np.sqrt(6.283185307179586 * a)


def series_of_gamma(a, x):
    """gamma(a, x) / (x^a e^-x), times a: DLMF 8.11.4."""
    term = np.float64(1.0)
    total = np.float64(1.0)
    for k in range(1, 2000):
        term = term * (x / (a + k))
        total = total + term
        if term < total * 1e-17:
            break
    return total


def fraction_of_gamma(a, x):
    """Gamma(a, x) / (x^a e^-x): the continued fraction of DLMF 8.9.2, by Lentz's method."""
    b = x + 1.0 - a
    d = 1.0 / b
    c = np.float64(1e300)
    total = d
    for k in range(1, 2000):
        numerator = k * (a - k)
        b = b + 2.0
        d = 1.0 / (numerator * d + b)
        c = b + numerator / c
        factor = c * d
        total = total * factor
        if abs(factor - 1.0) < 2e-16:
            break
    return total


def uniform_of_gamma(a, x, is_upper):
    """Temme's uniform expansion, SIAM J. Math. Anal. 10 (1979), DLMF 8.12: of large a, x beside a."""
    of_0 = (
        -2.5514193994946248e-11, 9.14769958223679e-10, -4.382036018453353e-09, 1.0261809784240309e-08,
        6.707853543401498e-09, -1.7665952736826078e-07, 8.296711340953087e-07, -1.85406221071516e-06,
        -2.185448510679992e-06, 3.919263178522438e-05, -0.0001787551440329218, 0.0003527336860670194,
        0.0011574074074074073, -0.014814814814814815, 0.08333333333333333, -0.3333333333333333,
    )
    of_1 = (
        1.1951628599778148e-08, -5.752545603517705e-08, 1.378633446915721e-07, 4.647127802807434e-09,
        -1.6120900894563446e-06, 7.64916091608111e-06, -1.8098550334489977e-05, -4.018775720164609e-07,
        0.00020576131687242798, -0.0009902263374485596, 0.0026455026455026454, -0.003472222222222222,
        -0.001851851851851852,
    )
    of_2 = (
        1.4280614206064242e-07, -6.298992138380055e-07, 1.3721957309062934e-06, 3.423578734096138e-08,
        -1.2760635188618728e-05, 5.2923448829120125e-05, -0.0001073665322636516, 2.0093878600823047e-06,
        0.0007716049382716049, -0.0026813271604938273, 0.004133597883597883,
    )
    of_3 = (
        -5.6749528269915965e-06, 1.1082654115347302e-05, -2.396505113867297e-07, -7.561801671883977e-05,
        0.00026772063206283885, -0.0004691894943952557, 0.00022947209362139917, 0.0006494341563786008,
    )
    of_4 = (
        -1.4638452578843418e-06, -0.0002990724803031902, 0.0007840392217200666, -0.0008618882909167117,
    )
    of_5 = (
        -6.972813758365857e-05, -0.00033679855336635813,
    )
    t = (x - a) / a
    half_square = excess(t)
    eta = np.sqrt(2.0 * half_square) if t > 0.0 else -np.sqrt(2.0 * half_square)
    total = polynomial(of_5, eta)
    for coefficients in (of_4, of_3, of_2, of_1, of_0):
        total = total / a + polynomial(coefficients, eta)
    rest = np.exp(-a * half_square) / np.sqrt(6.283185307179586 * a) * total
    argument = eta * np.sqrt(0.5 * a)
    if is_upper:
        return 0.5 * elementwise("erfc", argument) + rest
    return 0.5 * elementwise("erfc", -argument) - rest


def upper_of_small(a, x):
    """Q(a, x) where both are small, without 1 - P(a, x): P of the first term, and what the others add, DLMF 8.7.1."""
    first = np.expm1(a * np.log(x) - log_of_gamma_of_next(a))
    term = np.float64(1.0)
    total = np.float64(0.0)
    for k in range(1, 200):
        term = term * (-x / k)
        added = term / (a + k)
        total = total + added
        if abs(added) < abs(total) * 1e-17:
            break
    return -first - a * total * (1.0 + first)


def log_of_gamma_of_next(a):
    return log_of_gamma_beside_one(a) if a <= 0.5 else elementwise("lgamma", 1.0 + a)


def at_ends_of_gamma(a, x):
    """P(a, x) where an argument is no positive number: what SciPy gives; -1 elsewhere."""
    if np.isnan(a) or np.isnan(x) or a < 0.0 or x < 0.0:
        return np.float64(np.nan)
    if a == 0.0:
        return np.float64(1.0) if x > 0.0 else np.float64(np.nan)
    if x == 0.0:
        return np.float64(0.0)
    if np.isinf(a):
        return np.float64(np.nan) if np.isinf(x) else np.float64(0.0)
    return np.float64(1.0) if np.isinf(x) else np.float64(-1.0)


def lower_gamma(a, x):
    known_value = at_ends_of_gamma(a, x)
    if not known_value == -1.0:
        return known_value
    if a > 200.0 and abs(x - a) < 0.3 * a:
        return uniform_of_gamma(a, x, False)
    if x > 1.0 and x > a:
        return 1.0 - upper_gamma_of_inner(a, x)
    return power_over_gamma(a, x) * series_of_gamma(a, x)


def upper_gamma_of_inner(a, x):
    """Q(a, x) of finite positive numbers that are not beside each other where they are large."""
    if x > 1.1:
        if x < a:
            return 1.0 - power_over_gamma(a, x) * series_of_gamma(a, x)
        return power_over_gamma(a, x) * a * fraction_of_gamma(a, x)
    is_beside_one = a > -0.4 / np.log(x) if x <= 0.5 else a > 1.1 * x
    if is_beside_one:
        return 1.0 - power_over_gamma(a, x) * series_of_gamma(a, x)
    return upper_of_small(a, x)


def upper_gamma(a, x):
    known_value = at_ends_of_gamma(a, x)
    if not known_value == -1.0:
        return 1.0 - known_value
    if a > 200.0 and abs(x - a) < 0.3 * a:
        return uniform_of_gamma(a, x, True)
    return upper_gamma_of_inner(a, x)


def scipy_special_gammainc(x1, x2):
    return rounded(each_of_two(lower_gamma, wide(x1), wide(x2)), is_float32(x1) and is_float32(x2))


def scipy_special_gammaincc(x1, x2):
    return rounded(each_of_two(upper_gamma, wide(x1), wide(x2)), is_float32(x1) and is_float32(x2))
