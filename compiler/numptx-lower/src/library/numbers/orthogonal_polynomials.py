"""Polynomials of `np.polynomial`, the coefficient of the lowest degree first: values by Clenshaw's recurrence, tables of values, fits, and nodes of
quadratures. Source of the recurrences: DLMF, section 18.9; of the evaluation: Clenshaw, «A note on the summation of Chebyshev series» (1955)."""
import numpy as np


def points_of(x):
    """An array or a number."""
    if isinstance(x, (list, tuple)):
        return np.array(x)
    if not isinstance(x, (np.ndarray, np.generic, float, int, complex)):
        refuse("`x` must be a number or an array", "write `np.array(x)`")
    return x


def coefficients(c):
    """Floats or complex numbers, along the first axis."""
    c = as_vector(c)
    return c if is_inexact(c) else c.astype(np.float64)


def along_first(c, x, tensor):
    """Coefficients that broadcast with the points."""
    c = coefficients(c)
    if isinstance(x, np.ndarray) and tensor:
        return c.reshape(c.shape + (1,) * x.ndim)
    return c


def spread(c, x):
    """One coefficient for each point."""
    if isinstance(x, np.ndarray):
        return c + np.zeros(x.shape, x.dtype)
    return c + 0 * x


def numpy_polynomial_polynomial_polyval(x, c, tensor=True):
    x = points_of(x)
    c = along_first(c, x, tensor)
    y = c[-1] + x * 0
    for k in range(c.shape[0] - 2, -1, -1):
        y = c[k] + y * x
    return y


def clenshaw(x, c, basis):
    """A sum of polynomials of which each follows from the two before it."""
    n = c.shape[0]
    first = spread(c[max(n - 2, 0)], x)
    second = spread(c[n - 1], x) * (1.0 if n > 1 else 0.0)
    for k in range(n - 3, -1, -1):
        before = first
        if basis == "chebyshev":
            first = c[k] - second
            second = before + second * (2 * x)
        elif basis == "legendre":
            first = c[k] - second * ((k + 1) / (k + 2))
            second = before + second * x * ((2 * k + 3) / (k + 2))
        elif basis == "hermite":
            first = c[k] - second * (2 * (k + 1))
            second = before + second * (2 * x)
        elif basis == "hermite_e":
            first = c[k] - second * (k + 1)
            second = before + second * x
        else:
            first = c[k] - second * (k + 1) / (k + 2)
            second = before + second * ((2 * k + 3) - x) / (k + 2)
    if basis == "hermite":
        return first + second * (2 * x)
    if basis == "laguerre":
        return first + second * (1 - x)
    return first + second * x


def of_basis(x, c, tensor, basis):
    x = points_of(x)
    return clenshaw(x, along_first(c, x, tensor), basis)


def numpy_polynomial_chebyshev_chebval(x, c, tensor=True):
    return of_basis(x, c, tensor, "chebyshev")


def numpy_polynomial_legendre_legval(x, c, tensor=True):
    return of_basis(x, c, tensor, "legendre")


def numpy_polynomial_hermite_hermval(x, c, tensor=True):
    return of_basis(x, c, tensor, "hermite")


def numpy_polynomial_hermite_e_hermeval(x, c, tensor=True):
    return of_basis(x, c, tensor, "hermite_e")


def numpy_polynomial_laguerre_lagval(x, c, tensor=True):
    return of_basis(x, c, tensor, "laguerre")


def value_of(x, c, tensor, basis):
    if basis == "power":
        return numpy_polynomial_polynomial_polyval(x, c, tensor)
    return of_basis(x, c, tensor, basis)


def check_points(shapes):
    for shape in shapes[1:]:
        if shape != shapes[0]:
            raise ValueError("x, y, z are not of the same shape" if len(shapes) == 3 else "x, y are not of the same shape")


def at_points(points, c, basis):
    """Of several variables, at points."""
    for x in points:
        if not isinstance(x, np.ndarray) or x.ndim != points[0].ndim:
            refuse("coordinates must be arrays of one shape", "write them as arrays: `np.array([x])`")
    check_points([x.shape for x in points])
    values = value_of(points[0], c, True, basis)
    for x in points[1:]:
        values = value_of(x, values, False, basis)
    return values


