"""Functions of `math` on floats that are no single operation."""
import numpy as np


def math_frexp(x):
    x = float(x)
    if x == 0.0 or not np.isfinite(x):
        return x, 0
    mantissa, exponent = np.frexp(x)
    return float(mantissa), int(exponent)


def math_ldexp(x, i):
    x = float(x)
    if x == 0.0 or not np.isfinite(x):
        return x
    result = float(np.ldexp(x, int(i)))
    if np.isinf(result):
        raise OverflowError("math range error")
    return result


def math_modf(x):
    fraction, whole = np.modf(float(x))
    return float(fraction), float(whole)


def math_perm(n, k=None):
    n = int(n)
    if k is None:
        return math_factorial(n)
    k = int(k)
    if n < 0:
        raise ValueError("n must be a non-negative integer")
    if k < 0:
        raise ValueError("k must be a non-negative integer")
    if k > n:
        return 0
    ways = 1
    for i in range(k):
        ways *= n - i
    return ways


def math_prod(iterable, start=1):
    product = start
    for member in iterable:
        product = product * member
    return product


def math_hypot(*coordinates):
    if len(coordinates) == 2:
        return float(np.hypot(float(coordinates[0]), float(coordinates[1])))
    return length_of([float(x) for x in coordinates])


def math_dist(p, q):
    if len(p) != len(q):
        raise ValueError("both points must have the same number of dimensions")
    return length_of([float(x) - float(y) for x, y in zip(p, q)])


def length_of(coordinates):
    """The square root of the sum of squares, whose rounding errors are added to it. Coordinates are scaled by a power of 2, so that none overflows."""
    largest = 0.0
    is_nan = False
    for x in coordinates:
        if x != x:
            is_nan = True
        else:
            largest = max(largest, abs(x))
    if np.isinf(largest):
        return largest
    if is_nan:
        return np.nan
    if largest == 0.0:
        return 0.0
    exponent = int(np.frexp(largest)[1])
    high = 0.0
    low = 0.0
    for x in coordinates:
        scaled = float(np.ldexp(x, -exponent))
        square = scaled * scaled
        total = high + square
        taken = total - high
        low += (high - (total - taken)) + (square - taken)
        low += error_of_square(scaled, square)
        high = total
    root = float(np.sqrt(high + low))
    square = root * root
    rest = ((high - square) - error_of_square(root, square)) + low
    return float(np.ldexp(root + rest / (2.0 * root), exponent))


def error_of_square(x, square):
    """What the product lacks of the square: Dekker, «A floating-point technique for extending the available precision» (1971)."""
    split = 134217729.0 * x
    high = split - (split - x)
    low = x - high
    return ((high * high - square) + 2.0 * high * low) + low * low


def math_fsum(seq):
    """Sums kept as numbers that do not overlap: Shewchuk, «Adaptive precision floating-point arithmetic» (1997)."""
    partials = [0.0]
    n = 0
    infinities = 0.0
    special = 0.0
    for member in seq:
        given = float(member)
        x = given
        kept = 0
        for k in range(n):
            y = partials[k]
            if abs(x) < abs(y):
                x, y = y, x
            total = x + y
            rest = y - (total - x)
            if rest != 0.0:
                partials[kept] = rest
                kept += 1
            x = total
        n = kept
        if not np.isfinite(x):
            if np.isfinite(given):
                raise OverflowError("intermediate overflow in fsum")
            if given == given:
                infinities += given
            special += given
            n = 0
        elif x != 0.0:
            if n < len(partials):
                partials[n] = x
            else:
                partials.append(x)
            n += 1
    if special != 0.0:
        if infinities != infinities:
            raise ValueError("-inf + inf in fsum")
        return special
    return rounded_once(partials, n)


def rounded_once(partials, n):
    """The sum of numbers that do not overlap, from the largest on. Where the rest is half of a last place, what follows decides."""
    if n == 0:
        return 0.0
    n -= 1
    total = partials[n]
    rest = 0.0
    while n > 0 and rest == 0.0:
        x = total
        n -= 1
        y = partials[n]
        total = x + y
        rest = y - (total - x)
    if n > 0 and ((rest < 0.0 and partials[n - 1] < 0.0) or (rest > 0.0 and partials[n - 1] > 0.0)):
        twice = 2.0 * rest
        x = total + twice
        if twice == x - total:
            total = x
    return total
