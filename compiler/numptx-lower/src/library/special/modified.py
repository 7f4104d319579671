"""Modified Bessel functions of real order and real argument, by the ways of `orders.py`, and by Debye's expansions of large orders."""
import numpy as np


def temme_k(mu, x):
    """K of orders mu and mu + 1, times e^x, 0 < x < 2."""
    f, p, q = start_of_temme(mu, x)
    p, q = 0.5 * p, 0.5 * q
    square = 0.25 * x * x
    scale = np.float64(1.0)
    total, total_of_next = f, p
    for k in range(1, 60):
        f = (k * f + p + q) / (k * k - mu * mu)
        p = p / (k - mu)
        q = q / (k + mu)
        scale = scale * (square / k)
        added = scale * f
        total = total + added
        total_of_next = total_of_next + scale * (p - k * f)
        if abs(added) < 1e-18 * abs(total):
            break
    grown = np.exp(x)
    return total * grown, total_of_next * (2.0 / x) * grown


def steed_k(mu, x):
    """The same from x = 2 on: Temme's continued fraction for K and the sum that goes along with it."""
    numerator = 0.25 - mu * mu
    a = -numerator
    b = 2.0 * (1.0 + x)
    d = 1.0 / b
    step = d
    fraction = d
    before, last = np.float64(0.0), np.float64(1.0)
    c = numerator
    q = numerator
    total = 1.0 + q * step
    for k in range(2, 1000):
        a = a - 2.0 * (k - 1)
        c = -a * c / k
        before, last = last, (before - b * last) / a
        q = q + c * last
        b = b + 2.0
        d = 1.0 / (b + a * d)
        step = (b * d - 1.0) * step
        fraction = fraction + step
        added = q * step
        total = total + added
        if abs(added) < 1e-17 * abs(total):
            break
    here = np.sqrt(1.5707963267948966 / x) / total
    return here, here * (mu + x + 0.5 - numerator * fraction) / x


def debye(v, x, sign):
    """Debye's uniform expansions, DLMF 10.41.3 and 10.41.4, of orders from 50 on: the sum, and the exponent."""
    of_1 = (
        -0.20833333333333334, 0.125,
    )
    of_2 = (
        0.3342013888888889, -0.4010416666666667, 0.0703125,
    )
    of_3 = (
        -1.0258125964506173, 1.8464626736111112, -0.8912109375, 0.0732421875,
    )
    of_4 = (
        4.669584423426247, -11.207002616222994, 8.78912353515625, -2.3640869140625, 0.112152099609375,
    )
    of_5 = (
        -28.212072558200244, 84.63621767460073, -91.81824154324002, 42.53499874538846, -7.368794359479632,
        0.22710800170898438,
    )
    of_6 = (
        212.57013003921713, -765.2524681411817, 1059.9904525279999, -699.5796273761325, 218.1905117442116,
        -26.491430486951554, 0.5725014209747314,
    )
    of_7 = (
        -1919.457662318407, 8061.722181737309, -13586.550006434138, 11655.393336864534, -5305.646978613403,
        1200.9029132163525, -108.09091978839466, 1.7277275025844574,
    )
    of_8 = (
        20204.29133096615, -96980.59838863752, 192547.00123253153, -203400.17728041555, 122200.46498301746,
        -41192.65496889755, 7109.514302489364, -493.915304773088, 6.074042001273483,
    )
    of_9 = (
        -242919.18790055133, 1311763.6146629772, -2998015.9185381066, 3763271.297656404, -2813563.226586534,
        1268365.2733216248, -331645.1724845636, 45218.76898136273, -2499.8304818112097, 24.380529699556064,
    )
    z = x / v
    root = np.hypot(1.0, z)
    p = 1.0 / root
    square = p * p
    scale = sign * p / v
    total = polynomial(of_9, square) * scale
    for coefficients in (of_8, of_7, of_6, of_5, of_4, of_3, of_2, of_1):
        total = (total + polynomial(coefficients, square)) * scale
    return (1.0 + total) * np.sqrt(p / v), v * (root + np.log(z / (1.0 + root)))


