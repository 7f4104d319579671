"""Discrete Fourier transforms over several axes."""
# tolerance: 1e-12
import numpy as np


#numptx export planes(float64[:,:], complex128[:,:])
# run: planes(random((4, 5)), random((4, 6)) + 1j * random((4, 6)))
# run: planes(random((5, 4)).T[::-1], (random((6, 4)) + 1j * random((6, 4))).T[:, ::-1])
# run: planes(random((1, 1)), random((3, 2)) + 1j * random((3, 2)))
# run: planes(random((0, 4)), random((4, 6)) + 1j)
# run: planes(random((4, 0)), random((4, 6)) + 1j)
def planes(x, z):
    of_both = np.fft.fft2(x), np.fft.fft2(z), np.fft.ifft2(x), np.fft.ifft2(z)
    return of_both, np.fft.rfft2(x), np.fft.irfft2(z), np.fft.rfftn(x), np.fft.irfftn(z), np.fft.fftn(x)


#numptx export volumes(float64[:,:,:], complex128[:,:,:])
# run: volumes(random((3, 4, 5)), random((3, 4, 5)) + 1j * random((3, 4, 5)))
# run: volumes(random((5, 4, 3)).T, (random((5, 4, 3)) + 1j * random((5, 4, 3))).T)
# run: volumes(random((6, 4, 5))[::-2], (random((3, 8, 5)) + 1j)[:, ::2, ::-1])
def volumes(x, z):
    of_all = np.fft.fftn(x), np.fft.fftn(z), np.fft.ifftn(z), np.fft.rfftn(x), np.fft.irfftn(z)
    of_two = np.fft.fftn(z, axes=(0, 2)), np.fft.fft2(z, axes=(2, 0)), np.fft.rfft2(x, axes=(1, 0)), np.fft.irfft2(z, axes=(0, 1)), np.fft.rfftn(x, axes=(2, 0))
    return of_all, of_two, np.fft.fftn(z, axes=(1,)), np.fft.ifft2(x), np.fft.rfftn(x, axes=[0]), np.fft.irfftn(z, axes=(-1,))


#numptx export four(float64[:,:,:,:], complex128[:,:,:,:])
# run: four(random((2, 3, 4, 5)), random((2, 3, 4, 5)) + 1j * random((2, 3, 4, 5)))
# run: four(random((5, 4, 3, 2)).T, (random((5, 4, 3, 2)) + 1j * random((5, 4, 3, 2))).T)
def four(x, z):
    return np.fft.fftn(z), np.fft.ifftn(x), np.fft.rfftn(x), np.fft.irfftn(z), np.fft.fftn(z, axes=(3, 1, 0))


#numptx export extents(float64[:,:], complex128[:,:], int, int)
# run: extents(random((4, 5)), random((4, 6)) + 1j * random((4, 6)), 3, 7)
# run: extents(random((4, 5)), random((4, 6)) + 1j * random((4, 6)), 4, 5)
# run: extents(random((5, 4)).T, (random((6, 4)) + 1j * random((6, 4))).T, 6, 3)
# run: extents(random((4, 5)), random((4, 6)) + 1j * random((4, 6)), 1, 1)
# run: extents(random((4, 5)), random((4, 6)) + 1j * random((4, 6)), -1, 4)
# run: extents(random((4, 5)), random((4, 6)) + 1j * random((4, 6)), 0, 4)
# run: extents(random((4, 5)), random((4, 6)) + 1j * random((4, 6)), 4, -2)
def extents(x, z, n, m):
    of_both = np.fft.fft2(x, (n, m)), np.fft.fft2(z, s=(n, m)), np.fft.ifft2(z, (n, 4)), np.fft.fftn(z, (m, n), axes=(1, 0))
    return of_both, np.fft.rfft2(x, (n, m)), np.fft.irfft2(z, (n, m)), np.fft.rfftn(x, (n, m), (1, 0)), np.fft.irfftn(z, (m,), (0,))


#numptx export norms(float64[:,:], complex128[:,:])
# run: norms(random((4, 5)), random((4, 6)) + 1j * random((4, 6)))
def norms(x, z):
    of_both = np.fft.fft2(z, norm="ortho"), np.fft.ifft2(z, norm="ortho"), np.fft.fftn(z, norm="forward"), np.fft.ifftn(z, norm="forward")
    return of_both, np.fft.rfft2(x, norm="ortho"), np.fft.irfft2(z, norm="ortho"), np.fft.rfftn(x, norm="forward"), np.fft.irfftn(z, norm="backward")


#numptx export of_single(float32[:,:], complex64[:,:])
# tolerance: 1e-5
# run: of_single(random((3, 5), float32), (random((3, 5)) + 1j * random((3, 5))).astype(complex64))
def of_single(x, z):
    return np.fft.fft2(x), np.fft.ifft2(z), np.fft.rfft2(x), np.fft.irfft2(z), np.fft.fftn(x, (4, 4), (0, 1))


#numptx export of_integers(int32[:,:], bool[:,:])
# run: of_integers(integers(-9, 9, (3, 4), int32), random((3, 4)) > 0.5)
def of_integers(k, b):
    return np.fft.fft2(k), np.fft.rfft2(b), np.fft.irfft2(k), np.fft.ifftn(b)


#numptx export into(complex128[:,:], complex128[:,:])
# run: into(random((4, 6)) + 1j * random((4, 6)), zeros((4, 6), complex128))
# run: x = random((4, 6)) + 1j * random((4, 6)); into(x, x)
# run: into(random((4, 6)) + 1j * random((4, 6)), zeros((6, 4), complex128).T)
# run: into(random((4, 6)) + 1j * random((4, 6)), zeros((5, 6), complex128))
def into(z, out):
    return np.fft.fft2(z, out=out), np.fft.ifftn(z, out=out)


# A plane is one call of the routine; further axes are transformed in place.
#numptx export plane(complex128[:,:])
# run: plane(random((16, 32)) + 1j * random((16, 32)))
# structure: launches=0 allocs=2 copies=0
def plane(z):
    return np.fft.fft2(z)


#numptx export half_plane(float64[:,:])
# run: half_plane(random((16, 32)))
# structure: launches=0 allocs=3 copies=0
def half_plane(x):
    return np.fft.rfft2(x)


#numptx export restored(complex128[:,:])
# run: restored(random((16, 17)) + 1j * random((16, 17)))
# structure: launches=3 allocs=7 copies=0
def restored(z):
    return np.fft.irfft2(z)
