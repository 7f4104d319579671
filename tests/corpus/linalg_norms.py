"""Norms, conditions, ranks, pseudo-inverses and least squares."""
# tolerance: 1e-9
import numpy as np


#numptx export of_vectors(float64[:])
# run: of_vectors(random(5) - 0.5)
# run: of_vectors(random(10)[::-2] - 0.5)
# run: of_vectors(array([0.0, 3.0, -4.0]))
# run: of_vectors(array([nan, 1.0]))
# run: of_vectors(array([inf, 1.0]))
# run: of_vectors(arange(0.0))
def of_vectors(x):
    orders = np.linalg.norm(x, 1), np.linalg.norm(x, 2), np.linalg.norm(x, np.inf), np.linalg.norm(x, 0), np.linalg.norm(x, 3)
    return orders, np.linalg.norm(x, 0.5), np.linalg.norm(x, 2, keepdims=True), np.linalg.norm(x, axis=0), np.linalg.vector_norm(x)


#numptx export least(float64[:])
# run: least(random(5) - 0.5)
# run: least(arange(0.0))
def least(x):
    return np.linalg.norm(x, -np.inf), np.linalg.norm(x + 1.0, -1), np.linalg.norm(x + 1.0, -2)


#numptx export by_order(float64[:], float)
# run: by_order(random(5) - 0.5, 1.0)
# run: by_order(random(5) - 0.5, 2.0)
# run: by_order(random(5) - 0.5, 2.5)
# run: by_order(random(5) - 0.5, inf)
# run: by_order(random(5) - 0.5, -inf)
# run: by_order(random(5) - 0.5, 0.0)
def by_order(x, order):
    return np.linalg.norm(x, order)


#numptx export along_axes(float64[:,:,:])
# run: along_axes(random((2, 3, 4)) - 0.5)
# run: along_axes(random((4, 3, 2)).T[:, ::-1] - 0.5)
# run: along_axes(zeros((0, 3, 4)))
def along_axes(x):
    of_one = np.linalg.norm(x, axis=1), np.linalg.norm(x, 1, axis=-1), np.linalg.norm(x, np.inf, axis=2, keepdims=True), np.linalg.norm(x, 3, axis=(1,))
    of_two = np.linalg.norm(x, axis=(0, 2)), np.linalg.norm(x, 1, axis=(1, 2)), np.linalg.norm(x, 1, (2, 1)), np.linalg.norm(x, np.inf, (0, -1), True)
    return of_one, of_two, np.linalg.norm(x), np.linalg.norm(x, keepdims=True)


#numptx export of_matrices(float64[:,:])
# run: of_matrices(random((3, 3)) - 0.5)
# run: of_matrices(random((3, 5)) - 0.5)
# run: of_matrices(random((3, 5)).T[::-1] - 0.5)
def of_matrices(x):
    sums = np.linalg.norm(x, 1), np.linalg.norm(x, -1), np.linalg.norm(x, np.inf), np.linalg.norm(x, -np.inf)
    return sums, np.linalg.norm(x, 2), np.linalg.norm(x, -2), np.linalg.norm(x, "fro"), np.linalg.norm(x, "nuc"), np.linalg.norm(x)


#numptx export of_stacks(float64[:,:,:])
# run: of_stacks(random((2, 3, 4)) - 0.5)
# run: of_stacks(random((4, 3, 2)).T[::-1] - 0.5)
# run: of_stacks(zeros((0, 3, 4)))
def of_stacks(x):
    spectral = np.linalg.norm(x, 2, axis=(1, 2)), np.linalg.norm(x, "nuc", (2, 0), keepdims=True), np.linalg.norm(x, -2, axis=(-2, -1))
    named = np.linalg.matrix_norm(x), np.linalg.matrix_norm(x, ord="nuc"), np.linalg.matrix_norm(x, ord=1, keepdims=True), np.linalg.matrix_norm(x, ord=-np.inf)
    return spectral, named


#numptx export named_vectors(float64[:,:,:])
# run: named_vectors(random((2, 3, 4)) - 0.5)
# run: named_vectors(random((4, 3, 2)).T - 0.5)
def named_vectors(x):
    whole = np.linalg.vector_norm(x), np.linalg.vector_norm(x, keepdims=True), np.linalg.vector_norm(x, ord=1)
    return whole, np.linalg.vector_norm(x, axis=(0, 2)), np.linalg.vector_norm(x, axis=1, ord=3), np.linalg.vector_norm(x, axis=(0, 1), keepdims=True)


#numptx export of_kinds(complex128[:,:], float32[:], int64[:,:], bool[:])
# tolerance: 1e-6
# run: of_kinds(random((3, 3)) - 1j * random((3, 3)), random(4, float32), integers(-9, 9, (2, 3)), random(5) > 0.5)
def of_kinds(z, x, k, b):
    of_complex = np.linalg.norm(z), np.linalg.norm(z, 1), np.linalg.norm(z[0], 3), np.linalg.norm(z, 2), np.linalg.norm(z[1], 0)
    of_single = np.linalg.norm(x), np.linalg.norm(x, 3), np.linalg.norm(x, 1), np.linalg.norm(x, np.inf), np.linalg.norm(x, 0)
    return of_complex, of_single, np.linalg.norm(k), np.linalg.norm(k, 1), np.linalg.norm(k, "nuc"), np.linalg.norm(b, 3), np.linalg.norm(b)


