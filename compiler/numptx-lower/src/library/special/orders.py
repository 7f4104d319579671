"""Bessel functions of real order and real argument.

Orders are v = n + mu with |mu| <= 1/2. Functions of order mu are found by Temme's series (J. Comput. Phys. 19 (1975) and 21 (1976)) near 0,
by the continued fractions of Steed and Temme (Barnett, Feng, Steed and Goldfarb, Comput. Phys. Commun. 8 (1974)) and by Hankel's expansions far from it;
recurrences lead from there to order v, upwards for those that grow. An element is one thread's work.
"""
import numpy as np


def split_order(v):
    """n and mu of v >= 0."""
    n = np.floor(v + 0.5)
    return n, v - n


def parts_of_reciprocal_gamma(mu):
    """The even part of 1 / gamma(1 + mu), and its odd part by mu: Taylor's series, DLMF 5.7.1."""
    of_even = (
        1.0434267116911005e-10, 5.002007644469223e-09, -2.056338416977607e-07, -1.2504934821426706e-06,
        0.0001280502823881162, -0.0011651675918590652, -0.009621971527876973, 0.16653861138229148,
        -0.6558780715202539, 1.0,
    )
    of_odd = (
        7.782263439905071e-12, -1.18127457048702e-09, 6.116095104481416e-09, 1.133027231981696e-06,
        -2.013485478078824e-05, -0.00021524167411495098, 0.0072189432466631, -0.04219773455554433,
        -0.04200263503409524, 0.5772156649015329,
    )
    square = mu * mu
    return polynomial(of_even, square), polynomial(of_odd, square)


def sine_of_half_turns(v):
    """sin(pi v), 0 of whole numbers."""
    n = np.floor(v + 0.5)
    y = np.sin(3.141592653589793 * (v - n))
    return y if n - 2.0 * np.floor(0.5 * n) == 0.0 else -y


def cosine_of_half_turns(v):
    """cos(pi v), 0 between whole numbers."""
    return sine_of_half_turns(v + 0.5) if abs(v) < 1e15 else np.float64(1.0)


def start_of_temme(mu, x):
    """What both of Temme's series begin with: factor, cosh, sinh by its argument, log(2 / x), and the powers of 2 / x by gamma."""
    even, odd = parts_of_reciprocal_gamma(mu)
    turned = 3.141592653589793 * mu
    factor = turned / np.sin(turned) if abs(turned) > 1e-8 else np.float64(1.0)
    logarithm = np.log(2.0 / x)
    sigma = mu * logarithm
    ratio = np.sinh(sigma) / sigma if abs(sigma) > 1e-8 else np.float64(1.0)
    first = factor * (even * ratio * logarithm - odd * np.cosh(sigma))
    grown = np.exp(sigma)
    return first, grown / (even + mu * odd), 1.0 / (grown * (even - mu * odd))


def temme_y(mu, x):
    """Y of orders mu and mu + 1, 0 < x < 2."""
    first, p, q = start_of_temme(mu, x)
    f, p, q = 0.6366197723675814 * first, 0.3183098861837907 * p, 0.3183098861837907 * q
    half = np.sin(1.5707963267948966 * mu)
    bend = 2.0 * half * half / mu if abs(mu) > 1e-300 else np.float64(0.0)
    square = -0.25 * x * x
    scale = np.float64(1.0)
    total, total_of_next = f + bend * q, p
    for k in range(1, 60):
        f = (k * f + p + q) / (k * k - mu * mu)
        p = p / (k - mu)
        q = q / (k + mu)
        scale = scale * (square / k)
        g = f + bend * q
        added = scale * g
        total = total + added
        total_of_next = total_of_next + scale * (p - k * g)
        if abs(added) < 1e-18 * abs(total):
            break
    return -total, -total_of_next * (2.0 / x)


def series_of_power(v, x, sign):
    """The sum of (sign x^2 / 4)^k / (k! (v + 1)_k): DLMF 10.2.2 and 10.25.2."""
    square = sign * 0.25 * x * x
    term = np.float64(1.0)
    total = np.float64(1.0)
    for k in range(1, 500):
        term = term * (square / (k * (v + k)))
        total = total + term
        if abs(term) < 1e-17 * abs(total):
            break
    return total


def power_by_gamma(v, x):
    """(x / 2)^v / gamma(v + 1)."""
    if v < 15.0:
        return (0.5 * x) ** v / elementwise("tgamma", v + 1.0)
    return np.exp(v * (1.0 + np.log(0.5 * x / v)) - tail_of_stirling(v)) / np.sqrt(6.283185307179586 * v)


