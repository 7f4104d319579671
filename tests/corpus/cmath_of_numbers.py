"""Functions of `cmath`: their values, their errors, and what they make of infinities and nans."""

import cmath


#numptx export elementary(complex)
# run: elementary(1.5 - 2.5j)
# run: elementary(complex(-0.0, -0.0))
# run: elementary(complex(-2.0, 0.0))
# run: elementary(complex(-2.0, -0.0))
# run: elementary(complex(0.0, 2.0))
# run: elementary(1e-8 + 1e-9j)
# run: elementary(700.0 + 1.0j)
# run: elementary(711.5 + 0.25j)
# run: elementary(-800.0 + 1.0j)
# run: elementary(1000.0 + 1.0j)
# run: elementary(complex(-inf, 1.0))
# run: elementary(complex(inf, 0.0))
# run: elementary(complex(inf, 2.0))
# run: elementary(complex(0.0, inf))
# run: elementary(complex(-inf, inf))
# run: elementary(complex(nan, 1.0))
# run: elementary(complex(inf, nan))
def elementary(z):
    return cmath.exp(z), cmath.sqrt(z), cmath.sinh(z), cmath.cosh(z), cmath.tanh(z)


#numptx export circular(complex)
# run: circular(1.5 - 2.5j)
# run: circular(complex(-0.0, -0.0))
# run: circular(complex(2.0, 1000.0))
# run: circular(complex(inf, 0.0))
# run: circular(complex(1.0, inf))
# run: circular(complex(0.0, inf))
# run: circular(complex(nan, 1.0))
def circular(z):
    return cmath.tan(z), cmath.cos(z), cmath.sin(z)


#numptx export inverse(complex)
# run: inverse(1.5 - 2.5j)
# run: inverse(complex(-0.0, -0.0))
# run: inverse(complex(2.0, 0.0))
# run: inverse(complex(2.0, -0.0))
# run: inverse(complex(0.0, 3.0))
# run: inverse(1e300 - 1e300j)
# run: inverse(complex(inf, -inf))
# run: inverse(complex(nan, 1.0))
def inverse(z):
    return cmath.acos(z), cmath.asin(z), cmath.atan(z), cmath.acosh(z), cmath.asinh(z), cmath.atanh(z)


#numptx export poles(complex)
# run: poles(1j)
# run: poles(-1j)
# run: poles(complex(0.5, 0.5))
def poles(z):
    return cmath.atan(z)


#numptx export poles_of_reals(float)
# run: poles_of_reals(1.0)
# run: poles_of_reals(-1.0)
# run: poles_of_reals(0.5)
def poles_of_reals(x):
    return cmath.atanh(x)


#numptx export logarithms(complex, complex)
# run: logarithms(1.5 - 2.5j, 3.0)
# run: logarithms(complex(-1.0, -0.0), 2j)
# run: logarithms(0j, 2.0)
# run: logarithms(2.0, 0j)
# run: logarithms(2.0, 1.0)
# run: logarithms(complex(-inf, inf), 2.0)
def logarithms(z, base):
    return cmath.log(z), cmath.log10(z), cmath.log(z, base)


#numptx export forms(complex)
# run: forms(-1.5 - 2.5j)
# run: forms(complex(-1.0, -0.0))
# run: forms(complex(1.7e308, 1.7e308))
# run: forms(complex(-inf, inf))
# run: forms(complex(nan, 0.0))
def forms(z):
    return cmath.phase(z), cmath.polar(z), cmath.isfinite(z), cmath.isinf(z), cmath.isnan(z)


#numptx export of_angles(float, float)
# run: of_angles(2.0, 0.75)
# run: of_angles(2.0, 0.0)
# run: of_angles(-2.0, -0.0)
# run: of_angles(inf, 2.0)
# run: of_angles(-inf, 2.0)
# run: of_angles(-inf, -0.0)
# run: of_angles(inf, nan)
# run: of_angles(nan, 0.0)
# run: of_angles(0.0, inf)
# run: of_angles(nan, inf)
# run: of_angles(1.0, inf)
def of_angles(r, phi):
    return cmath.rect(r, phi)


#numptx export near(complex, complex)
# run: near(1.0, complex(1.0, 1e-10))
# run: near(1.0, 1.1)
# run: near(complex(inf, 1.0), complex(inf, 1.0))
# run: near(complex(inf, 1.0), 2.0)
# run: near(complex(nan, 1.0), complex(nan, 1.0))
def near(a, b):
    return cmath.isclose(a, b), cmath.isclose(a, b, abs_tol=0.2), cmath.isclose(a, b, rel_tol=1e-12)


#numptx export constants(int, float32, complex64)
# run: constants(3, float32(-0.5), complex64(1 + 2j))
def constants(n, x, z):
    return cmath.pi, cmath.e, cmath.tau, cmath.inf, cmath.infj, cmath.nanj, cmath.sqrt(n), cmath.sqrt(x), cmath.exp(z), cmath.sqrt(True)


#numptx export roots(complex128[:], float64[:])
# run: roots(array([1 + 1j, -4.0]), array([-2.0, 2.0]))
def roots(z, x):
    total = 0j
    for i in range(len(x)):
        total += cmath.sqrt(z[i]) * cmath.exp(1j * x[i]) + cmath.sqrt(x[i])
    return total
