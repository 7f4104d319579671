"""Eigenvalues, singular values, and what is made of them: norms, ranks, pseudo-inverses, least squares. Source of least squares: Golub and Van Loan, Matrix
Computations, section 5.5."""
import numpy as np


def check_finite(a):
    if a.dtype.kind in "fc" and not np.all(np.isfinite(a)):
        raise LinAlgError("Array must not contain infs or NaNs")


def check_eigenvalues(answer):
    if answer != 0:
        raise LinAlgError("Eigenvalues did not converge")


def check_singular_values(answer, values):
    # A device's library answers 0 of numbers that are none.
    if answer != 0 or np.isnan(values).any():
        raise LinAlgError("SVD did not converge")


def numpy_linalg_eig(a):
    check_square(a)
    check_finite(a)
    matrix = by_columns(a, inexact(a))
    values = np.empty(a.shape[:-1], complex_dtype(matrix.dtype))
    vectors = empty_by_columns(a.shape[:-2], a.shape[-1], a.shape[-1], values.dtype)
    check_eigenvalues(routine("eig", 0, matrix, values, vectors))
    return named("eigenvalues eigenvectors", values, vectors.copy())


def numpy_linalg_eigvals(a):
    check_square(a)
    check_finite(a)
    # A matrix and its transpose have the same.
    matrix = a.astype(inexact(a), order="C").mT
    values = np.empty(a.shape[:-1], complex_dtype(matrix.dtype))
    check_eigenvalues(routine("eigvals", 0, matrix, values))
    return values


def lower_by_columns(a, UPLO):
    """A Hermitian matrix by columns, of which the lower triangle counts."""
    if UPLO == "U" or UPLO == "u":
        upper = a.astype(inexact(a), order="C")
        if upper.dtype.kind == "c":
            np.conjugate(upper, out=upper)
        return upper.mT
    return by_columns(a, inexact(a))


def numpy_linalg_eigh(a, UPLO="L"):
    check_square(a)
    vectors = lower_by_columns(a, UPLO)
    values = np.empty(a.shape[:-1], real_dtype(vectors.dtype))
    check_eigenvalues(routine("eigh", 0, vectors, values))
    return named("eigenvalues eigenvectors", values, vectors.copy())


def numpy_linalg_eigvalsh(a, UPLO="L"):
    check_square(a)
    matrix = lower_by_columns(a, UPLO)
    values = np.empty(a.shape[:-1], real_dtype(matrix.dtype))
    check_eigenvalues(routine("eigvalsh", 0, matrix, values))
    return values


def tall_by_columns(a):
    """A matrix with no fewer rows than columns by columns: of a wide one its transpose, which is a plain copy."""
    if a.shape[-2] >= a.shape[-1]:
        memory = a.mT.astype(inexact(a), order="C")
    else:
        memory = a.astype(inexact(a), order="C")
    return memory.mT


def numpy_linalg_svd(a, full_matrices=True, compute_uv=True, hermitian=False):
    if hermitian:
        return svd_of_hermitian(a, compute_uv)
    if not compute_uv:
        return numpy_linalg_svdvals(a)
    stack, m, n = a.shape[:-2], a.shape[-2], a.shape[-1]
    matrix = tall_by_columns(a)
    p, q = max(m, n), min(m, n)
    values = np.empty(stack + (q,), real_dtype(matrix.dtype))
    left = empty_by_columns(stack, p, p if full_matrices else q, matrix.dtype)
    right = empty_by_columns(stack, q, q, matrix.dtype)
    check_singular_values(routine("svd", 0, matrix, values, left, right), values)
    # Of a wide matrix these are factors of the transpose.
    if m >= n:
        u = left.copy()
        v = right.copy()
    else:
        u = np.ascontiguousarray(right.mT)
        v = np.ascontiguousarray(left.mT)
    return named("U S Vh", u, values, v)


def numpy_linalg_svdvals(x):
    matrix = tall_by_columns(x)
    values = np.empty(x.shape[:-2] + (min(x.shape[-2], x.shape[-1]),), real_dtype(matrix.dtype))
    check_singular_values(routine("svdvals", 0, matrix, values), values)
    return values