def on_grid(axes, c, basis):
    """Of several variables, on the grid of their values."""
    values = c
    for x in axes:
        if not isinstance(x, np.ndarray):
            refuse("the values along each axis must be arrays", "write them as arrays: `np.array([x])`")
        values = value_of(x, values, True, basis)
    return values


def numpy_polynomial_polynomial_polyval2d(x, y, c):
    return at_points((points_of(x), points_of(y)), c, "power")


def numpy_polynomial_polynomial_polyval3d(x, y, z, c):
    return at_points((points_of(x), points_of(y), points_of(z)), c, "power")


def numpy_polynomial_polynomial_polygrid2d(x, y, c):
    return on_grid((points_of(x), points_of(y)), c, "power")


def numpy_polynomial_polynomial_polygrid3d(x, y, z, c):
    return on_grid((points_of(x), points_of(y), points_of(z)), c, "power")


def numpy_polynomial_chebyshev_chebval2d(x, y, c):
    return at_points((points_of(x), points_of(y)), c, "chebyshev")


def numpy_polynomial_chebyshev_chebgrid2d(x, y, c):
    return on_grid((points_of(x), points_of(y)), c, "chebyshev")


def numpy_polynomial_legendre_legval2d(x, y, c):
    return at_points((points_of(x), points_of(y)), c, "legendre")


def numpy_polynomial_legendre_leggrid2d(x, y, c):
    return on_grid((points_of(x), points_of(y)), c, "legendre")


def numpy_polynomial_polynomial_polyvalfromroots(x, r, tensor=True):
    x = points_of(x)
    if r.ndim > 1:
        refuse("`r` must be a vector", "evaluate the columns in a loop")
    zeros = coefficients(r)
    return np.prod(x[..., None] - zeros, axis=-1) if isinstance(x, np.ndarray) else np.prod(x - zeros)


def table_of(x, deg, basis):
    """The values of all polynomials up to a degree, along a new last axis."""
    if deg < 0:
        raise ValueError("deg must be non-negative")
    given = as_vector(x)
    points = given if is_inexact(given) else given + 0.0
    table = np.empty((deg + 1,) + points.shape, points.dtype)
    table[:1] = 1
    if deg > 0:
        table[1] = second_of(points, basis)
    for k in range(2, deg + 1):
        before, last = table[k - 2], table[k - 1]
        if basis == "power":
            table[k] = last * points
        elif basis == "chebyshev":
            table[k] = last * (2 * points) - before
        elif basis == "legendre":
            table[k] = (last * points * (2 * k - 1) - before * (k - 1)) / k
        elif basis == "hermite":
            table[k] = last * (2 * points) - before * (2 * (k - 1))
        elif basis == "hermite_e":
            table[k] = last * points - before * (k - 1)
        else:
            table[k] = (last * (2 * k - 1 - points) - before * (k - 1)) / k
    return np.moveaxis(table, 0, -1)


def second_of(points, basis):
    if basis == "hermite":
        return 2 * points
    return 1 - points if basis == "laguerre" else points


def numpy_polynomial_polynomial_polyvander(x, deg):
    return table_of(x, deg, "power")


def numpy_polynomial_chebyshev_chebvander(x, deg):
    return table_of(x, deg, "chebyshev")


def numpy_polynomial_legendre_legvander(x, deg):
    return table_of(x, deg, "legendre")


def numpy_polynomial_hermite_hermvander(x, deg):
    return table_of(x, deg, "hermite")


def numpy_polynomial_hermite_e_hermevander(x, deg):
    return table_of(x, deg, "hermite_e")


def numpy_polynomial_laguerre_lagvander(x, deg):
    return table_of(x, deg, "laguerre")


def fitted_to(x, y, deg, rcond, w, basis):
    points, values = x + 0.0, y + 0.0
    if deg < 0:
        raise ValueError("expected deg >= 0")
    if x.shape[0] == 0:
        raise TypeError("expected non-empty vector for x")
    if x.shape[0] != y.shape[0]:
        raise TypeError("expected x and y to have same length")
    columns = table_of(points, deg, basis)
    if w is not None:
        if w.shape[0] != x.shape[0]:
            raise TypeError("expected x and w to have same length")
        weights = w + 0.0
        columns = columns * weights[:, None]
        values = values * (weights[:, None] if y.ndim == 2 else weights)
    limit = points.dtype.type(x.shape[0] * np.finfo(points.dtype).eps) if rcond is None else rcond
    scale = np.sqrt(np.sum(squares(columns), axis=0))
    scale = np.where(scale == 0, 1, scale)
    c, residuals, rank, singular = numpy_linalg_lstsq(columns / scale, values, float(limit))
    return c / (scale[:, None] if y.ndim == 2 else scale)