#numptx export refused_by_rank(float64[:,:,:], bool)
# run: refused_by_rank(random((2, 3, 4)), True)
# run: refused_by_rank(random((2, 3, 4)), False)
def refused_by_rank(x, has_order):
    if has_order:
        return np.linalg.norm(x, 2)
    return np.linalg.norm(x)


#numptx export conditions(float64[:,:])
# run: conditions(random((4, 4)) + eye(4))
# run: conditions(random((4, 4)).T[::-1] + eye(4))
# run: conditions(zeros((3, 3)))
# run: conditions(diag(array([1.0, 0.0])))
# run: conditions(zeros((0, 0)))
def conditions(a):
    spectral = np.linalg.cond(a), np.linalg.cond(a, 2), np.linalg.cond(a, -2)
    return spectral, np.linalg.cond(a, 1), np.linalg.cond(a, -1), np.linalg.cond(a, np.inf), np.linalg.cond(a, -np.inf), np.linalg.cond(a, "fro")


#numptx export conditions_of_stacks(float64[:,:,:])
# run: conditions_of_stacks(random((3, 4, 4)) + eye(4))
# run: conditions_of_stacks(stack((eye(3), zeros((3, 3)))))
# run: conditions_of_stacks(random((2, 3, 4)))
# run: conditions_of_stacks(zeros((0, 3, 3)))
def conditions_of_stacks(a):
    return np.linalg.cond(a), np.linalg.cond(a, 1), np.linalg.cond(a, "nuc")


#numptx export ranks(float64[:,:,:], float64[:])
# run: ranks(random((2, 4, 3)), random(3))
# run: ranks(ones((2, 4, 3)), zeros(3))
# run: ranks(zeros((2, 4, 3)), zeros(0))
# run: ranks(zeros((2, 0, 3)), ones(3))
def ranks(a, x):
    of_stacks = np.linalg.matrix_rank(a), np.linalg.matrix_rank(a, 0.5), np.linalg.matrix_rank(a, tol=np.array([0.1, 2.0])), np.linalg.matrix_rank(a, rtol=0.3)
    return of_stacks, np.linalg.matrix_rank(a[0]), np.linalg.matrix_rank(x), np.linalg.matrix_rank(a[0].T @ a[0], hermitian=True)


#numptx export pseudo_inverses(float64[:,:,:], complex128[:,:])
# run: pseudo_inverses(random((2, 4, 3)), random((3, 4)) + 1j * random((3, 4)))
# run: pseudo_inverses(ones((2, 3, 4)), zeros((2, 2)) + 0j)
# run: pseudo_inverses(zeros((2, 0, 4)), zeros((2, 0)) + 0j)
# run: pseudo_inverses(zeros((0, 3, 4)), eye(2) + 0j)
def pseudo_inverses(a, z):
    hermitian = z @ z.conj().T + np.eye(z.shape[0])
    return np.linalg.pinv(a), np.linalg.pinv(a, 0.5), np.linalg.pinv(z), np.linalg.pinv(hermitian, hermitian=True)


#numptx export least_squares(float64[:,:], float64[:,:], float64[:])
# run: least_squares(random((5, 3)), random((5, 2)), random(5))
# run: least_squares(random((3, 5)), random((3, 2)), random(3))
# run: least_squares(random((4, 4)), random((4, 2)), random(4))
# run: least_squares(random((3, 6)).T[::-1], random((6, 2))[::-1], random(12)[::2])
# run: least_squares(ones((5, 3)), random((5, 2)), random(5))
# run: least_squares(zeros((5, 3)), random((5, 2)), random(5))
# run: least_squares(random((5, 3)), random((5, 0)), random(5))
# run: least_squares(zeros((0, 3)), zeros((0, 2)), zeros(0))
# run: least_squares(zeros((3, 0)), ones((3, 2)), ones(3))
# run: least_squares(random((5, 3)), random((4, 2)), random(5))
# run: least_squares(full((2, 2), nan), ones((2, 2)), ones(2))
def least_squares(a, b, x):
    return np.linalg.lstsq(a, b), np.linalg.lstsq(a, x), np.linalg.lstsq(a, b, rcond=0.3)


#numptx export least_squares_of_kinds(complex128[:,:], float32[:,:], int64[:])
# tolerance: 1e-4
# run: least_squares_of_kinds(random((4, 2)) + 1j * random((4, 2)), random((4, 3), float32), integers(0, 9, 4))
def least_squares_of_kinds(z, x, k):
    return np.linalg.lstsq(z, k), np.linalg.lstsq(x, np.sqrt(x[:, 0])), np.linalg.lstsq(x, k), np.linalg.lstsq(x, z)
