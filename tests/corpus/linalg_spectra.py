"""Eigenvalues and singular values. Vectors, whose signs are no rule's, are compared by what they are put together to."""
# tolerance: 1e-9
import numpy as np


#numptx export hermitian(float64[:,:,:])
# run: x = random((3, 4, 4)); hermitian(x + x.mT)
# run: x = random((3, 4, 4)); hermitian((x + x.mT)[::-1, ::-1, ::-1])
# run: x = random((3, 4, 4)); hermitian(asfortranarray(x + x.mT))
# run: hermitian(zeros((0, 4, 4)))
# run: hermitian(zeros((3, 0, 0)))
# run: hermitian(ones((2, 1, 1)))
# run: hermitian(ones((2, 2, 3)))
# run: hermitian(stack((eye(3), zeros((3, 3)))))
def hermitian(a):
    values, vectors = np.linalg.eigh(a)
    restored = (vectors * values[..., None, :]) @ vectors.mT
    return values, restored, vectors.mT @ vectors, np.linalg.eigvalsh(a)


#numptx export triangles(float64[:,:])
# run: triangles(random((4, 4)))
# run: triangles(random((4, 4))[::-1])
def triangles(a):
    lower, upper = np.linalg.eigh(a), np.linalg.eigh(a, "U")
    values = np.linalg.eigvalsh(a, UPLO="L"), np.linalg.eigvalsh(a, UPLO="u")
    return lower[0], upper[0], values, (lower[1] * lower[0]) @ lower[1].T, (upper[1] * upper[0]) @ upper[1].T


#numptx export hermitian_complex(complex128[:,:,:])
# run: x = random((3, 4, 4)) + 1j * random((3, 4, 4)); hermitian_complex(x + x.mT.conj())
# run: hermitian_complex(random((3, 4, 4)) + 1j * random((3, 4, 4)))
def hermitian_complex(a):
    values, vectors = np.linalg.eigh(a)
    upper_values, upper = np.linalg.eigh(a, UPLO="U")
    lower_restored = (vectors * values[..., None, :]) @ vectors.mT.conj()
    return values, upper_values, lower_restored, (upper * upper_values[..., None, :]) @ upper.mT.conj(), np.linalg.eigvalsh(a, "U")


#numptx export general(float64[:,:,:])
# run: general(random((3, 4, 4)))
# run: general(random((4, 4, 3)).T[::-1])
# run: general(zeros((0, 4, 4)))
# run: general(random((2, 1, 1)))
# run: general(random((2, 3, 2)))
# run: general(full((2, 3, 3), nan))
# run: general(full((2, 3, 3), inf))
def general(a):
    values, vectors = np.linalg.eig(a)
    apart = np.abs(a @ vectors - vectors * values[..., None, :]).max(initial=0.0)
    lengths = np.sum(np.abs(vectors) ** 2, axis=-2)
    return np.sort(values.real), np.sort(np.linalg.eigvals(a).real), np.sort(np.abs(values.imag)), apart < 1e-12, lengths


#numptx export general_complex(complex128[:,:])
# run: general_complex(random((4, 4)) + 1j * random((4, 4)))
# run: general_complex(zeros((0, 0)) + 0j)
def general_complex(a):
    values, vectors = np.linalg.eig(a)
    apart = np.abs(a @ vectors - vectors * values).max(initial=0.0)
    return np.sort(values.real), np.sort(values.imag), np.sort(np.linalg.eigvals(a).real), apart < 1e-12


#numptx export singular(float64[:,:,:])
# run: singular(random((3, 4, 4)))
# run: singular(random((3, 5, 2)))
# run: singular(random((3, 2, 5)))
# run: singular(random((5, 2, 3)).T[::-1, ::-1])
# run: singular(random((2, 5, 3)).T)
# run: singular(zeros((0, 4, 2)))
# run: singular(zeros((2, 4, 0)))
# run: singular(zeros((2, 0, 3)))
# run: singular(zeros((2, 3, 3)))
# run: singular(full((1, 3, 3), nan))
def singular(a):
    u, s, v = np.linalg.svd(a, full_matrices=False)
    values = s, np.linalg.svd(a, compute_uv=False), np.linalg.svdvals(a)
    return values, (u * s[..., None, :]) @ v, u.mT @ u, v @ v.mT


