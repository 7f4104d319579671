"""Discrete Fourier transforms along one axis: of every length, dtype, order of memory and norm."""
# tolerance: 1e-12
import numpy as np


#numptx export of_real(float64[:])
# run: of_real(random(1))
# run: of_real(random(2))
# run: of_real(random(7))
# run: of_real(random(12))
# run: of_real(random(97))
# run: of_real(random(24)[::-2])
# run: of_real(random(0))
def of_real(x):
    return np.fft.fft(x), np.fft.ifft(x), np.fft.rfft(x), np.fft.ihfft(x)


# One number that is none is in all sums.
#numptx export of_no_numbers(float64[:])
# run: of_no_numbers(array([1.0, nan, 2.0, 3.0]))
# run: of_no_numbers(array([1.0, inf, 2.0, 3.0]))
def of_no_numbers(x):
    return np.isfinite(np.fft.fft(x)), np.isfinite(np.fft.rfft(x)), np.isfinite(np.fft.irfft(x))


#numptx export of_complex(complex128[:])
# run: of_complex(random(2) + 1j * random(2))
# run: of_complex(random(9) + 1j * random(9))
# run: of_complex(random(64) + 1j * random(64))
# run: of_complex((random(64) + 1j * random(64))[::-3])
# run: of_complex(random(1) + 1j * random(1))
# run: of_complex(random(0) + 1j)
def of_complex(x):
    return np.fft.fft(x), np.fft.ifft(x), np.fft.irfft(x), np.fft.hfft(x)


#numptx export norms(complex128[:], float64[:])
# run: norms(random(6) + 1j * random(6), random(6))
# run: norms(random(5) + 1j * random(5), random(5))
def norms(z, x):
    of_both = np.fft.fft(z, norm="ortho"), np.fft.fft(z, norm="forward"), np.fft.ifft(z, norm="ortho"), np.fft.ifft(z, norm="forward"), np.fft.fft(z, norm="backward")
    of_halves = np.fft.rfft(x, norm="ortho"), np.fft.rfft(x, norm="forward"), np.fft.irfft(z, norm="ortho"), np.fft.irfft(z, norm="forward")
    of_hermitian = np.fft.hfft(z, norm="ortho"), np.fft.hfft(z, norm="forward"), np.fft.ihfft(x, norm="ortho"), np.fft.ihfft(x, norm="forward")
    return of_both, of_halves, of_hermitian


#numptx export lengths(complex128[:], float64[:], int)
# run: lengths(random(6) + 1j * random(6), random(6), 4)
# run: lengths(random(6) + 1j * random(6), random(6), 6)
# run: lengths(random(6) + 1j * random(6), random(6), 9)
# run: lengths(random(6) + 1j * random(6), random(6), 1)
# run: lengths((random(12) + 1j * random(12))[::-2], random(12)[::-2], 8)
# run: lengths(random(0) + 1j, random(0), 3)
# run: lengths(random(6) + 1j * random(6), random(6), 0)
# run: lengths(random(6) + 1j * random(6), random(6), -2)
def lengths(z, x, n):
    of_both = np.fft.fft(z, n), np.fft.ifft(z, n), np.fft.fft(x, n), np.fft.fft(z, 5), np.fft.ifft(z, n=8)
    return of_both, np.fft.rfft(x, n), np.fft.irfft(z, n), np.fft.hfft(z, n), np.fft.ihfft(x, n), np.fft.irfft(x, n)


#numptx export along(float64[:,:,:], complex128[:,:,:])
# run: along(random((3, 4, 5)), random((3, 4, 5)) + 1j * random((3, 4, 5)))
# run: along(random((5, 4, 3)).T, (random((5, 4, 3)) + 1j * random((5, 4, 3))).T)
# run: along(random((6, 4, 5))[::-2, ::-1], (random((3, 8, 5)) + 1j)[:, ::2, ::-1])
# run: along(random((0, 4, 5)), random((0, 4, 5)) + 1j * random((0, 4, 5)))
def along(x, z):
    of_both = np.fft.fft(z), np.fft.fft(z, axis=1), np.fft.ifft(z, axis=-2), np.fft.fft(x, axis=1), np.fft.fft(z, 7, 1)
    return of_both, np.fft.rfft(x), np.fft.rfft(x, axis=1), np.fft.irfft(z, 6, axis=1), np.fft.hfft(z, 6, 1), np.fft.ihfft(x, 3, 2)


# layout: any
#numptx export along_one(complex128[:,:,:])
# run: along_one(random((2, 1, 5)) + 1j * random((2, 1, 5)))
# run: along_one(random((1, 5, 1)) + 1j * random((1, 5, 1)))
def along_one(z):
    return np.fft.fft(z, axis=1), np.fft.fft(z, 7, 1), np.fft.ifft(z, 2, 0), np.fft.fft2(z, (3, 4))