def svd_of_hermitian(a, compute_uv):
    if not compute_uv:
        return np.sort(np.abs(numpy_linalg_eigvalsh(a)))[..., ::-1]
    values, vectors = numpy_linalg_eigh(a)
    sizes = np.abs(values)
    order = np.argsort(sizes)[..., ::-1]
    signs = np.take_along_axis(np.copysign(np.ones_like(values), values), order, axis=-1)
    u = np.take_along_axis(vectors, np.broadcast_to(order[..., None, :], vectors.shape), axis=-1)
    return named("U S Vh", u, np.take_along_axis(sizes, order, axis=-1), np.conjugate((u * signs[..., None, :]).mT))


def numpy_linalg_matrix_rank(A, tol=None, hermitian=False, rtol=None):
    if A.ndim < 2:
        return int(np.any(A != 0))
    if tol is not None and rtol is not None:
        raise ValueError("`tol` and `rtol` can't be both set.")
    values = numpy_linalg_svd(A, True, False, hermitian)
    if tol is not None:
        return np.count_nonzero(values > tol[..., None], axis=-1)
    largest = np.max(values, axis=-1, keepdims=True, initial=0)
    if rtol is not None:
        return np.count_nonzero(values > largest * rtol[..., None], axis=-1)
    return np.count_nonzero(values > largest * (max(A.shape[-2], A.shape[-1]) * float(np.finfo(values.dtype).eps)), axis=-1)


def numpy_linalg_pinv(a, rcond=None, hermitian=False):
    u, values, v = numpy_linalg_svd(a, False, True, hermitian)
    largest = np.max(values, axis=-1, keepdims=True, initial=0)
    limits = largest * 1e-15 if rcond is None else largest * rcond[..., None]
    inverses = np.where(values > limits, np.reciprocal(values), np.zeros_like(values))
    return np.conjugate(v.mT) @ (inverses[..., None] * np.conjugate(u.mT))


def numpy_linalg_lstsq(a, b, rcond=None):
    m, n = a.shape[0], a.shape[1]
    if m != b.shape[0]:
        raise LinAlgError("Incompatible dimensions")
    dtype = inexact_of_both(a, b)
    right = b.astype(dtype) if b.ndim == 2 else b.astype(dtype)[:, None]
    left = a.astype(dtype)
    u, values, v = numpy_linalg_svd(left, False)
    largest = np.max(values, initial=0)
    # Less than nothing is the precision of numbers.
    limit = np.finfo(dtype).eps * max(m, n) if rcond is None else rcond
    if limit < 0:
        limit = np.finfo(dtype).eps * 1.0
    is_used = values > largest * limit
    rank = np.count_nonzero(is_used)
    inverses = np.where(is_used, np.reciprocal(values), np.zeros_like(values))
    x = np.conjugate(v.mT) @ (inverses[:, None] * (np.conjugate(u.mT) @ right))
    apart = right - left @ x
    residuals = np.sum(apart.real ** 2 + apart.imag ** 2 if dtype_is_complex(dtype) else apart * apart, axis=0)
    is_known = rank == n and m > n
    residuals = residuals[:residuals.shape[0] if is_known else 0]
    return x if b.ndim == 2 else x[:, 0], residuals, np.int32(rank), values


def dtype_is_complex(dtype):
    return dtype == np.complex64 or dtype == np.complex128


def magnitudes(x):
    return np.abs(x if x.dtype.kind in "fc" else x.astype(np.float64))


def squares(x):
    if x.dtype.kind == "c":
        return x.real ** 2 + x.imag ** 2
    if x.dtype.kind == "f":
        return x * x
    return x.astype(np.float64) ** 2


def norm_of_vectors(x, ord, axis, keepdims):
    if isinstance(ord, str):
        raise ValueError("Invalid norm order for vectors")
    if ord is None or ord == 2:
        return np.sqrt(np.sum(squares(x), axis=axis, keepdims=keepdims))
    if ord == 1:
        return np.sum(magnitudes(x), axis=axis, keepdims=keepdims)
    if ord == np.inf:
        return np.max(magnitudes(x), axis=axis, keepdims=keepdims, initial=0)
    if ord == -np.inf:
        return np.min(magnitudes(x), axis=axis, keepdims=keepdims)
    if ord == 0:
        return np.sum((x != 0).astype(real_dtype(inexact(x))), axis=axis, keepdims=keepdims)
    order = float(ord)
    return np.sum(magnitudes(x) ** order, axis=axis, keepdims=keepdims) ** (1.0 / order)


