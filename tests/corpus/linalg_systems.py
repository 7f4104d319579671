"""Systems of equations, inverses, determinants and Cholesky's factors of stacks of matrices, of every dtype and order of memory."""
# tolerance: 1e-9
import numpy as np


#numptx export solved(float64[:,:,:], float64[:,:,:], float64[:])
# run: solved(random((3, 4, 4)), random((3, 4, 2)), random(4))
# run: solved(random((1, 4, 4)), random((3, 4, 2)), random(4))
# run: solved(random((3, 4, 4)), random((1, 4, 2)), random(4))
# run: solved(random((4, 4, 3)).T, random((2, 4, 3)).T[:, ::-1], random(8)[::-2])
# run: solved(random((0, 4, 4)), random((0, 4, 2)), random(4))
# run: solved(random((3, 0, 0)), random((3, 0, 2)), random(0))
# run: solved(random((2, 4, 4)), random((3, 4, 2)), random(4))
# run: solved(random((3, 4, 4)), random((3, 5, 2)), random(4))
# run: solved(random((3, 4, 4)), random((3, 4, 2)), random(5))
# run: solved(random((3, 4, 5)), random((3, 4, 2)), random(4))
# run: solved(stack((eye(4), ones((4, 4)), eye(4))), random((3, 4, 2)), random(4))
def solved(a, b, x):
    return np.linalg.solve(a, b), np.linalg.solve(a, x), np.linalg.solve(a[0], b), np.linalg.solve(a, b[0])


#numptx export inverted(float64[:,:,:])
# run: inverted(random((3, 4, 4)))
# run: inverted(random((4, 4, 3)).T[::-1, ::-1])
# run: inverted(random((0, 4, 4)))
# run: inverted(random((3, 0, 0)))
# run: inverted(random((3, 1, 1)))
# run: inverted(random((3, 4, 5)))
# run: inverted(stack((eye(4), zeros((4, 4)))))
# run: inverted(full((2, 3, 3), nan))
def inverted(a):
    return np.linalg.inv(a)


#numptx export determinants_of_stacks(float64[:,:,:])
# run: determinants_of_stacks(random((3, 4, 4)))
# run: determinants_of_stacks(random((5, 5, 3)).T[::-1, ::-1])
# run: determinants_of_stacks(random((0, 4, 4)))
# run: determinants_of_stacks(random((3, 0, 0)))
# run: determinants_of_stacks(random((3, 1, 1)) - 0.5)
# run: determinants_of_stacks(random((3, 4, 5)))
# run: determinants_of_stacks(stack((eye(4), zeros((4, 4)), eye(4)[::-1])))
# run: determinants_of_stacks(stack((eye(2), full((2, 2), nan))))
def determinants_of_stacks(a):
    sign, logarithm = np.linalg.slogdet(a)
    return np.linalg.det(a), sign, logarithm


#numptx export determinant_of_one(float64[:,:])
# run: determinant_of_one(random((4, 4)))
# run: determinant_of_one(zeros((0, 0)))
# run: determinant_of_one(ones((3, 3)))
# run: determinant_of_one(random((3, 2)))
def determinant_of_one(a):
    sign, logarithm = np.linalg.slogdet(a)
    return np.linalg.det(a), sign, logarithm


#numptx export factors_of_stacks(float64[:,:,:])
# run: x = random((3, 4, 4)); factors_of_stacks(x @ x.mT + eye(4))
# run: x = random((3, 4, 4)); factors_of_stacks((x @ x.mT + eye(4))[::-1, ::-1, ::-1])
# run: x = random((3, 4, 4)); factors_of_stacks(asfortranarray(x @ x.mT + eye(4)))
# run: factors_of_stacks(stack((eye(3), -eye(3))))
# run: factors_of_stacks(zeros((0, 3, 3)))
# run: factors_of_stacks(zeros((3, 0, 0)))
# run: factors_of_stacks(zeros((3, 2, 4)))
# run: factors_of_stacks(full((1, 2, 2), 4.0) + eye(2) * arange(1.0, 3.0) + tri(2, k=-1))
def factors_of_stacks(a):
    return np.linalg.cholesky(a), np.linalg.cholesky(a, upper=True)


