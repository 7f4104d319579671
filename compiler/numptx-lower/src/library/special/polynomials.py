"""Orthogonal polynomials of whole order, by their recurrences, DLMF 18.9."""
import numpy as np


def whole_degree(n):
    is_whole_number = isinstance(n, (bool, int)) if is_python(n) else n.dtype.kind in "iub"
    if not is_whole_number:
        refuse("the degree must be an integer", "convert it: `n.astype(np.int64)`")
    return whole_orders(n)


def legendre(n, x):
    """The difference of two orders is carried, which is small beside x = 1."""
    degree = n if n >= 0 else -n - 1
    if degree == 0:
        return np.float64(1.0)
    step, y = x - 1.0, x
    for k in range(1, degree):
        step = (2 * k + 1) / np.float64(k + 1) * (x - 1.0) * y + k / np.float64(k + 1) * step
        y = y + step
    return y


def chebyshev(n, x, first):
    """Of both kinds: they differ in the polynomial of order 1."""
    before, y = np.float64(1.0), first * x
    if n == 0:
        return before if x == x else x
    for _ in range(1, n):
        before, y = y, 2.0 * x * y - before
    return y


def chebyshev_of_first(n, x):
    if np.isinf(x):
        return np.float64(np.nan)
    return chebyshev(abs(n), x, 1.0)


def chebyshev_of_second(n, x):
    if n == -1:
        return np.float64(0.0)
    if np.isinf(x):
        return np.float64(np.nan)
    return chebyshev(n, x, 2.0) if n >= 0 else -chebyshev(-n - 2, x, 2.0)


def hermite(n, x, scale):
    """Those of physics, of scale 2, and of probabilities, of scale 1."""
    if n < 0 or np.isnan(x):
        return np.float64(np.nan)
    if n == 0:
        return np.float64(1.0)
    before, y = np.float64(1.0), scale * x
    for k in range(1, n):
        before, y = y, scale * (x * y - k * before)
    return y


def hermite_of_physics(n, x):
    return hermite(n, x, 2.0)


def hermite_of_probabilities(n, x):
    return hermite(n, x, 1.0)


def laguerre(n, a, x):
    if np.isnan(a) or np.isnan(x) or a <= -1.0:
        return np.float64(np.nan)
    if n < 0:
        return np.float64(0.0)
    if n == 0:
        return np.float64(1.0)
    step = -x / (a + 1.0)
    y = step + 1.0
    for i in range(1, n):
        k = np.float64(i)
        step = -x / (k + a + 1.0) * y + k / (k + a + 1.0) * step
        y = y + step
    # The sum above is of polynomials that are 1 at 0.
    return y * binomial(n + a, np.float64(n))


def laguerre_of_zero(n, x):
    return laguerre(n, np.float64(0.0), x)


def scipy_special_eval_legendre(x1, x2):
    return each_of_two(legendre, whole_degree(x1), wide(x2))


def scipy_special_eval_chebyt(x1, x2):
    return each_of_two(chebyshev_of_first, whole_degree(x1), wide(x2))


def scipy_special_eval_chebyu(x1, x2):
    return each_of_two(chebyshev_of_second, whole_degree(x1), wide(x2))


def scipy_special_eval_hermite(x1, x2):
    return each_of_two(hermite_of_physics, whole_degree(x1), wide(x2))


def scipy_special_eval_hermitenorm(x1, x2):
    return each_of_two(hermite_of_probabilities, whole_degree(x1), wide(x2))


def scipy_special_eval_laguerre(x1, x2):
    return each_of_two(laguerre_of_zero, whole_degree(x1), wide(x2))


def scipy_special_eval_genlaguerre(x1, x2, x3):
    return each_of_three(laguerre, whole_degree(x1), wide(x2), wide(x3))