def norm_of_matrices(x, ord, rows, columns, keepdims):
    if ord is None or isinstance(ord, str) and (ord == "fro" or ord == "f"):
        return np.sqrt(np.sum(squares(x), axis=(rows, columns), keepdims=keepdims))
    if isinstance(ord, str):
        if ord != "nuc":
            raise ValueError("Invalid norm order for matrices.")
        return expanded(np.sum(numpy_linalg_svdvals(np.moveaxis(x, (rows, columns), (-2, -1))), axis=-1), rows, columns, keepdims)
    if ord == 2:
        return expanded(np.max(numpy_linalg_svdvals(np.moveaxis(x, (rows, columns), (-2, -1))), axis=-1, initial=0), rows, columns, keepdims)
    if ord == -2:
        return expanded(np.min(numpy_linalg_svdvals(np.moveaxis(x, (rows, columns), (-2, -1))), axis=-1), rows, columns, keepdims)
    if ord == 1:
        return np.max(np.sum(magnitudes(x), axis=rows, keepdims=True), axis=(rows, columns), keepdims=keepdims, initial=0)
    if ord == np.inf:
        return np.max(np.sum(magnitudes(x), axis=columns, keepdims=True), axis=(rows, columns), keepdims=keepdims, initial=0)
    if ord == -1:
        return np.min(np.sum(magnitudes(x), axis=rows, keepdims=True), axis=(rows, columns), keepdims=keepdims)
    if ord == -np.inf:
        return np.min(np.sum(magnitudes(x), axis=columns, keepdims=True), axis=(rows, columns), keepdims=keepdims)
    raise ValueError("Invalid norm order for matrices.")


def expanded(norms, rows, columns, keepdims):
    return np.expand_dims(norms, (rows, columns)) if keepdims else norms


def numpy_linalg_norm(x, ord=None, axis=None, keepdims=False):
    if axis is None:
        if ord is None:
            return np.sqrt(np.sum(squares(x), keepdims=keepdims))
        if x.ndim == 1:
            return norm_of_vectors(x, ord, 0, keepdims)
        if x.ndim == 2:
            return norm_of_matrices(x, ord, 0, 1, keepdims)
        raise ValueError("Improper number of dimensions to norm.")
    if not isinstance(axis, (tuple, list)):
        return norm_of_vectors(x, ord, axis, keepdims)
    if len(axis) == 1:
        return norm_of_vectors(x, ord, axis[0], keepdims)
    if len(axis) == 2:
        return norm_of_matrices(x, ord, axis[0], axis[1], keepdims)
    raise ValueError("Improper number of dimensions to norm.")


def numpy_linalg_matrix_norm(x, keepdims=False, ord="fro"):
    return norm_of_matrices(x, ord, -2, -1, keepdims)


def numpy_linalg_vector_norm(x, axis=None, keepdims=False, ord=2):
    return norm_of_vectors(x, ord, axis, keepdims)


def numpy_linalg_cond(x, p=None):
    if x.shape[-2] * x.shape[-1] == 0:
        raise LinAlgError("cond is not defined on empty arrays")
    if p is None or not isinstance(p, str) and (p == 2 or p == -2):
        values = numpy_linalg_svdvals(x)
        if p is not None and p == -2:
            return known(values[..., -1] / values[..., 0], x)
        return known(values[..., 0] / values[..., -1], x)
    matrix, pivots = factored(x)
    inverse = units(x.shape[:-2], x.shape[-1], matrix.dtype)
    # Of the transposes this is the inverse by columns.
    routine("lu_solve", 0, inverse.mT, matrix, pivots)
    is_singular = np.any(np.diagonal(matrix, axis1=-2, axis2=-1) == 0, axis=-1)
    product = norm_of_matrices(x, p, -2, -1, False) * norm_of_matrices(inverse, p, -2, -1, False)
    if x.ndim == 2:
        return known(product.dtype.type(np.nan) if is_singular else product, x)
    return known(np.where(is_singular, np.full_like(product, np.nan), product), x)


def known(ratios, x):
    """Infinity in place of what is no number, unless the matrix holds such."""
    if x.ndim == 2:
        if np.isnan(ratios) and not np.any(np.isnan(x)):
            return ratios.dtype.type(np.inf)
        return ratios
    return np.where(np.isnan(ratios) & ~np.any(np.isnan(x), axis=(-2, -1)), np.full_like(ratios, np.inf), ratios)
