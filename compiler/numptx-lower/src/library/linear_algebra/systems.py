"""Systems of equations and factors of stacks of matrices. Routines of the runtime compute them; what stands here is NumPy's around them: dtypes, stacks, orders of
memory, errors."""
import numpy as np


def inexact(a):
    """The dtype in which linear algebra of an array is computed."""
    if a.dtype.kind == "f" or a.dtype.kind == "c":
        return a.dtype
    return np.float64


def is_single(a):
    return a.dtype == np.float32 or a.dtype == np.complex64


def inexact_of_both(a, b):
    if a.dtype.kind == "c" or b.dtype.kind == "c":
        return np.complex64 if is_single(a) and is_single(b) else np.complex128
    return np.float32 if is_single(a) and is_single(b) else np.float64


def real_dtype(dtype):
    """The dtype of magnitudes."""
    return np.float32 if dtype == np.float32 or dtype == np.complex64 else np.float64


def complex_dtype(dtype):
    return np.complex64 if dtype == np.float32 or dtype == np.complex64 else np.complex128


def by_columns(a, dtype):
    """A copy whose columns lie one after the other."""
    return a.mT.astype(dtype, order="C").mT


def empty_by_columns(stack, n, m, dtype):
    return np.empty(stack + (m, n), dtype).mT


def units(stack, n, dtype):
    """Unit matrices."""
    return np.broadcast_to(np.eye(n, dtype=dtype), stack + (n, n)).copy()


def check_square(a):
    if a.shape[-1] != a.shape[-2]:
        raise LinAlgError("Last 2 dimensions of the array must be square")


def common_extent(n, m):
    if n != m and n != 1 and m != 1:
        raise ValueError("operands could not be broadcast together with remapped shapes")
    return m if n == 1 else n


def common_stack(first, second):
    """The extents to which those of two stacks broadcast."""
    if len(first) < len(second):
        return common_stack(second, first)
    n = len(first) - len(second)
    extents = first[:n]
    for k, m in zip(first[n:], second):
        extents = extents + (common_extent(k, m),)
    return extents


def numpy_linalg_cholesky(a, upper=False):
    check_square(a)
    # The factor of a lower triangle by columns is the one that a device's library finds fastest. By columns the upper triangle is the lower one.
    factor = a.astype(inexact(a), order="C").mT if upper else by_columns(a, inexact(a))
    answer = routine("cholesky", 0, factor)
    if answer != 0:
        raise LinAlgError("Matrix is not positive definite")
    if upper:
        return np.triu(factor.mT)
    result = np.empty(factor.shape, factor.dtype)
    result[...] = np.tril(factor)
    return result


def spoilt(a):
    """Which matrices have an element that is no number: the search for pivots of a device's library may pass over it."""
    if a.dtype.kind == "f" or a.dtype.kind == "c":
        return np.isnan(a).any(axis=(-2, -1), keepdims=True)
    return np.zeros(a.shape[:-2] + (1, 1), np.bool_)


def numpy_linalg_solve(a, b):
    check_square(a)
    dtype = inexact_of_both(a, b)
    n = a.shape[-1]
    if b.shape[-1 if b.ndim == 1 else -2] != n:
        raise ValueError(f"solve: Input operand 1 has a mismatch in its core dimension 0 (size {b.shape[-1 if b.ndim == 1 else -2]} is different from {n})")
    if b.ndim == 1:
        matrix = by_columns(a, dtype)
        x = np.empty(a.shape[:-1], dtype)
        x[...] = b
        if routine("solve", 0, matrix, x[..., None]) != 0:
            raise LinAlgError("Singular matrix")
        return np.where(spoilt(a)[..., 0], np.nan, x)
    stack = common_stack(a.shape[:-2], b.shape[:-2])
    matrix = by_columns(np.broadcast_to(a, stack + a.shape[-2:]), dtype)
    x = by_columns(np.broadcast_to(b, stack + b.shape[-2:]), dtype)
    if routine("solve", 0, matrix, x) != 0:
        raise LinAlgError("Singular matrix")
    result = np.empty(x.shape, x.dtype)
    result[...] = np.where(spoilt(a), np.nan, x)
    return result


def numpy_linalg_inv(a):
    check_square(a)
    matrix = a.astype(inexact(a), order="C")
    inverse = units(a.shape[:-2], a.shape[-1], matrix.dtype)
    # Both are taken by columns, which is transposed: so is the inverse.
    if routine("solve", 0, matrix.mT, inverse.mT) != 0:
        raise LinAlgError("Singular matrix")
    return np.where(spoilt(a), np.nan, inverse)


def factored(a):
    """Triangular factors of the transposes of matrices, by columns, and with which row each was exchanged, from 1."""
    check_square(a)
    matrix = a.astype(inexact(a), order="C").mT
    pivots = np.empty(a.shape[:-1], np.int32)
    routine("lu", 0, matrix, pivots)
    return matrix, pivots


def signed_diagonal(matrix, pivots):
    """Numbers whose product is the determinant."""
    diagonal = np.diagonal(matrix, axis1=-2, axis2=-1)
    return np.where(pivots == np.arange(1, matrix.shape[-1] + 1), diagonal, -diagonal)


def numpy_linalg_det(a):
    matrix, pivots = factored(a)
    return np.prod(signed_diagonal(matrix, pivots), axis=-1)


def numpy_linalg_slogdet(a):
    matrix, pivots = factored(a)
    values = signed_diagonal(matrix, pivots)
    sizes = np.abs(values)
    if matrix.dtype.kind == "c":
        signs = np.where(sizes == 0, values, values / sizes)
    else:
        signs = np.where(values < 0, -np.ones_like(values), np.where(values == 0, values, np.ones_like(values)))
    return named("sign logabsdet", np.prod(signs, axis=-1), np.sum(np.log(sizes), axis=-1))


def numpy_linalg_qr(a, mode="reduced"):
    m, n = a.shape[-2], a.shape[-1]
    k = min(m, n)
    matrix = by_columns(a, inexact(a))
    tau = np.empty(a.shape[:-2] + (k,), matrix.dtype)
    routine("qr", 0, matrix, tau)
    if mode == "raw":
        return matrix.mT, tau
    if mode == "r":
        return np.triu(matrix[..., :k, :])
    width = m if mode == "complete" else k
    q = empty_by_columns(a.shape[:-2], m, width, matrix.dtype)
    q[..., :k] = matrix[..., :k]
    routine("q", 0, q, tau)
    return named("Q R", q.copy(), np.triu(matrix[..., :width, :]))


def numpy_linalg_tensorsolve(a, b, axes=None):
    if axes is not None:
        a = np.moveaxis(a, axes, ends(len(axes)))
    shape = a.shape[b.ndim - a.ndim:] if a.ndim != b.ndim else a.shape
    n = 1
    for extent in shape:
        n = n * extent
    if a.size != n * n:
        raise LinAlgError("Input arrays must satisfy the requirement prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim])")
    return numpy_linalg_solve(a.reshape(n, n), b.ravel()).reshape(shape)


def numpy_linalg_tensorinv(a, ind=2):
    if ind <= 0:
        raise ValueError("Invalid ind argument.")
    n = 1
    for extent in a.shape[ind:]:
        n = n * extent
    return numpy_linalg_inv(a.reshape(n, -1)).reshape(a.shape[ind:] + a.shape[:ind])
