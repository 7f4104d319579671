"""Complex conjugates: methods of real arrays give the array itself, functions a copy."""

import numpy as np


#numptx export of_real(float64[::])
# run: of_real(arange(4.0))
# structure: launches<=1 allocs<=1
# run: of_real(arange(8.0)[::-2])
# run: of_real(zeros(0))
def of_real(x):
    y = x.conj()
    y[:1] = 5.0
    return x, y, x[1:].conj(), x.conjugate(), np.conj(x), np.conjugate(x)


#numptx export of_others(bool[:,:], int8[:], float32)
# run: of_others(ones((2, 3), bool), arange(3).astype(int8), float32(2))
def of_others(b, i, s):
    return b.conj(), b.T.conjugate(), i.conj(), b[0, 0, ...].conj(), (i + 1).conj(), s.conj()


#numptx export of_complex(complex128[:])
# run: of_complex(array([complex(1, -0.0), complex(nan, inf)]))
def of_complex(z):
    y = z.conj()
    y[:1] = 5.0
    return z, y, z.conjugate(), z.real.conj(), np.conj(z)


#numptx export into(float64[:], float64[:], complex128[:], complex128[:])
# run: into(arange(4.0), zeros(4), arange(4) * 1j, zeros(4, complex128))
# run: into(arange(1.0), zeros(4), ones(1) * 1j, zeros(4, complex128))
# run: x, z = arange(4.0), arange(4) * 1j; into(x, x, z, z)
# run: x, z = arange(5.0), arange(5) * 1j; into(x[1:], x[:-1], z[:-1], z[1:])
# run: into(arange(4.0), zeros(3), arange(4) * 1j, zeros(4, complex128))
def into(x, o, z, w):
    return x.conj(o), z.conj(w), x.conj(None)
