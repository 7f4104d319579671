"""Products of matrices and vectors that are made of others."""
import numpy as np


def numpy_kron(a, b):
    if a.ndim < b.ndim:
        return numpy_kron(a[None], b)
    if b.ndim < a.ndim:
        return numpy_kron(a, b[None])
    first, second, shape = (), (), ()
    for n, m in zip(a.shape, b.shape):
        first = first + (n, 1)
        second = second + (1, m)
        shape = shape + (n * m,)
    return (a.reshape(first) * b.reshape(second)).reshape(shape)


def numpy_cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    if axis is not None:
        axisa, axisb, axisc = axis, axis, axis
    a = np.moveaxis(a, axisa, -1)
    b = np.moveaxis(b, axisb, -1)
    if is_known(a.shape[-1]) and is_known(b.shape[-1]):
        if a.shape[-1] == 2 and b.shape[-1] == 2:
            return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])
        if (a.shape[-1] == 2 or b.shape[-1] == 2) and (a.shape[-1] == 3 or b.shape[-1] == 3):
            return np.moveaxis(crossed_with_plane(a, b), -1, axisc)
    elif a.shape[-1] == 2 or b.shape[-1] == 2:
        raise NotImplementedError("numpy.cross of vectors of two elements: write x[0] * y[1] - x[1] * y[0]")
    if a.shape[-1] != 3 or b.shape[-1] != 3:
        raise ValueError("incompatible dimensions for cross product\n(dimension must be 2 or 3)")
    return np.moveaxis(crossed(a, b), -1, axisc)


def crossed(a, b):
    x = a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1]
    y = a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2]
    z = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return np.stack((x, y, z), axis=-1)


def crossed_with_plane(a, b):
    """Where one of both vectors has two elements."""
    z = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    if a.shape[-1] == 2:
        return np.stack((a[..., 1] * b[..., 2], -(a[..., 0] * b[..., 2]), z), axis=-1)
    return np.stack((-(a[..., 2] * b[..., 1]), a[..., 2] * b[..., 0], z), axis=-1)


def numpy_linalg_cross(x1, x2, axis=-1):
    a = np.moveaxis(x1, axis, -1)
    b = np.moveaxis(x2, axis, -1)
    if a.shape[-1] != 3 or b.shape[-1] != 3:
        raise ValueError(f"Both input arrays must be (arrays of) 3-dimensional vectors, but they are {a.shape[-1]} and {b.shape[-1]} dimensional instead.")
    return np.moveaxis(crossed(a, b), -1, axis)


def numpy_linalg_trace(x, offset=0, dtype=None):
    return np.trace(x, offset, -2, -1, dtype=dtype)


def numpy_linalg_matrix_transpose(x):
    return np.matrix_transpose(x)


def numpy_linalg_matrix_power(a, n):
    check_square(a)
    if is_known(n):
        if n == 0:
            unit = np.empty_like(a)
            unit[...] = np.eye(a.shape[-1], dtype=a.dtype)
            return unit
        if n == 1:
            return a
        return power(numpy_linalg_inv(a), -n) if n < 0 else power(a, n)
    if n == 1:
        return a
    base = a.copy()
    if a.dtype.kind in "fc":
        if n < 0:
            base[...] = numpy_linalg_inv(a)
    elif n < 0:
        raise NotImplementedError("numpy.linalg.matrix_power of integers to an exponent that turns out to be negative: write np.linalg.inv first")
    return power_of_run_time(base, abs(n))


def power(a, n):
    """Multiplied in NumPy's order, which shows where products overflow."""
    if n == 3:
        return (a @ a) @ a
    if n % 2 == 0:
        return power_of_squares(a @ a, n // 2)
    return times_squares(a, a, n // 2)


def power_of_squares(square, n):
    if n % 2 == 0:
        return power_of_squares(square @ square, n // 2)
    return times_squares(square, square, n // 2)


def times_squares(result, factor, n):
    if n == 0:
        return result
    square = factor @ factor
    return times_squares(result @ square if n % 2 == 1 else result, square, n // 2)


def power_of_run_time(base, n):
    """Changes `base`. Both arrays are filled anew in place, so that their shape is known; a product with units would make nan of inf."""
    result = units(base.shape[:-2], base.shape[-1], base.dtype)
    is_begun = False
    if n == 3:
        result[...] = (base @ base) @ base
        n = 0
    while n > 0:
        if n % 2 == 1:
            if is_begun:
                result[...] = result @ base
            else:
                result[...] = base
            is_begun = True
        n = n // 2
        if n > 0:
            base[...] = base @ base
    return result


def numpy_linalg_multi_dot(arrays):
    if not isinstance(arrays, (tuple, list)):
        refuse("`arrays` must be a list of arrays", "write the list: `np.linalg.multi_dot([a, b, c])`")
    if len(arrays) < 2:
        raise ValueError("Expecting at least two arrays.")
    if len(arrays) == 2:
        return np.dot(arrays[0], arrays[1])
    first = arrays[0][None] if arrays[0].ndim == 1 else arrays[0]
    last = arrays[-1][:, None] if arrays[-1].ndim == 1 else arrays[-1]
    for matrix in (first,) + tuple(arrays[1:-1]) + (last,):
        if matrix.ndim != 2:
            refuse("all arrays between the first one and the last one must have two axes", "stacks are multiplied by `@`")
    product = chain(first, tuple(arrays[1:-1]), last)
    if arrays[0].ndim == 1 and arrays[-1].ndim == 1:
        return product[0, 0]
    if arrays[0].ndim == 1 or arrays[-1].ndim == 1:
        return product.ravel()
    return product


def chain(first, between, last):
    if len(between) == 1:
        second = between[0]
        left = first.shape[0] * second.shape[1] * (first.shape[1] + last.shape[1])
        right = first.shape[1] * last.shape[1] * (first.shape[0] + second.shape[1])
        if left < right:
            product = (first @ second) @ last
        else:
            product = first @ (second @ last)
        return product
    matrices = same_dtypes((first,) + between + (last,))
    sizes = np.array([m.shape[0] for m in matrices] + [last.shape[1]], dtype=np.float64)
    return product_of(matrices, splits(sizes), 0, len(matrices) - 1)


def same_dtypes(matrices):
    """All of the dtype of their product."""
    whole = matrices[0][:0, :0]
    for matrix in matrices[1:]:
        whole = whole + matrix[:0, :0]
    return tuple([matrix.astype(whole.dtype, copy=False) for matrix in matrices])


def splits(sizes):
    """After which matrix the product of those from i to j is best split. Source: Cormen et al., Introduction to Algorithms, section 14.2."""
    n = sizes.shape[0] - 1
    costs = np.zeros((n, n))
    best = np.zeros((n, n), np.int64)
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            costs[i, j] = np.inf
            for k in range(i, j):
                cost = costs[i, k] + costs[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1]
                if cost < costs[i, j]:
                    costs[i, j] = cost
                    best[i, j] = k
    return best


def product_of(matrices, best, i, j):
    if i == j:
        return chosen_matrix(matrices, i)
    k = int(best[i, j])
    return product_of(matrices, best, i, k) @ product_of(matrices, best, k + 1, j)


def chosen_matrix(matrices, i):
    found = matrices[0]
    for n, matrix in enumerate(matrices):
        if i == n:
            found = matrix
    return found
