"""Products that are made of others: powers, chains, Kronecker's and crossed ones; names of `np.linalg` for functions of NumPy."""
# tolerance: 1e-9
import numpy as np


#numptx export powers(float64[:,:,:])
# run: powers(random((2, 3, 3)))
# run: powers(random((3, 3, 2)).T[::-1])
# run: powers(random((0, 3, 3)))
# run: powers(random((2, 3, 4)))
# run: powers(ones((2, 3, 3)))
def powers(a):
    positive = np.linalg.matrix_power(a, 0), np.linalg.matrix_power(a, 2), np.linalg.matrix_power(a, 3), np.linalg.matrix_power(a, 7)
    return positive, np.linalg.matrix_power(a, -1), np.linalg.matrix_power(a, -3)


#numptx export powers_of_integers(int64[:,:], complex64[:,:])
# tolerance: 1e-5
# run: powers_of_integers(array([[1, 1], [1, 0]]), array([[1j, 1], [0, 2]], dtype=complex64))
def powers_of_integers(a, z):
    return np.linalg.matrix_power(a, 10), np.linalg.matrix_power(a, 1), np.linalg.matrix_power(a, 0), np.linalg.matrix_power(a, -2), np.linalg.matrix_power(z, 5)


#numptx export to_a_power(float64[:,:], int64[:,:], int, int)
# run: to_a_power(random((3, 3)), array([[1, 1], [1, 0]]), 5, 9)
# run: to_a_power(random((3, 3)), array([[1, 1], [1, 0]]), -2, 0)
# run: to_a_power(random((3, 3)), array([[1, 1], [1, 0]]), 0, 2)
# run: to_a_power(array([[inf, 1.0], [1.0, 2.0]]), array([[1, 1], [1, 0]]), 1, 3)
# run: to_a_power(array([[inf, 0.0], [1.0, 2.0]]), array([[1, 1], [1, 0]]), 6, 1)
def to_a_power(a, k, n, m):
    return np.linalg.matrix_power(a, n), np.linalg.matrix_power(k, m)


#numptx export chains(float64[:,:], float64[:,:], float64[:,:], float64[:,:], float64[:])
# run: chains(random((3, 4)), random((4, 5)), random((5, 6)), random((6, 2)), random(2))
# run: chains(random((30, 4)), random((4, 25)), random((25, 6)), random((6, 20)), random(20))
# run: chains(random((3, 40)), random((40, 5)), random((5, 60)), random((60, 2)), random(2))
# run: chains(random((4, 3)).T, random((4, 5)), random((5, 6))[:, ::-1], random((6, 2)), random(4)[::-2])
# run: chains(random((3, 0)), random((0, 5)), random((5, 6)), random((6, 2)), random(2))
# run: chains(random((3, 4)), random((4, 5)), random((4, 6)), random((6, 2)), random(2))
def chains(a, b, c, d, x):
    of_matrices = np.linalg.multi_dot([a, b]), np.linalg.multi_dot([a, b, c]), np.linalg.multi_dot((a, b, c, d))
    return of_matrices, np.linalg.multi_dot([a, b, c, d, x]), np.linalg.multi_dot([a[0], b, c]), np.linalg.multi_dot([b[:, 0], b, c, d, x]), np.linalg.multi_dot([b, c, d @ x])


#numptx export chains_of_kinds(int64[:,:], float64[:,:], complex128[:,:])
# run: chains_of_kinds(integers(-3, 3, (3, 3)), random((3, 3)), random((3, 3)) * 1j)
def chains_of_kinds(k, x, z):
    return np.linalg.multi_dot([k, k, k]), np.linalg.multi_dot([k, x, k, x]), np.linalg.multi_dot([k, x, z, k])


#numptx export kronecker(float64[:], float64[:,:], float64[:,:,:], float64)
# layout: any
# run: kronecker(random(3), random((2, 3)), random((2, 1, 3)), 2.0)
# run: kronecker(random(6)[::-2], random((3, 2)).T, random((3, 1, 2)).T, 2.0)
# run: kronecker(random(0), random((2, 0)), random((2, 1, 3)), 2.0)
def kronecker(x, y, z, t):
    equal = np.kron(x, x), np.kron(y, y), np.kron(z, z)
    return equal, np.kron(x, y), np.kron(y, x), np.kron(z, y), np.kron(x, z), np.kron(y, t), np.kron(t, z)


#numptx export kronecker_of_kinds(int64[:,:], complex64[:,:])
# run: kronecker_of_kinds(integers(-3, 3, (2, 3)), random((3, 2)).astype(complex64))
def kronecker_of_kinds(k, z):
    return np.kron(k, k), np.kron(k, z)


#numptx export crossed(float64[:,:], float64[:,:], float64[:])
# run: crossed(random((4, 3)), random((4, 3)), random(3))
# run: crossed(random((3, 4)).T, random((4, 3))[::-1], random(6)[::-2])
# run: crossed(random((4, 2)), random((4, 2)), random(3))
# run: crossed(random((1, 3)), random((4, 3)), random(3))
def crossed(x, y, z):
    return np.linalg.cross(x, y), np.linalg.cross(x.T, y.T, axis=0), np.linalg.cross(x, z), np.cross(z, y)


# layout: any
#numptx export named(float64[:,:,:], int32[:,:])
# run: named(random((2, 3, 4)), integers(-5, 5, (3, 4), int32))
# run: named(random((4, 3, 2)).T, integers(-5, 5, (4, 3), int32).T)
def named(x, k):
    traces = np.linalg.trace(x), np.linalg.trace(x, offset=1), np.linalg.trace(k), np.linalg.trace(k, offset=-1, dtype=np.float64)
    return traces, np.linalg.matrix_transpose(x), np.linalg.diagonal(x), np.linalg.outer(x[0, 0], k[:, 0]), np.linalg.matmul(x, x.mT), np.linalg.vecdot(x, x)


# What named tuples of NumPy hold, by the names.
#numptx export by_names(float64[:,:])
# run: x = random((4, 4)); by_names(x + x.T)
def by_names(a):
    found = np.linalg.svd(a)
    values = np.linalg.eigh(a).eigenvalues
    vectors = np.linalg.eigh(a).eigenvectors
    factors = np.linalg.qr(a)
    sign = np.linalg.slogdet(a)
    restored = (found.U * found.S) @ found.Vh
    return found.S, restored, values, (vectors * values) @ vectors.T, factors.Q @ factors.R, sign.sign, sign.logabsdet
