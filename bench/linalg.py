"""Times decompositions and Fourier transforms beside a peer: CuPy (cuSOLVER, cuFFT) on a GPU, NumPy (OpenBLAS, pocketfft) on the CPU, as `products.py` does.

    python bench/linalg.py --device cpu|cuda [--compiled DIR] [--only NAME …] [--json FILE] [--commit COMMIT]

Results are compared where they are unique: of a QR the magnitudes of R, of a singular value decomposition and of eigenvectors the values.
"""

import sys

import numpy as np

from products import Program, main

SOURCE = """
import numpy as np
#numptx export solve(float64[:,:], float64[:,:])
#numptx export solve(float64[:,:,:], float64[:,:,:])
def solve(a, b):
    return np.linalg.solve(a, b)
#numptx export inv(float64[:,:])
def inv(a):
    return np.linalg.inv(a)
#numptx export cholesky(float64[:,:])
def cholesky(a):
    return np.linalg.cholesky(a)
#numptx export qr(float64[:,:])
def qr(a):
    return np.linalg.qr(a)
#numptx export svd(float64[:,:])
def svd(a):
    return np.linalg.svd(a)
#numptx export eigh(float64[:,:])
def eigh(a):
    return np.linalg.eigh(a)
#numptx export fft(complex128[:])
def fft(x):
    return np.fft.fft(x)
#numptx export fft2(complex128[:,:])
def fft2(x):
    return np.fft.fft2(x)
#numptx export rfft(float64[:,:])
def rfft(x):
    return np.fft.rfft(x)
"""
LARGE, SMALL = (2048, 2048), (500, 500)
LINES = {
    "solve": ("solve", "float64", [LARGE, (2048, 16)], [SMALL, (500, 16)]),
    "inv": ("inv", "float64", [LARGE], [SMALL]),
    "cholesky": ("cholesky", "float64", [LARGE], [SMALL]),
    "qr": ("qr", "float64", [LARGE], [SMALL]),
    "svd": ("svd", "float64", [LARGE], [SMALL]),
    "eigh": ("eigh", "float64", [LARGE], [SMALL]),
    "10000 solves of 8²": ("solve", "float64", [(10_000, 8, 8), (10_000, 8, 1)], [(10_000, 8, 8), (10_000, 8, 1)]),
    "fft": ("fft", "complex128", [(1 << 26,)], [(1 << 20,)]),
    "fft2": ("fft2", "complex128", [(8192, 8192)], [(1024, 1024)]),
    "rfft of rows of 60": ("rfft", "float64", [(1_000_000, 60)], [(100_000, 60)]),
}


def values(function, dtype, shapes):
    rng = np.random.default_rng(1)
    arrays = [rng.standard_normal(shape) for shape in shapes]
    if dtype == "complex128":
        return [x + 1j * rng.standard_normal(x.shape) for x in arrays]
    if function in ("solve", "inv"):
        arrays[0] += 3 * np.sqrt(shapes[0][-1]) * np.eye(shapes[0][-1])
    if function == "cholesky":
        arrays[0] = arrays[0] @ arrays[0].T / shapes[0][-1] + np.eye(shapes[0][-1])
    if function == "eigh":
        arrays[0] = arrays[0] + arrays[0].T
    return arrays


def shown(function, result):
    if function == "qr":
        return abs(result[1])
    return result[{"svd": 1, "eigh": 0}[function]] if function in ("svd", "eigh") else result


if __name__ == "__main__":
    sys.exit(main(Program("linalg_and_fft", SOURCE, LINES, values, shown)))
