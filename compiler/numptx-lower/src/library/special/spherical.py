"""Spherical Bessel functions of whole order and real argument: DLMF 10.49 at orders 0 and 1, and recurrences from there."""
import numpy as np


def start_of_spherical(x):
    """j and y of orders 0 and 1, x > 0: near 0, where its two terms cancel, j of order 1 by its series, DLMF 10.53.1."""
    sine, cosine = np.sin(x) / x, np.cos(x) / x
    return sine, series_of_first(x) if x < 0.5 else sine / x - cosine, -cosine, -cosine / x - sine


def series_of_first(x):
    square = 0.5 * x * x
    coefficients = (-1 / 57891834000, 1 / 486486000, -1 / 5405400, 1 / 83160, -1 / 1890, 1 / 70, -1 / 5, 1 / 1)
    return x / 3.0 * polynomial(coefficients, square)


def both_spherical(n, x):
    """j and y of order n, and of the order below, x > 0; below 0 is order 1, with another sign."""
    j, j_of_next, y, y_of_next = start_of_spherical(x)
    if n == 0:
        return j, -j_of_next, y, -y_of_next
    j_below, y_below = j, y
    j, y = j_of_next, y_of_next
    for k in range(1, n):
        j_below, j = j, (2 * k + 1) / x * j - j_below
        y_below, y = y, (2 * k + 1) / x * y - y_below
        if np.isinf(y):
            break
    if n > x:
        # By the Wronskian, DLMF 10.50.1: upwards j would lose its digits.
        ratio = ratio_of_next(n - 0.5, x, -1.0)
        j_below = 1.0 / (x * x * (ratio * y_below - y))
        j = ratio * j_below
    return j, j_below, y, y_below


def spherical_j(n, x):
    if np.isnan(x) or n < 0:
        return np.float64(np.nan)
    if x == 0.0:
        return np.float64(1.0) if n == 0 else np.float64(0.0)
    if np.isinf(x):
        return np.float64(0.0)
    j, _, _, _ = both_spherical(n, abs(x))
    return -j if x < 0.0 and n % 2 == 1 else j


def spherical_y(n, x):
    if np.isnan(x) or n < 0:
        return np.float64(np.nan)
    if x == 0.0:
        return np.float64(-np.inf)
    if np.isinf(x):
        return np.float64(0.0)
    _, _, y, _ = both_spherical(n, abs(x))
    return -y if x < 0.0 and n % 2 == 0 else y


def slope_of_spherical_j(n, x):
    if np.isnan(x) or (n < 0 and x != 0.0):
        return np.float64(np.nan)
    if x == 0.0:
        return np.float64(1 / 3) if n == 1 else np.float64(0.0)
    if np.isinf(x):
        return np.float64(0.0)
    z = abs(x)
    j, j_below, _, _ = both_spherical(n, z)
    slope = j_below if n == 0 else j_below - (n + 1) / z * j
    return -slope if x < 0.0 and n % 2 == 0 else slope


def slope_of_spherical_y(n, x):
    if np.isnan(x) or n < 0:
        return np.float64(np.nan)
    if x == 0.0:
        return np.float64(np.inf) if n == 0 else np.float64(np.nan)
    if np.isinf(x):
        return np.float64(0.0)
    z = abs(x)
    _, _, y, y_below = both_spherical(n, z)
    slope = y_below if n == 0 else y_below - (n + 1) / z * y
    return -slope if x < 0.0 and n % 2 == 1 else slope


def whole_orders(n):
    if isinstance(n, np.ndarray):
        return np.int64(n[()]) if n.ndim == 0 else n.astype(np.int64)
    return np.int64(n)


def scipy_special_spherical_jn(n, z, derivative=False):
    return each_of_two(slope_of_spherical_j if derivative else spherical_j, whole_orders(n), wide(z))


def scipy_special_spherical_yn(n, z, derivative=False):
    return each_of_two(slope_of_spherical_y if derivative else spherical_y, whole_orders(n), wide(z))