def hankel(v, x):
    """P and Q of Hankel's expansion, DLMF 10.17.3."""
    square = 4.0 * v * v
    term = np.float64(1.0)
    p, q = np.float64(1.0), np.float64(0.0)
    for k in range(1, 60):
        odd = 2.0 * k - 1.0
        factor = (square - odd * odd) / (8.0 * k * x)
        if abs(factor) >= 1.0 and odd * odd > square:
            break
        term = term * factor
        turn = k % 4
        if turn == 0:
            p = p + term
        elif turn == 1:
            q = q + term
        elif turn == 2:
            p = p - term
        else:
            q = q - term
        if abs(term) < 1e-18:
            break
    return p, q


def far_jy(v, x):
    """J and Y of large x."""
    p, q = hankel(v, x)
    angle = 0.5 * v + 0.25
    angle = angle - 2.0 * np.floor(0.5 * angle)
    c, s = cosine_of_half_turns(angle), sine_of_half_turns(angle)
    sine, cosine = np.sin(x), np.cos(x)
    along, across = cosine * c + sine * s, sine * c - cosine * s
    scale = np.sqrt(0.6366197723675814 / x)
    return scale * (p * along - q * across), scale * (p * across + q * along)


def steed_jy(mu, x):
    """J and Y of orders mu and mu + 1, 2 <= x < 25: p + i q = (J' + i Y') / (J + i Y), and J' / J with J's sign."""
    # J' / J by the continued fraction DLMF 10.10.1 of J(mu + 1) / J(mu), from its far end.
    ratio = np.float64(0.0)
    sign = np.float64(1.0)
    for k in range(100, 0, -1):
        d = 2.0 * (mu + k) / x - ratio
        d = d if abs(d) > 1e-300 else np.float64(1e-300)
        sign = -sign if d < 0.0 else sign
        ratio = 1.0 / d
    slope = mu / x - ratio
    # p + i q, by Lentz's method with complex numbers as pairs.
    numerator = 0.25 - mu * mu
    p, q = -0.5 / x, np.float64(1.0)
    real, imaginary = 2.0 * x, np.float64(2.0)
    factor = numerator / (x * (p * p + q * q))
    c_real, c_imaginary = real + q * factor, imaginary + p * factor
    size = real * real + imaginary * imaginary
    d_real, d_imaginary = real / size, -imaginary / size
    e_real = c_real * d_real - c_imaginary * d_imaginary
    e_imaginary = c_real * d_imaginary + c_imaginary * d_real
    p, q = p * e_real - q * e_imaginary, p * e_imaginary + q * e_real
    for k in range(2, 400):
        numerator = numerator + 2.0 * (k - 1)
        imaginary = imaginary + 2.0
        d_real, d_imaginary = numerator * d_real + real, numerator * d_imaginary + imaginary
        factor = numerator / (c_real * c_real + c_imaginary * c_imaginary)
        c_real, c_imaginary = real + c_real * factor, imaginary - c_imaginary * factor
        size = d_real * d_real + d_imaginary * d_imaginary
        d_real, d_imaginary = d_real / size, -d_imaginary / size
        e_real = c_real * d_real - c_imaginary * d_imaginary
        e_imaginary = c_real * d_imaginary + c_imaginary * d_real
        p, q = p * e_real - q * e_imaginary, p * e_imaginary + q * e_real
        if abs(e_real - 1.0) + abs(e_imaginary) < 3e-16:
            break
    gamma = (p - slope) / q
    j = sign * np.sqrt(0.6366197723675814 / (x * ((p - slope) * gamma + q)))
    y = j * gamma
    slope_of_y = y * p + j * q if abs(y) < abs(j) else y * (p + q / gamma)
    return j, j * ratio, y, mu / x * y - slope_of_y


def start_of_jy(mu, x):
    """J and Y of orders mu and mu + 1."""
    if x < 2.0:
        y, y_of_next = temme_y(mu, x)
        j = power_by_gamma(mu, x) * series_of_power(mu, x, -1.0)
        return j, power_by_gamma(mu + 1.0, x) * series_of_power(mu + 1.0, x, -1.0), y, y_of_next
    if x < 25.0:
        return steed_jy(mu, x)
    j, y = far_jy(mu, x)
    j_of_next, y_of_next = far_jy(mu + 1.0, x)
    return j, j_of_next, y, y_of_next