#numptx export of_single(float32[:,:], complex64[:,:])
# tolerance: 1e-5
# run: of_single(random((3, 5), float32), (random((3, 5)) + 1j * random((3, 5))).astype(complex64))
# run: of_single(random((3, 8), float32).T, (random((3, 8)) + 1j * random((3, 8))).astype(complex64).T)
def of_single(x, z):
    of_both = np.fft.fft(x), np.fft.fft(z), np.fft.ifft(x), np.fft.ifft(z), np.fft.fft(z, norm="ortho"), np.fft.fft(z, 9)
    return of_both, np.fft.rfft(x), np.fft.irfft(z), np.fft.hfft(z), np.fft.ihfft(x), np.fft.irfft(x)


#numptx export of_integers(int16[:], uint64[:], bool[:])
# run: of_integers(integers(-9, 9, 6, int16), integers(0, 9, 5).astype(uint64), random(4) > 0.5)
def of_integers(k, u, b):
    return np.fft.fft(k), np.fft.ifft(u), np.fft.rfft(b), np.fft.irfft(k), np.fft.hfft(u), np.fft.ihfft(k), np.fft.fft([1, 2, 3])


#numptx export into(complex128[:], complex128[:], float64[:])
# run: into(random(6) + 1j * random(6), zeros(6, complex128), zeros(10))
# run: x = random(6) + 1j * random(6); into(x, x, zeros(10))
# run: x = random(12) + 1j * random(12); into(x[::2], x[::-2], zeros(20)[::2])
# run: into(random(6) + 1j * random(6), zeros(7, complex128), zeros(10))
# run: into(random(6) + 1j * random(6), zeros(6, complex128), zeros(9))
def into(x, out, real):
    first = np.fft.fft(x, out=out)
    return first, np.fft.irfft(x, out=real)


#numptx export into_others(float32[:], complex64[:], complex128[:])
# tolerance: 1e-5
# run: into_others(random(6, float32), zeros(6, complex64), zeros(4, complex128))
def into_others(x, out, half):
    np.fft.ifft(x.astype(np.float64), out=out)
    np.fft.rfft(x, out=half)
    return out, half, np.fft.ihfft(x, out=half)


#numptx export frequencies(int, float)
# layout: any
# run: frequencies(8, 0.5)
# run: frequencies(9, 0.1)
# run: frequencies(1, 1.0)
# run: frequencies(0, 1.0)
# run: frequencies(-1, 1.0)
# run: frequencies(5, 0.0)
def frequencies(n, d):
    return np.fft.fftfreq(n, d), np.fft.rfftfreq(n, d), np.fft.fftfreq(n), np.fft.rfftfreq(6), np.fft.fftfreq(7, d=d)


#numptx export shifted(float64[:], int32[:,:,:])
# run: shifted(random(5), integers(-9, 9, (2, 3, 4), int32))
# run: shifted(random(6), integers(-9, 9, (5, 4, 3), int32).T)
# run: shifted(random(0), integers(-9, 9, (0, 4, 3), int32))
def shifted(x, k):
    forth = np.fft.fftshift(x), np.fft.fftshift(k), np.fft.fftshift(k, axes=1), np.fft.fftshift(k, axes=(0, 2))
    return forth, np.fft.ifftshift(x), np.fft.ifftshift(k), np.fft.ifftshift(k, -1), np.fft.ifftshift(k, (2, 1))


#numptx export rolled(int64[:,:,:], int, int)
# run: rolled(arange(60).reshape(3, 4, 5), 1, -2)
# run: rolled(arange(60).reshape(5, 4, 3).T, 7, 3)
def rolled(x, n, m):
    return np.roll(x, (n, m), axis=(0, 2)), np.roll(x, n, axis=(1, 2)), np.roll(x, (n, m), axis=1), np.roll(x, (n, m, n), (0, 0, 1))


# What is transformed and restored is what it was; in a loop, and between other operations.
#numptx export filtered(float64[:], float, int)
# run: filtered(random(32), 0.2, 3)
# run: filtered(random(33), 0.2, 1)
# run: filtered(random(33), 0.2, 0)
def filtered(x, limit, n):
    for k in range(n):
        spectrum = np.fft.rfft(x)
        spectrum[np.fft.rfftfreq(x.shape[0]) > limit] = 0.0
        x = np.fft.irfft(spectrum, x.shape[0])
    return x, np.abs(np.fft.fft(x)) ** 2


# Nothing is copied that need not be: one array, the library's working memory on a device, and one multiplication where there is a factor.
#numptx export forward(complex128[:])
# run: forward(random(256) + 1j * random(256))
# structure: launches=0 allocs=2 copies=0
def forward(z):
    return np.fft.fft(z)


#numptx export backward(complex128[:])
# run: backward(random(256) + 1j * random(256))
# structure: launches=1 allocs=2 copies=0
def backward(z):
    return np.fft.ifft(z)


#numptx export half(float64[:])
# run: half(random(256))
# structure: launches=0 allocs=2 copies=0
def half(x):
    return np.fft.rfft(x)
