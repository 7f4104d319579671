"""Airy functions and their derivatives, by Bessel functions of order 1/3 and 2/3: DLMF 9.6."""
import numpy as np


def of_two_thirds(x):
    """2/3 x^(3/2) of x > 0."""
    return 2.0 / 3.0 * x * np.sqrt(x)


def airy_a(x):
    if abs(x) < 1e-10:
        return 0.3550280538878172 - 0.2588194037928068 * x
    if x > 0.0:
        _, _, k, exponent = ik_of_positive(np.float64(1 / 3), of_two_thirds(x))
        return 0.18377629847393068 * np.sqrt(x) * scaled_by(k, exponent)
    j, y = jy_of_positive(np.float64(1 / 3), of_two_thirds(-x))
    return 0.5 * np.sqrt(-x) * (j - 0.5773502691896257 * y)


def slope_of_airy_a(x):
    if abs(x) < 1e-10:
        return 0.1775140269439086 * x * x - 0.2588194037928068
    if x > 0.0:
        _, _, k, exponent = ik_of_positive(np.float64(2 / 3), of_two_thirds(x))
        return -0.18377629847393068 * x * scaled_by(k, exponent)
    j, y = jy_of_positive(np.float64(2 / 3), of_two_thirds(-x))
    return -0.5 * x * (j + 0.5773502691896257 * y)


def airy_b(x):
    if abs(x) < 1e-10:
        return 0.6149266274460007 + 0.4482883573538264 * x
    if x > 0.0:
        i, exponent, k, other = ik_of_positive(np.float64(1 / 3), of_two_thirds(x))
        return np.sqrt(x) * (1.1547005383792515 * scaled_by(i, exponent) + 0.3183098861837907 * scaled_by(k, other))
    j, y = jy_of_positive(np.float64(1 / 3), of_two_thirds(-x))
    return -0.5 * np.sqrt(-x) * (0.5773502691896257 * j + y)


def slope_of_airy_b(x):
    if abs(x) < 1e-10:
        return 0.4482883573538264 + 0.30746331372300035 * x * x
    if x > 0.0:
        i, exponent, k, other = ik_of_positive(np.float64(2 / 3), of_two_thirds(x))
        return x * (1.1547005383792515 * scaled_by(i, exponent) + 0.3183098861837907 * scaled_by(k, other))
    j, y = jy_of_positive(np.float64(2 / 3), of_two_thirds(-x))
    return -0.5 * x * (0.5773502691896257 * j - y)


def scipy_special_airy(x):
    z, is_single = wide(x), place_in_single(x) > 2
    a, b = rounded(each(airy_a, z), is_single), rounded(each(airy_b, z), is_single)
    return a, rounded(each(slope_of_airy_a, z), is_single), b, rounded(each(slope_of_airy_b, z), is_single)