#numptx export singular_full(float64[:,:])
# run: singular_full(random((4, 4)))
# run: singular_full(random((5, 2)))
# run: singular_full(random((2, 5)))
# run: singular_full(random((5, 2)).T)
# run: singular_full(zeros((3, 0)))
# run: singular_full(zeros((0, 3)))
def singular_full(a):
    u, s, v = np.linalg.svd(a)
    k = min(a.shape[0], a.shape[1])
    return s, (u[:, :k] * s) @ v[:k], u.T @ u, u @ u.T, v.T @ v, v @ v.T


#numptx export singular_complex(complex128[:,:])
# run: singular_complex(random((4, 4)) + 1j * random((4, 4)))
# run: singular_complex(random((5, 2)) + 1j * random((5, 2)))
# run: singular_complex(random((2, 5)) + 1j * random((2, 5)))
def singular_complex(a):
    u, s, v = np.linalg.svd(a)
    k = min(a.shape[0], a.shape[1])
    p, t, q = np.linalg.svd(a, False)
    return s, (u[:, :k] * s) @ v[:k], np.abs(u.conj().T @ u), np.abs(v @ v.conj().T), t, (p * t) @ q


#numptx export singular_hermitian(float64[:,:], complex128[:,:])
# run: x = random((4, 4)); z = x + 1j * random((4, 4)); singular_hermitian(x + x.T - 1.0, z + z.T.conj() - 1.0)
def singular_hermitian(a, z):
    u, s, v = np.linalg.svd(a, hermitian=True)
    p, t, q = np.linalg.svd(z, hermitian=True)
    return s, (u * s) @ v, t, (p * t) @ q, np.linalg.svd(a, compute_uv=False, hermitian=True)


#numptx export of_singles(float32[:,:], complex64[:,:])
# tolerance: 1e-4
# run: x = random((4, 4), float32); of_singles(x + x.T, (random((3, 4)) + 1j * random((3, 4))).astype(complex64))
def of_singles(a, z):
    values, vectors = np.linalg.eigh(a)
    u, s, v = np.linalg.svd(z, full_matrices=False)
    return values, (vectors * values) @ vectors.T, np.linalg.eigvalsh(a), (u * s) @ v, s, np.linalg.svdvals(a), np.linalg.pinv(a)


#numptx export of_integers(int64[:,:])
# run: x = integers(-5, 5, (4, 4)); of_integers(x + x.T)
def of_integers(a):
    return np.linalg.eigvalsh(a), np.linalg.svdvals(a), np.linalg.eigh(a)[0], np.sort(np.linalg.eigvals(a).real), np.linalg.pinv(a)


# layout: any
#numptx export triangular_factors(float64[:,:,:])
# run: triangular_factors(random((3, 4, 4)))
# run: triangular_factors(random((3, 5, 2)))
# run: triangular_factors(random((3, 2, 5)))
# run: triangular_factors(random((2, 5, 3)).T[::-1])
# run: triangular_factors(zeros((0, 3, 2)))
# run: triangular_factors(zeros((2, 3, 0)))
# run: triangular_factors(zeros((2, 0, 3)))
def triangular_factors(a):
    q, r = np.linalg.qr(a)
    full, whole = np.linalg.qr(a, mode="complete")
    return q @ r, q.mT @ q, np.abs(r), full @ whole, full.mT @ full, np.abs(whole), np.abs(np.linalg.qr(a, mode="r"))


#numptx export raw_factors(float64[:,:], complex128[:,:])
# layout: any
# run: raw_factors(random((4, 3)), random((3, 4)) + 1j * random((3, 4)))
# run: raw_factors(random((3, 3)), random((3, 1)) + 1j * random((3, 1)))
def raw_factors(a, z):
    h, tau = np.linalg.qr(a, "raw")
    q, r = np.linalg.qr(z)
    return h, tau, q @ r, np.abs(q.conj().T @ q), np.abs(np.linalg.qr(z, "r"))
