"""SciPy's functions of factors that are kept and used again."""
import numpy as np


def check_numbers(a, check_finite):
    if check_finite and a.dtype.kind in "fc" and not np.all(np.isfinite(a)):
        raise ValueError("array must not contain infs or NaNs")


def right_sides(b, stack, dtype):
    """By columns."""
    if b.ndim == 1:
        return b.astype(dtype)[:, None]
    return by_columns(np.broadcast_to(b, stack + b.shape[-2:]), dtype)


def read_by_columns(a, stack, dtype):
    """By columns, and not to be written: the array itself where it lies so."""
    if a.ndim == 2 and len(stack) == 0 and a.dtype == dtype:
        return np.asfortranarray(a)
    return by_columns(np.broadcast_to(a, stack + a.shape[-2:]), dtype)


def as_given(x, b):
    return x[..., 0] if b.ndim == 1 else np.ascontiguousarray(x)


def direction(trans):
    """The flags of a routine for `trans`."""
    if isinstance(trans, str):
        if trans == "N":
            return 0
        return 2 if trans == "T" else 6
    return (0, 2, 6)[trans]


def scipy_linalg_solve_triangular(a, b, trans=0, lower=False, unit_diagonal=False, overwrite_b=False, check_finite=True):
    check_numbers(a, check_finite)
    check_numbers(b, check_finite)
    if a.shape[-1] != a.shape[-2]:
        raise ValueError("expected square matrix")
    n = a.shape[-1]
    if b.shape[-1 if b.ndim == 1 else -2] != n:
        raise ValueError("shapes of a and b are incompatible")
    dtype = inexact_of_both(a, b)
    stack = a.shape[:-2] if b.ndim == 1 else common_stack(a.shape[:-2], b.shape[:-2])
    x = right_sides(b, stack, dtype)
    matrix = read_by_columns(a, stack, dtype)
    flags = (1 if lower else 0) + direction(trans) + (8 if unit_diagonal else 0)
    answer = routine("triangular", flags, x, matrix)
    if answer != 0:
        raise LinAlgError(f"singular matrix: resolution failed at diagonal {answer - 1}")
    return as_given(x, b)


def scipy_linalg_cho_factor(a, lower=False, overwrite_a=False, check_finite=True):
    check_numbers(a, check_finite)
    if a.shape[-1] != a.shape[-2]:
        raise ValueError("expected square matrix")
    factor = by_columns(a, inexact(a)) if lower else a.astype(inexact(a), order="C").mT
    answer = routine("cholesky", 0, factor)
    if answer != 0:
        raise LinAlgError(f"{answer}-th leading minor of the array is not positive definite")
    return factor if lower else factor.mT, lower


def scipy_linalg_cho_solve(c_and_lower, b, overwrite_b=False, check_finite=True):
    if not isinstance(c_and_lower, (tuple, list)) or len(c_and_lower) != 2:
        refuse("`c_and_lower` must be a factor and whether it is the lower one", "pass what `scipy.linalg.cho_factor` gave")
    factor, lower = c_and_lower
    check_numbers(factor, check_finite)
    check_numbers(b, check_finite)
    if factor.shape[-1] != factor.shape[-2]:
        raise ValueError("The factored matrix c is not square.")
    if b.shape[-1 if b.ndim == 1 else -2] != factor.shape[-1]:
        raise ValueError("incompatible dimensions")
    dtype = inexact_of_both(factor, b)
    stack = factor.shape[:-2] if b.ndim == 1 else common_stack(factor.shape[:-2], b.shape[:-2])
    x = right_sides(b, stack, dtype)
    matrix = read_by_columns(factor, stack, dtype)
    if lower:
        routine("triangular", 1, x, matrix)
        routine("triangular", 7, x, matrix)
    else:
        routine("triangular", 6, x, matrix)
        routine("triangular", 0, x, matrix)
    return as_given(x, b)


def scipy_linalg_lu_factor(a, overwrite_a=False, check_finite=True):
    check_numbers(a, check_finite)
    matrix = by_columns(a, inexact(a))
    pivots = np.empty(a.shape[:-2] + (min(a.shape[-2], a.shape[-1]),), np.int32)
    routine("lu", 0, matrix, pivots)
    pivots -= 1
    return matrix, pivots


def scipy_linalg_lu_solve(lu_and_piv, b, trans=0, overwrite_b=False, check_finite=True):
    if not isinstance(lu_and_piv, (tuple, list)) or len(lu_and_piv) != 2:
        refuse("`lu_and_piv` must be factors and pivots", "pass what `scipy.linalg.lu_factor` gave")
    factors, pivots = lu_and_piv
    check_numbers(factors, check_finite)
    check_numbers(b, check_finite)
    if b.shape[-1 if b.ndim == 1 else -2] != factors.shape[-1]:
        raise ValueError("Shapes of lu and b are incompatible")
    # A device's library goes to the rows that these name.
    if np.any((pivots < 0) | (pivots >= factors.shape[-1])):
        raise ValueError("`piv` must name rows of the factors")
    dtype = inexact_of_both(factors, b)
    stack = factors.shape[:-2] if b.ndim == 1 else common_stack(factors.shape[:-2], b.shape[:-2])
    x = right_sides(b, stack, dtype)
    matrix = read_by_columns(factors, stack, dtype)
    exchanged_with = np.broadcast_to(pivots, stack + (factors.shape[-1],)).astype(np.int32) + 1
    routine("lu_solve", direction(trans), x, matrix, exchanged_with)
    return as_given(x, b)
