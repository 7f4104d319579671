"""Polynomials, the coefficient of the highest power first."""
import numpy as np


def as_vector(p):
    return p.reshape(1) if p.ndim == 0 else p


def common_dtype(p, q):
    """The dtype of sums of both."""
    return (np.zeros(1, p.dtype) + np.zeros(1, q.dtype)).dtype


def numpy_polyval(p, x):
    if is_known(p.shape[0]):
        if p.shape[0] == 0:
            return np.zeros_like(x)
    dtype = common_dtype(p, x)
    if x.ndim == 0:
        point = x[()]
        value = dtype.type(0)
        for k in range(p.shape[0]):
            value = value * point + p[k]
        return value
    y = np.zeros_like(x, dtype=dtype)
    for k in range(p.shape[0]):
        y = y * x + p[k]
    return y


def filled_up(p, n):
    """With zeros before the first one of n coefficients."""
    result = np.zeros(n, p.dtype)
    result[n - p.shape[0]:] = p
    return result


def numpy_polyadd(a1, a2):
    p, q = as_vector(a1), as_vector(a2)
    n = max(p.shape[0], q.shape[0])
    return filled_up(p, n) + filled_up(q, n)


def numpy_polysub(a1, a2):
    p, q = as_vector(a1), as_vector(a2)
    n = max(p.shape[0], q.shape[0])
    return filled_up(p, n) - filled_up(q, n)


def first_one(mask):
    """The first place where a mask is true, or the last place."""
    n = mask.shape[0]
    return int(np.argmax(mask)) if np.any(mask) else max(n - 1, 0)


def without_zeros(p):
    """From the first coefficient that is not 0 on; a zero of nothing else."""
    p = as_vector(p)
    if p.shape[0] == 0:
        p = np.zeros(1, p.dtype)
    return p[first_one(p != 0):]


def numpy_polymul(a1, a2):
    return numpy_convolve(without_zeros(a1), without_zeros(a2))


def numpy_polydiv(u, v):
    u, v = as_vector(u) + 0.0, as_vector(v) + 0.0
    if u.shape[0] == 0 or v.shape[0] == 0:
        raise IndexError("index 0 is out of bounds for axis 0 with size 0")
    m, n = u.shape[0] - 1, v.shape[0] - 1
    dtype = common_dtype(u, v)
    scale = 1.0 / v[0]
    quotient = np.zeros(max(m - n + 1, 1), dtype)
    rest = u.astype(dtype)
    for k in range(m - n + 1):
        factor = scale * rest[k]
        quotient[k] = factor
        rest[k:k + n + 1] -= factor * v
    return quotient, rest[first_one(~(np.abs(rest) <= 1e-8)):]


def numpy_polyder(p, m=1):
    if m < 0:
        raise ValueError("Order of derivative must be positive (see polyint)")
    if m == 0:
        return p
    result = p * np.ones(1, np.int64)
    for _ in range(m):
        result = result[:-1] * np.arange(result.shape[0] - 1, 0, -1)
    return result


def numpy_polyint(p, m=1, k=None):
    if m < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    constants = np.zeros(m) if k is None else as_vector(k).astype(in_doubles(k))
    if m > 1:
        if constants.shape[0] == 1:
            constants = constants[0] * np.ones(m)
    if constants.shape[0] < m:
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or >m.")
    if m == 0:
        return p
    result = np.concatenate((p / np.arange(p.shape[0], 0, -1), constants[:1]))
    for n in range(1, m):
        result = np.concatenate((result / np.arange(result.shape[0], 0, -1), constants[n:n + 1]))
    return result


def numpy_vander(x, N=None, increasing=False):
    n = x.shape[0] if N is None else N
    powers = np.empty((x.shape[0], n), common_dtype(x, np.zeros(1, np.int64)))
    columns = powers if increasing else powers[:, ::-1]
    columns[:, :1] = 1
    for k in range(1, n):
        columns[:, k] = columns[:, k - 1] * x
    return powers


def numpy_polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    n = deg + 1
    points, values = x + 0.0, y + 0.0
    if deg < 0:
        raise ValueError("expected deg >= 0")
    if x.shape[0] == 0:
        raise TypeError("expected non-empty vector for x")
    if x.shape[0] != y.shape[0]:
        raise TypeError("expected x and y to have same length")
    limit = points.dtype.type(x.shape[0] * np.finfo(points.dtype).eps) if rcond is None else rcond
    columns = numpy_vander(points, n)
    if w is not None:
        if w.shape[0] != y.shape[0]:
            raise TypeError("expected w and y to have the same length")
        weights = w + 0.0
        columns = columns * weights[:, None]
        values = (values * (weights[:, None] if y.ndim == 2 else weights)).astype(values.dtype)
    scale = np.sqrt(np.sum(columns * columns, axis=0))
    columns = columns / scale
    c, residuals, rank, singular = numpy_linalg_lstsq(columns, values, float(limit))
    c = c / (scale[:, None] if y.ndim == 2 else scale)
    if full:
        return c, residuals, rank, singular, limit
    if isinstance(cov, str) and cov != "unscaled":
        refuse("`cov` must be `True`, `False` or `'unscaled'`", "write `cov=True`")
    if not isinstance(cov, str) and not cov:
        return c
    base = numpy_linalg_inv(columns.T @ columns) / (scale[:, None] * scale)
    if isinstance(cov, str):
        return c, base if y.ndim == 1 else base[:, :, None] * np.ones(1)
    if x.shape[0] <= n:
        raise ValueError("the number of data points must exceed order to scale the covariance matrix")
    factors = residuals / (x.shape[0] - n)
    return c, base * factors if y.ndim == 1 else base[:, :, None] * factors


def numpy_roots(p):
    given = as_vector(p) if p.dtype.kind in "fc" else as_vector(p).astype(np.float64)
    dtype = complex_dtype(given.dtype)
    places_of_others = np.flatnonzero(given)
    if places_of_others.shape[0] == 0:
        return np.zeros(0, dtype)
    first, last = int(places_of_others[0]), int(places_of_others[-1])
    n = last - first
    roots = np.zeros(given.shape[0] - 1 - first, dtype)
    if n > 0:
        companion = np.eye(n, k=-1, dtype=given.dtype)
        companion[0] = -given[first + 1:last + 1] / given[first]
        roots[:n] = numpy_linalg_eigvals(companion)
    return roots


def numpy_poly(seq_of_zeros):
    if seq_of_zeros.dtype.kind == "c":
        refuse("whether the coefficients are complex depends on the zeros", "multiply the factors: `np.convolve(c, np.array([1.0, -zero]))`")
    if seq_of_zeros.ndim == 2:
        # The eigenvalues of a real matrix are real or come in pairs.
        if seq_of_zeros.shape[0] == 0:
            raise ValueError("input must be 1d or non-empty square 2d array.")
        return of_zeros(numpy_linalg_eigvals(seq_of_zeros)).real.copy()
    zeros = as_vector(seq_of_zeros)
    if zeros.shape[0] == 0:
        raise NotImplementedError("numpy.poly of no zeros, which is a number: test `x.size` first")
    return of_zeros(zeros if is_inexact(zeros) else zeros.astype(np.float64))


def of_zeros(zeros):
    n = zeros.shape[0]
    c = np.zeros(n + 1, zeros.dtype)
    c[0] = 1
    for k in range(n):
        c[1:k + 2] = c[1:k + 2] - zeros[k] * c[:k + 1]
    return c