def ratio_of_next(v, x, sign):
    """J(v + 1) / J(v) of v > x with sign -1, I(v + 1) / I(v) with 1: DLMF 10.10.1 and 10.33.1 by Lentz's method."""
    step = 2.0 / x
    b = (v + 1.0) * step
    d = 1.0 / b
    c = np.float64(1e300)
    total = d
    for k in range(2, 20000):
        b = b + step
        d = 1.0 / (b + sign * d)
        c = b + sign / c
        factor = c * d
        total = total * factor
        if abs(factor - 1.0) < 2e-16:
            break
    return total


def jy_of_positive(v, x):
    """J and Y of order v >= 0 and x > 0."""
    if x >= 25.0 and 0.5 * v * v <= x:
        return far_jy(v, x)
    if v > 1e6:
        # The recurrences would have too many steps.
        return np.float64(np.nan), np.float64(np.nan)
    n, mu = split_order(v)
    j, j_of_next, y, y_of_next = start_of_jy(mu, x)
    order, left = mu + 1.0, n
    while left > 0.0:
        j, j_of_next = j_of_next, 2.0 * order / x * j_of_next - j
        y, y_of_next = y_of_next, 2.0 * order / x * y_of_next - y
        order, left = order + 1.0, left - 1.0
        if np.isinf(y):
            break
    if v > x and v >= 0.5:
        if 0.25 * x * x <= v + 1.0:
            return power_by_gamma(v, x) * series_of_power(v, x, -1.0), y
        # By the Wronskian, DLMF 10.5.2: upwards J would lose its digits.
        j = 0.6366197723675814 / (x * (ratio_of_next(v, x, -1.0) * y - y_of_next))
    return j, y


def is_whole(v):
    return v == np.floor(v)


def is_odd(v):
    return v - 2.0 * np.floor(0.5 * v) == 1.0


def jv_of(v, x):
    if not np.isfinite(v) or not np.isfinite(x) or (x < 0.0 and not is_whole(v)):
        return np.float64(np.nan)
    order, z = abs(v), abs(x)
    turned = np.float64(-1.0) if is_whole(v) and is_odd(v) and (x < 0.0) != (v < 0.0) else np.float64(1.0)
    if z == 0.0:
        if v == 0.0:
            return np.float64(1.0)
        if v > 0.0 or is_whole(v):
            return np.float64(0.0)
        return np.inf * sign_of_gamma(v + 1.0)
    if 0.25 * z * z <= order + 1.0 and (v >= 0.0 or is_whole(v)):
        return turned * power_by_gamma(order, z) * series_of_power(order, z, -1.0)
    j, y = jy_of_positive(order, z)
    if v < 0.0 and not is_whole(v):
        sine, cosine = sine_of_half_turns(order), cosine_of_half_turns(order)
        return cosine * j - sine * y if cosine != 0.0 else -sine * y
    return turned * j


def yv_of(v, x):
    if x == 0.0 and not np.isnan(v):
        return y_at_zero(v)
    if not np.isfinite(v) or not np.isfinite(x) or x < 0.0:
        return np.float64(np.nan)
    j, y = jy_of_positive(abs(v), x)
    if v < 0.0:
        sine, cosine = sine_of_half_turns(-v), cosine_of_half_turns(-v)
        if sine == 0.0:
            return cosine * y
        return sine * j + cosine * y if cosine != 0.0 else sine * j
    return y


def y_at_zero(v):
    """The sign of what the power of 1 / x is multiplied by; where there is only a power of x, what SciPy gives."""
    if v >= 0.0 or np.isinf(v) or v + 0.5 == np.floor(v + 0.5):
        return np.float64(-np.inf)
    return -np.inf * cosine_of_half_turns(v)


def scipy_special_jv(x1, x2):
    return rounded(each_of_two(jv_of, wide(x1), wide(x2)), fit_single(x1, x2))


def scipy_special_yv(x1, x2):
    return rounded(each_of_two(yv_of, wide(x1), wide(x2)), fit_single(x1, x2))


def whole_order(n):
    """SciPy cuts the fraction off, with a warning."""
    is_whole_number = isinstance(n, (bool, int)) if is_python(n) else n.dtype.kind in "iub"
    if not is_whole_number:
        refuse("the order must be an integer", "write `jv`, `yv` or `kv`, which take real orders")
    return wide(n)


def scipy_special_yn(x1, x2):
    return each_of_two(yv_of, whole_order(x1), wide(x2))