#numptx export of_complex(complex128[:,:,:], float64[:,:,:])
# run: of_complex(random((2, 3, 3)) + 1j * random((2, 3, 3)) + 3 * eye(3), random((2, 3, 3)))
# run: of_complex((random((3, 3, 2)) + 1j * random((3, 3, 2))).T[::-1] + 3 * eye(3), random((2, 3, 3)))
def of_complex(a, b):
    hermitian = a @ a.mT.conj()
    sign, logarithm = np.linalg.slogdet(a)
    solutions = np.linalg.solve(a, b), np.linalg.solve(b, a), np.linalg.inv(a)
    return solutions, np.linalg.det(a), sign, logarithm, np.linalg.cholesky(hermitian), np.linalg.cholesky(hermitian, upper=True)


#numptx export of_singles(float32[:,:], float32[:], float64[:])
# tolerance: 1e-4
# run: of_singles(random((4, 4), float32) + 2 * eye(4, dtype=float32), random(4, float32), random(4))
def of_singles(a, x, y):
    sign, logarithm = np.linalg.slogdet(a)
    return np.linalg.solve(a, x), np.linalg.solve(a, y), np.linalg.inv(a), np.linalg.det(a), sign, logarithm, np.linalg.cholesky(a @ a.T)


#numptx export of_complex_singles(complex64[:,:], float32[:])
# tolerance: 1e-4
# run: of_complex_singles((random((4, 4)) + 1j * random((4, 4))).astype(complex64) + 2 * eye(4, dtype=float32), random(4, float32))
def of_complex_singles(a, x):
    return np.linalg.solve(a, x), np.linalg.inv(a), np.linalg.det(a), np.linalg.cholesky(a @ a.T.conj())


#numptx export of_integers(int32[:,:], bool[:,:], uint8[:])
# run: of_integers(integers(-5, 5, (3, 3), int32) + 9 * eye(3, dtype=int32), eye(3) > 0, integers(0, 9, 3, uint8))
# run: of_integers(ones((3, 3), int32), eye(3) > 0, integers(0, 9, 3, uint8))
def of_integers(a, b, x):
    return np.linalg.solve(a, x), np.linalg.inv(b), np.linalg.inv(a), np.linalg.det(b), np.linalg.det(a)


#numptx export of_lists(float64)
# run: of_lists(3.0)
def of_lists(x):
    return np.linalg.inv([[x, 1.0], [1.0, 2.0]]), np.linalg.solve([[x, 1.0], [1.0, 2.0]], [1.0, 2.0]), np.linalg.det([[1, 2], [3, 4]])


#numptx export of_tensors(float64[:,:,:,:], float64[:,:], float64[:,:,:])
# run: of_tensors(random((2, 3, 3, 2)), random((2, 3)), random((6, 3, 2)))
# run: of_tensors(random((2, 3, 3, 3)), random((2, 3)), random((6, 3, 2)))
# run: of_tensors(random((2, 3, 3, 2)), random((2, 3)), random((6, 3, 3)))
# run: of_tensors(zeros((2, 3, 3, 2)), random((2, 3)), random((6, 3, 2)))
def of_tensors(a, b, c):
    return np.linalg.tensorsolve(a, b), np.linalg.tensorinv(a), np.linalg.tensorinv(c, 1), np.linalg.tensorsolve(c, b.ravel())


#numptx export of_moved_tensors(float64[:,:,:])
# run: of_moved_tensors(random((3, 6, 2)))
# run: of_moved_tensors(random((2, 6, 3)).T)
def of_moved_tensors(a):
    return np.linalg.tensorsolve(a, np.arange(6.0), axes=(0, 2))


# What was computed is used where it is: in loops, and in place.
#numptx export steps(float64[:,:], float64[:], int)
# run: steps(random((4, 4)) + 3 * eye(4), random(4), 3)
# run: steps(random((4, 4)) + 3 * eye(4), random(4), 0)
def steps(a, x, n):
    for k in range(n):
        x[:] = np.linalg.solve(a + k * np.eye(4), x)
    a[:] = np.linalg.inv(a)
    return np.linalg.det(a)
