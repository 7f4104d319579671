"""Linear algebra of one matrix, step by step over whole rows and columns. Source: Golub and Van Loan, Matrix Computations, chapters 3 and 4."""
import numpy as np


def of_floats(a):
    if a.dtype == np.float32 or a.dtype == np.complex64 or a.dtype == np.complex128:
        return a.astype(a.dtype, order="C")
    return a.astype(np.float64, order="C")


def numpy_linalg_cholesky(a, upper=False):
    a = of_floats(a)
    n = a.shape[0]
    if n != a.shape[1]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    if upper:
        a = a.T.conj()
    factor = np.zeros((n, n), a.dtype)
    for j in range(n):
        column = a[j:, j] - factor[j:, :j] @ factor[j, :j].conj()
        factor[j:, j] = column / np.sqrt(column[:1].real)
    if not np.all(np.diagonal(factor).real > 0) and np.all(np.isfinite(a)):
        raise LinAlgError("Matrix is not positive definite")
    if upper:
        return factor.T.conj()
    return factor


# Elimination and substitution go through so many columns at a time: one block of threads finds the factors of these, and what comes of them elsewhere is a
# product, which goes through memory once. Every element meets the same operations in the same order as column by column.
def columns_at_a_time():
    return 8


def eliminate(a, b, pivots):
    """Gauss's elimination with row exchanges, in place: the row with which each was exchanged. What is below the diagonal afterwards is of no use."""
    n, m, width = a.shape[0], b.shape[1], columns_at_a_time()
    if n != a.shape[1]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    rows = np.arange(n)
    for block in range((n + width - 1) // width):
        begin = block * width
        end = min(begin + width, n)
        factors = np.empty((n, width), a.dtype)
        for k in range(begin, end):
            p = pivot(a, k, rows)
            pivots[k] = p
            exchange(factors, k, p, 0, k - begin)
            exchange(a, k, p, k, end)
            for i in range(k + 1, n):
                factors[i, k - begin] = a[i, k] / a[k, k]
            for i in range(k + 1, n):
                factor = a[i, k] / a[k, k]
                for j in range(k + 1, end):
                    a[i, j] -= factor * a[k, j]
        first_rows(a, factors, pivots, begin, end, end, n)
        first_rows(b, factors, pivots, begin, end, 0, m)
        other_rows(a, factors, begin, end, end, n)
        other_rows(b, factors, begin, end, 0, m)


def pivot(a, k, rows):
    """The row of the largest element, or of the first that is no number; the smallest number of a row is found as one, so that all is one launch."""
    n = a.shape[0]
    largest = np.max(np.abs(a[k:, k]))
    is_pivot = (np.abs(a[k:, k]) == largest) | (a[k:, k] != a[k:, k])
    return min(max(int(np.min(np.where(is_pivot, rows[k:], n))), k), n - 1)


def exchange(x, k, p, begin, end):
    for j in range(begin, end):
        t = x[k, j]
        x[k, j] = x[p, j]
        x[p, j] = t


def first_rows(x, factors, pivots, begin, end, first, last):
    """Exchanges rows of columns beside a block, and eliminates in the rows of the block."""
    n = x.shape[0]
    for j in range(first, last):
        for k in range(begin, end):
            p = min(max(int(pivots[k]), k), n - 1)
            t = x[k, j]
            x[k, j] = x[p, j]
            x[p, j] = t
        for i in range(begin + 1, end):
            value = x[i, j]
            for k in range(begin, i):
                value -= factors[i, k - begin] * x[k, j]
            x[i, j] = value


def other_rows(x, factors, begin, end, first, last):
    """Eliminates in the rows below a block."""
    for i in range(end, x.shape[0]):
        for j in range(first, last):
            value = x[i, j]
            for k in range(begin, end):
                value -= factors[i, k - begin] * x[k, j]
            x[i, j] = value


def substitute(a, b):
    n, m, width = a.shape[0], b.shape[1], columns_at_a_time()
    if np.any(np.diagonal(a) == 0):
        raise LinAlgError("Singular matrix")
    for block in range((n + width - 1) // width - 1, -1, -1):
        begin = block * width
        end = min(begin + width, n)
        for j in range(m):
            for i in reversed(range(begin, end)):
                value = b[i, j]
                for k in reversed(range(i + 1, end)):
                    value -= a[i, k] * b[k, j]
                b[i, j] = value / a[i, i]
        for i in range(begin):
            for j in range(m):
                value = b[i, j]
                for k in range(end - 1, begin - 1, -1):
                    value -= a[i, k] * b[k, j]
                b[i, j] = value


def of_common(a, b):
    if (a.dtype == np.float32 or a.dtype == np.complex64) and (b.dtype == np.float32 or b.dtype == np.complex64):
        return np.zeros(0, np.float32)
    return np.zeros(0, np.float64)


def numpy_linalg_solve(a, b):
    wide = (a[:0, :0].ravel() + b[:0].ravel()[:0]) * of_common(a, b)
    matrix = a.astype(wide.dtype, order="C")
    if a.shape[0] != a.shape[1]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    if a.shape[0] != b.shape[0]:
        raise ValueError("solve: Input operand 1 has a mismatch in its core dimension 0")
    if b.ndim == 1:
        values = b[:, None].astype(wide.dtype, order="C")
        eliminate(matrix, values, np.empty(a.shape[0], np.int64))
        substitute(matrix, values)
        return values[:, 0].copy()
    values = b.astype(wide.dtype, order="C")
    eliminate(matrix, values, np.empty(a.shape[0], np.int64))
    substitute(matrix, values)
    return values


def numpy_linalg_inv(a):
    matrix = of_floats(a)
    values = np.eye(a.shape[0], dtype=matrix.dtype)
    eliminate(matrix, values, np.empty(a.shape[0], np.int64))
    substitute(matrix, values)
    return values


def numpy_linalg_det(a):
    matrix = of_floats(a)
    pivots = np.empty(a.shape[0], np.int64)
    eliminate(matrix, np.zeros((a.shape[0], 0), dtype=matrix.dtype), pivots)
    if np.count_nonzero(pivots != np.arange(a.shape[0])) % 2 == 1:
        sign = -1.0
    else:
        sign = 1.0
    pivots = np.diagonal(matrix)
    if np.any(pivots == 0):
        # What follows a column without a pivot holds no numbers.
        determinant = np.prod(pivots[:0]) * 0
    else:
        determinant = np.prod(pivots) * sign
    return determinant


def numpy_kron(a, b):
    if a.ndim == 1 and b.ndim == 1:
        return (a[:, None] * b).reshape(-1)
    if a.ndim != 2 or b.ndim != 2:
        refuse("arrays of one or of two axes each are taken", "reshape them first: `np.kron(a.reshape(1, -1), b.reshape(1, -1))`")
    n, m = a.shape[0] * b.shape[0], a.shape[1] * b.shape[1]
    return (a[:, None, :, None] * b[None, :, None, :]).reshape((n, m))


def numpy_cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    if axis is not None:
        axisa, axisb, axisc = axis, axis, axis
    a = np.moveaxis(a, axisa, -1)
    b = np.moveaxis(b, axisb, -1)
    if a.shape[-1] == 2 or b.shape[-1] == 2:
        raise NotImplementedError("numpy.cross of vectors of two elements: write x[0] * y[1] - x[1] * y[0]")
    if a.shape[-1] != 3 or b.shape[-1] != 3:
        raise ValueError("incompatible dimensions for cross product\n(dimension must be 2 or 3)")
    x = a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1]
    y = a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2]
    z = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return np.moveaxis(np.stack((x, y, z), axis=-1), -1, axisc)