def far_i(v, x):
    """I(v, x) e^-x of large x: DLMF 10.40.1."""
    square = 4.0 * v * v
    term = np.float64(1.0)
    total = np.float64(1.0)
    for k in range(1, 60):
        odd = 2.0 * k - 1.0
        factor = (odd * odd - square) / (8.0 * k * x)
        if abs(factor) >= 1.0 and odd * odd > square:
            break
        term = term * factor
        total = total + term
        if abs(term) < 1e-18:
            break
    return total / np.sqrt(6.283185307179586 * x)


def ik_of_positive(v, x):
    """I(v, x) and K(v, x) as numbers and the exponents of their factors: of order v >= 0 and x > 0."""
    if v >= 50.0:
        i, exponent = debye(v, x, 1.0)
        k, _ = debye(v, x, -1.0)
        return i * 0.3989422804014327, exponent, k * 1.2533141373155001, -exponent
    n, mu = split_order(v)
    if x < 2.0:
        k, k_of_next = temme_k(mu, x)
    else:
        k, k_of_next = steed_k(mu, x)
    order, left = mu + 1.0, n
    while left > 0.0:
        k, k_of_next = k_of_next, 2.0 * order / x * k_of_next + k
        order, left = order + 1.0, left - 1.0
    if x >= 25.0 and 0.5 * v * v <= x:
        i = far_i(v, x)
    elif 0.25 * x * x <= v + 1.0:
        i = power_by_gamma(v, x) * series_of_power(v, x, 1.0) * np.exp(-x)
    else:
        # By the Wronskian, DLMF 10.28.2.
        i = 1.0 / (x * (k_of_next + ratio_of_next(v, x, 1.0) * k))
    return i, x, k, -x


def scaled_by(y, exponent):
    """y e^exponent; in two steps where the power alone is too large."""
    half = np.exp(0.5 * exponent)
    return y * half * half


def iv_with(v, x, shift):
    """I(v, x) e^(-shift |x|)."""
    if not np.isfinite(v) or not np.isfinite(x) or (x < 0.0 and not is_whole(v)):
        return np.float64(np.nan)
    order, z = abs(v), abs(x)
    turned = np.float64(-1.0) if x < 0.0 and is_odd(v) else np.float64(1.0)
    if z == 0.0:
        if v == 0.0:
            return np.float64(1.0)
        if v > 0.0 or is_whole(v):
            return np.float64(0.0)
        return np.inf * sign_of_gamma(v + 1.0)
    i, exponent_of_i, k, exponent_of_k = ik_of_positive(order, z)
    y = scaled_by(i, exponent_of_i - shift * z)
    if v < 0.0 and not is_whole(v):
        return y + 0.6366197723675814 * sine_of_half_turns(order) * scaled_by(k, exponent_of_k - shift * z)
    return turned * y


def kv_with(v, x, shift):
    """K(v, x) e^(shift x)."""
    if x == 0.0:
        return np.float64(np.inf)
    if not np.isfinite(v) or np.isnan(x) or x < 0.0:
        return np.float64(np.nan)
    if np.isinf(x):
        return np.float64(0.0) if shift == 0.0 else np.float64(np.nan)
    _, _, k, exponent = ik_of_positive(abs(v), x)
    return scaled_by(k, exponent + shift * x)


def iv_of(v, x):
    return iv_with(v, x, 0.0)


def ive_of(v, x):
    return iv_with(v, x, 1.0)


def kv_of(v, x):
    return kv_with(v, x, 0.0)


def kve_of(v, x):
    return kv_with(v, x, 1.0)


def scipy_special_iv(x1, x2):
    return rounded(each_of_two(iv_of, wide(x1), wide(x2)), fit_single(x1, x2))


def scipy_special_ive(x1, x2):
    return rounded(each_of_two(ive_of, wide(x1), wide(x2)), fit_single(x1, x2))


def scipy_special_kv(x1, x2):
    return rounded(each_of_two(kv_of, wide(x1), wide(x2)), fit_single(x1, x2))


def scipy_special_kve(x1, x2):
    return rounded(each_of_two(kve_of, wide(x1), wide(x2)), fit_single(x1, x2))


def scipy_special_kn(x1, x2):
    return each_of_two(kv_of, whole_order(x1), wide(x2))
