"""SciPy's names of discrete Fourier transforms."""


def scipy_fft_fft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None):
    return transformed(x, one_length(n), (axis,), norm, None, False)


def scipy_fft_ifft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None):
    return transformed(x, one_length(n), (axis,), norm, None, True)


def scipy_fft_rfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None):
    return half_transformed(x, one_length(n), (axis,), norm, None)


def scipy_fft_irfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None):
    return half_restored(x, one_length(n), (axis,), norm, None)


def scipy_fft_hfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None):
    return numpy_fft_hfft(x, n, axis, norm)


def scipy_fft_ihfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None):
    return numpy_fft_ihfft(x, n, axis, norm)


def scipy_fft_fft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None):
    return transformed(x, s, axes, norm, None, False)


def scipy_fft_ifft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None):
    return transformed(x, s, axes, norm, None, True)


def scipy_fft_rfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None):
    return half_transformed(x, s, axes, norm, None)


def scipy_fft_irfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None):
    return half_restored(x, s, axes, norm, None)


def scipy_fft_fftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None):
    return transformed(x, s, axes, norm, None, False)


def scipy_fft_ifftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None):
    return transformed(x, s, axes, norm, None, True)


def scipy_fft_rfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None):
    return half_transformed(x, s, axes, norm, None)


def scipy_fft_irfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None):
    return half_restored(x, s, axes, norm, None)