def numpy_linalg_norm(x, ord=None, axis=None, keepdims=False):
    if axis is None and ord is None:
        return np.sqrt(np.sum(squares(x), keepdims=keepdims))
    if isinstance(axis, (tuple, list)) and len(axis) > 2:
        refuse("norms are of vectors or of matrices", "give one axis or two: `np.linalg.norm(x, axis=(1, 2))`")
    if ord is not None and (isinstance(axis, (tuple, list)) or axis is None and x.ndim != 1):
        refuse("orders of matrix norms are not supported", "the Frobenius norm is `np.linalg.norm(x)`")
    if ord is None or ord == 2:
        return np.sqrt(np.sum(squares(x), axis=axis, keepdims=keepdims))
    if ord == 1:
        return np.sum(magnitudes(x), axis=axis, keepdims=keepdims)
    if ord == np.inf:
        return np.max(magnitudes(x), axis=axis, keepdims=keepdims, initial=0)
    refuse("this order is not supported", "orders are `1`, `2` and `np.inf`")


def magnitudes(x):
    if x.dtype == np.float32 or x.dtype == np.float64 or x.dtype == np.complex64 or x.dtype == np.complex128:
        return np.abs(x)
    return np.abs(x.astype(np.float64))


def squares(x):
    if x.dtype == np.complex64 or x.dtype == np.complex128:
        return x.real ** 2 + x.imag ** 2
    if x.dtype == np.float32 or x.dtype == np.float64:
        return x * x
    return x.astype(np.float64) ** 2
