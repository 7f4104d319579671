"""Functions of `cmath`, by NumPy's functions of complex numbers, with Python's errors: `ValueError` at poles and where an angle is infinite,
`OverflowError` where a finite number has no finite result."""
import numpy as np


def is_finite(z):
    return np.isfinite(z.real) and np.isfinite(z.imag)


def in_range(z, result):
    if is_finite(z) and not is_finite(result):
        raise OverflowError("math range error")
    return result


def refuse_angle(is_wrong):
    if is_wrong:
        raise ValueError("math domain error")


def cmath_acos(z):
    return complex(np.arccos(complex(z)))


def cmath_acosh(z):
    return complex(np.arccosh(complex(z)))


def cmath_asin(z):
    return complex(np.arcsin(complex(z)))


def cmath_asinh(z):
    return complex(np.arcsinh(complex(z)))


def cmath_atan(z):
    z = complex(z)
    refuse_angle(z.real == 0.0 and abs(z.imag) == 1.0)
    return complex(np.arctan(z))


def cmath_atanh(z):
    z = complex(z)
    refuse_angle(z.imag == 0.0 and abs(z.real) == 1.0)
    return complex(np.arctanh(z))


def cmath_cos(z):
    z = complex(z)
    refuse_angle(np.isinf(z.real) and not np.isnan(z.imag))
    return in_range(z, complex(np.cos(z)))


def cmath_cosh(z):
    z = complex(z)
    refuse_angle(np.isinf(z.imag) and not np.isnan(z.real))
    return in_range(z, complex(np.cosh(z)))


def cmath_sin(z):
    z = complex(z)
    refuse_angle(np.isinf(z.real) and not np.isnan(z.imag))
    return in_range(z, complex(np.sin(z)))


def cmath_sinh(z):
    z = complex(z)
    refuse_angle(np.isinf(z.imag) and not np.isnan(z.real))
    return in_range(z, complex(np.sinh(z)))


def cmath_tan(z):
    z = complex(z)
    refuse_angle(np.isinf(z.real) and np.isfinite(z.imag))
    return complex(np.tan(z))


def cmath_tanh(z):
    z = complex(z)
    refuse_angle(np.isinf(z.imag) and np.isfinite(z.real))
    return complex(np.tanh(z))


def cmath_exp(z):
    z = complex(z)
    refuse_angle(np.isinf(z.imag) and (np.isfinite(z.real) or z.real > 0.0))
    return in_range(z, complex(np.exp(z)))


def cmath_sqrt(z):
    return complex(np.sqrt(complex(z)))


def natural_logarithm(z):
    refuse_angle(z.real == 0.0 and z.imag == 0.0)
    return complex(np.log(z))


def cmath_log(z, base=None):
    z = complex(z)
    logarithm = natural_logarithm(z)
    if base is None:
        return logarithm
    divisor = natural_logarithm(complex(base))
    refuse_angle(divisor.real == 0.0 and divisor.imag == 0.0)
    return logarithm / divisor


def cmath_log10(z):
    z = complex(z)
    refuse_angle(z.real == 0.0 and z.imag == 0.0)
    return complex(np.log10(z))


def cmath_phase(z):
    z = complex(z)
    return float(np.arctan2(z.imag, z.real))


def cmath_polar(z):
    z = complex(z)
    magnitude = float(np.hypot(z.real, z.imag))
    if is_finite(z) and np.isinf(magnitude):
        raise OverflowError("math range error")
    return magnitude, float(np.arctan2(z.imag, z.real))


def cmath_rect(r, phi):
    r = float(r)
    phi = float(phi)
    refuse_angle(np.isinf(phi) and r != 0.0 and r == r)
    if np.isfinite(r) and np.isfinite(phi):
        if phi == 0.0:
            return complex(r, r * phi)
        return complex(r * float(np.cos(phi)), r * float(np.sin(phi)))
    if r == 0.0:
        return complex(0.0, 0.0)
    if np.isnan(phi):
        return complex(abs(r), np.nan) if np.isinf(r) else complex(np.nan, np.nan)
    if np.isnan(r):
        return complex(np.nan, 0.0) if phi == 0.0 else complex(np.nan, np.nan)
    if phi == 0.0:
        return complex(r, float(np.copysign(phi, r * float(np.copysign(1.0, phi)))))
    return complex(r * float(np.copysign(1.0, np.cos(phi))), r * float(np.copysign(1.0, np.sin(phi))))


def cmath_isclose(a, b, rel_tol=1e-09, abs_tol=0.0):
    a = complex(a)
    b = complex(b)
    rel_tol = float(rel_tol)
    abs_tol = float(abs_tol)
    if rel_tol < 0.0 or abs_tol < 0.0:
        raise ValueError("tolerances must be non-negative")
    if a == b:
        return True
    if np.isinf(a.real) or np.isinf(a.imag) or np.isinf(b.real) or np.isinf(b.imag):
        return False
    apart = float(np.hypot(a.real - b.real, a.imag - b.imag))
    largest = max(float(np.hypot(a.real, a.imag)), float(np.hypot(b.real, b.imag)))
    return apart <= rel_tol * largest or apart <= abs_tol


def cmath_isfinite(z):
    z = complex(z)
    return bool(is_finite(z))


def cmath_isinf(z):
    z = complex(z)
    return bool(np.isinf(z.real) or np.isinf(z.imag))


def cmath_isnan(z):
    z = complex(z)
    return bool(np.isnan(z.real) or np.isnan(z.imag))
