"""Factors and solutions of systems of equations."""
# tolerance: 1e-9
import numpy as np

#numptx export factor(float64[:,:])
# run: x = random((5, 5)); factor(x @ x.T + eye(5))
# run: x = random((5, 5)); factor((x @ x.T + eye(5))[::-1, ::-1])
# run: factor(zeros((0, 0)))
# run: factor(array([[4.0]]))
# run: factor(-eye(3))
# run: factor(zeros((3, 3)))
# run: factor(array([[1.0, nan], [nan, 1.0]]))
# run: factor(ones((3, 2)))
def factor(a):
    return np.linalg.cholesky(a)


#numptx export factor_in_place(float64[:,:])
# run: x = random((6, 6)); factor_in_place(x @ x.T + eye(6))
def factor_in_place(a):
    a[:] = np.linalg.cholesky(a) + np.triu(a, k=1)


#numptx export factor_complex(complex128[:,:])
# run: x = random((4, 4)) + 1j * random((4, 4)); factor_complex(x @ x.conj().T + eye(4))
def factor_complex(a):
    return np.linalg.cholesky(a), np.linalg.inv(a), np.linalg.det(a).real


#numptx export factor_integers(int64[:,:])
# run: factor_integers(array([[4, 2], [2, 3]]))
def factor_integers(a):
    return np.linalg.cholesky(a), np.linalg.inv(a), np.linalg.det(a), np.linalg.solve(a, a)


#numptx export solutions(float64[:,:], float64[:], float64[:,:])
# run: solutions(random((6, 6)), random(6), random((6, 3)))
# run: solutions(random((6, 6)).T[::-1], random(12)[::-2], random((3, 6)).T)
# run: solutions(array([[0.0, 1.0], [1.0, 0.0]]), array([2.0, 3.0]), eye(2))
# run: solutions(array([[0.0, 0.0], [1.0, 0.0]]), array([2.0, 3.0]), eye(2))
# run: solutions(ones((3, 3)), ones(3), eye(3))
# run: solutions(ones((3, 2)), ones(3), eye(3))
# run: solutions(eye(3), ones(2), eye(3))
# run: solutions(zeros((0, 0)), zeros(0), zeros((0, 2)))
# run: solutions(random((8, 8)), random(8), random((8, 3)))
# run: solutions(random((21, 21)) - 0.5, random(21), random((21, 40)))
# run: solutions(eye(24)[::-1] * arange(1.0, 25.0), random(24), random((24, 0)))
# run: solutions(ones((19, 19)), random(19), eye(19))
# run: solutions(where(eye(17) > 0, nan, random((17, 17))), random(17), random((17, 2)))
def solutions(a, x, y):
    return np.linalg.solve(a, x), np.linalg.solve(a, y), np.linalg.inv(a), a


#numptx export mixed(complex128[:,:], float64[:,:])
# run: mixed(random((4, 4)) + 1j * random((4, 4)), random((4, 4)))
# run: mixed(random((18, 18)) + 1j * random((18, 18)), random((18, 18)))
def mixed(a, b):
    return np.linalg.solve(a, b), np.linalg.solve(b, a), np.linalg.inv(a)


#numptx export determinants(float64[:,:])
# run: determinants(random((5, 5)))
# run: determinants(array([[0.0, 1.0], [1.0, 0.0]]))
# run: determinants(eye(3)[::-1])
# run: determinants(array([[2.0]]))
# run: determinants(random((17, 17)) - 0.5)
# run: determinants(random((18, 18)) - 0.5)
# run: determinants(eye(25)[::-1])
def determinants(a):
    return np.linalg.det(a), np.linalg.norm(a)


#numptx export norms(float64[:], float64[:,:], complex128[:])
# run: norms(random(5) - 0.5, random((3, 4)) - 0.5, random(4) - 1j * random(4))
# run: norms(zeros(0), zeros((0, 4)), zeros(0, dtype=complex128))
# run: norms(array([inf, -1.0]), array([[nan, 1.0, 2.0, 3.0]]), array([0j]))
def norms(x, y, z):
    return np.linalg.norm(x), np.linalg.norm(y), np.linalg.norm(z), np.linalg.norm(y, axis=1), np.linalg.norm(x, 1), np.linalg.norm(y, 2, axis=0, keepdims=True)


#numptx export products(float64[:,:], float64[:,:], float64[:])
# run: products(random((2, 3)), random((4, 3)), random(3))
def products(x, y, z):
    return np.kron(x, y), np.kron(z, z), np.cross(x, z), np.cross(z, z[::-1])


# A copy of each matrix, the solution in the order of its result, whether a number is none, and three arrays of a device's library.
#numptx export solution(float64[:,:], float64[:,:])
# run: solution(random((40, 40)) - 0.5, random((40, 50)))
# structure: launches=4 allocs=7 copies=1 syncs=2
# run: solution(random((104, 104)) - 0.5, random((104, 800)))
# run: solution(random((107, 107)) - 0.5, random((107, 700)))
def solution(a, b):
    return np.linalg.solve(a, b)