def numpy_polynomial_polynomial_polyfit(x, y, deg, rcond=None, w=None):
    return fitted_to(x, y, deg, rcond, w, "power")


def numpy_polynomial_chebyshev_chebfit(x, y, deg, rcond=None, w=None):
    return fitted_to(x, y, deg, rcond, w, "chebyshev")


def numpy_polynomial_legendre_legfit(x, y, deg, rcond=None, w=None):
    return fitted_to(x, y, deg, rcond, w, "legendre")


def numpy_polynomial_hermite_hermfit(x, y, deg, rcond=None, w=None):
    return fitted_to(x, y, deg, rcond, w, "hermite")


def numpy_polynomial_hermite_e_hermefit(x, y, deg, rcond=None, w=None):
    return fitted_to(x, y, deg, rcond, w, "hermite_e")


def numpy_polynomial_laguerre_lagfit(x, y, deg, rcond=None, w=None):
    return fitted_to(x, y, deg, rcond, w, "laguerre")


def trimmed(c):
    """Without zeros of the highest degrees."""
    last = c.shape[0] - 1 - first_one(c[::-1] != 0)
    return c[:last + 1]


def numpy_polynomial_polynomial_polyadd(c1, c2):
    p, q = coefficients(c1), coefficients(c2)
    n = max(p.shape[0], q.shape[0])
    return trimmed(filled_to(p, n) + filled_to(q, n))


def numpy_polynomial_polynomial_polysub(c1, c2):
    p, q = coefficients(c1), coefficients(c2)
    n = max(p.shape[0], q.shape[0])
    return trimmed(filled_to(p, n) - filled_to(q, n))


def numpy_polynomial_polynomial_polymul(c1, c2):
    return trimmed(numpy_convolve(trimmed(coefficients(c1)), trimmed(coefficients(c2))))


def numpy_polynomial_polynomial_polyder(c, m=1, scl=1):
    if m < 0:
        raise ValueError("The order of derivation must be non-negative")
    result = coefficients(c)
    for _ in range(m):
        n = result.shape[0]
        derived = np.arange(1, n).astype(result.dtype) * (result[1:] * scl)
        result = derived if n > 1 else result * 0
    return result


def numpy_polynomial_polynomial_polyroots(c):
    return np.sort(numpy_roots(trimmed(coefficients(c))[::-1]))


def numpy_polynomial_chebyshev_chebgauss(deg):
    if deg <= 0:
        raise ValueError("deg must be a positive integer")
    return np.cos(np.pi * np.arange(1, 2 * deg, 2) / (2.0 * deg)), np.ones(deg) * (np.pi / deg)


def numpy_polynomial_legendre_leggauss(deg):
    """Golub and Welsch, «Calculation of Gauss quadrature rules» (1969); one step of Newton's after it."""
    if deg <= 0:
        raise ValueError("deg must be a positive integer")
    k = np.arange(1, deg)
    side = k / np.sqrt(4.0 * k * k - 1.0)
    matrix = np.zeros((deg, deg))
    matrix[k, k - 1] = side
    x = numpy_linalg_eigvalsh(matrix)
    value, slope = of_degree(x, deg)
    x = x - value / slope
    value, slope = of_degree(x, deg)
    w = 2.0 / ((1.0 - x * x) * slope * slope)
    x = (x - x[::-1]) / 2
    w = (w + w[::-1]) / 2
    return x, w * (2.0 / np.sum(w))


def of_degree(x, n):
    """The polynomial of Legendre of this degree, and its derivative."""
    before, value = np.ones_like(x), x
    for k in range(2, n + 1):
        before, value = value, ((2 * k - 1) * x * value - (k - 1) * before) / k
    return value, n * (before - x * value) / (1.0 - x * x)
