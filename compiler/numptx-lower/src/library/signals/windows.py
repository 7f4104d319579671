"""Windows of spectra, and the modified Bessel function that Kaiser's is made of. Source of the windows: NumPy's pages."""
import numpy as np


def places_in_window(M):
    """Distances from the middle, twice as large, of so many places; and the largest of them."""
    n = float(M)
    k = np.arange(1.0 - n, n if n >= 1.0 else 1.0 - n, 2.0)
    return k, n - 1.0 if n != 1.0 else 1.0


def numpy_hanning(M):
    k, largest = places_in_window(M)
    return 0.5 + 0.5 * np.cos(np.pi * k / largest)


def numpy_hamming(M):
    k, largest = places_in_window(M)
    return 0.54 + 0.46 * np.cos(np.pi * k / largest)


def numpy_blackman(M):
    k, largest = places_in_window(M)
    return 0.42 + 0.5 * np.cos(np.pi * k / largest) + 0.08 * np.cos(2.0 * np.pi * k / largest)


def numpy_bartlett(M):
    k, largest = places_in_window(M)
    return np.where(k <= 0, 1 + k / largest, 1 - k / largest)


def numpy_kaiser(M, beta):
    n = float(M)
    half = (n - 1.0) / 2.0
    k = np.arange(0.0, n)
    ratio = (k - half) / half if n != 1.0 else k
    return bessel_i0(float(beta) * np.sqrt(1 - ratio ** 2.0)) / bessel_i0(np.full(1, float(beta)))


def numpy_i0(x):
    if x.dtype == np.float32:
        return np.asarray(bessel_i0(x.astype(np.float64)).astype(np.float32))
    return np.asarray(bessel_i0(x.astype(np.float64)))


def bessel_i0(x):
    """Series of exp(-|x|) I0(x) in Chebyshev polynomials of x / 4 - 1 up to 8, and of exp(-|x|) sqrt(x) I0(x) in those of 16 / x - 1 beyond, put in powers of
    these. Source: Clenshaw, «Chebyshev series for mathematical functions» (1962); the numbers were computed in 60 digits."""
    x = np.abs(x)
    t = x / 4.0 - 1.0
    u = 16.0 / x - 1.0
    near = np.zeros_like(x)
    for c in (
        -1.1852342482684723e-09, 4.470516727511741e-09, -7.723094556846333e-09, 2.6265363151970112e-08, -1.1384114641747256e-07, 3.675842926555429e-07,
        -1.0883393970072518e-06, 3.2293390826404927e-06, -9.251680584432654e-06, 2.520232727107692e-05, -6.550861389620851e-05, 0.00016240542162878106,
        -0.00038290209550065975, 0.0008563152748272306, -0.001811886793937724, 0.003617126448897043, -0.0067923998730731695, 0.011960077907026221,
        -0.01968265469059234, 0.030177912022978357, -0.04298594945479612, 0.05677703201991695, -0.06954119561719381, 0.07927522590716347,
        -0.08496338091616305, 0.08734341617552313, -0.08904344136075962, 0.09451562853995103, -0.11300432688620549, 0.2070019212239867,
    ):
        near = near * t + c
    far = np.zeros_like(x)
    for c in (
        -6.067631570603006e-11, -2.0260604287413626e-11, 4.577087631643623e-10, 1.5279202694981569e-10, -1.618980683624682e-09, -5.715843864202709e-10,
        3.6379546359011143e-09, 1.5200816953924232e-09, -5.95356943826489e-09, -3.505966530879332e-09, 7.430464650325426e-09, 7.552583062123384e-09,
        -5.404771567579958e-09, -1.340891754008974e-08, -6.747657956107524e-09, 7.554691881248808e-09, 2.1548377974791598e-08, 3.932584334552952e-08,
        8.872219737904054e-08, 2.9735985885673923e-07, 1.4838475658279249e-06, 1.1143033790932038e-05, 0.0001362160743919305, 0.0033605519836678614,
        0.4021765094450081,
    ):
        far = far * u + c
    return np.exp(x) * np.where(x <= 8.0, near, far / np.sqrt(x))
