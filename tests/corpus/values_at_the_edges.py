"""Results of nothing, of infinities and of zeros with a sign, as NumPy has them."""

import numpy as np


#numptx export clipped(float64[:], float32[:])
# run: clipped(array([-0.0, 0.0, -1.0, 2.0, nan]), array([-0.0, 0.0, -1.0, 2.0, nan], dtype=float32))
def clipped(x, y):
    return np.signbit(np.clip(x, 0.0, 1.0)), np.clip(x, 0.0, 1.0), np.signbit(y.clip(-1.0, -0.0)), np.signbit(np.clip(x[0], 0.0, 1.0)), np.clip(x, None, 1.0)


#numptx export bounds_without_a_number(float64[:])
# run: bounds_without_a_number(array([0.5, nan, -inf, inf]))
def bounds_without_a_number(x):
    return np.clip(x, np.nan, 1.0), np.clip(x, 0.0, np.nan), np.clip(x, -np.inf, np.inf), np.clip(x, 2.0, 1.0)


#numptx export norms(float64[:], float64[:,:], int64[:])
# run: norms(arange(0.0), zeros((0, 3)), array([3, -4]))
# run: norms(array([3.0, -4.0]), random((2, 3)), arange(0))
# run: norms(array([3.0, nan]), random((2, 3)), arange(3))
def norms(x, y, k):
    return (
        np.linalg.norm(x, np.inf),
        np.linalg.norm(y, np.inf, axis=0),
        np.linalg.norm(y, np.inf, 1, True),
        np.linalg.norm(k, 1),
        np.linalg.norm(k, np.inf),
        np.linalg.norm(k),
        np.linalg.norm(y, axis=(0, 1)),
    )


#numptx export bins(float64[:], float64[:])
# run: bins(array([0.5, 1.0, 2.5, -1.0, 9.0, nan]), array([0.0, 1.0, 2.0, 3.0]))
# run: bins(array([0.5, 1.0, 2.5, -1.0, 9.0]), array([3.0, 2.0, 1.0, 0.0]))
# run: bins(array([0.5, 1.0, 2.5]), array([1.0, 1.0]))
# run: bins(array([0.5, 1.0, 2.5]), array([1.0, 1.0, 0.0, 0.0]))
# run: bins(array([0.5, 1.0]), array([1.0, 2.0, 0.0]))
# run: bins(array([0.5, 1.0]), array([1.0]))
# run: bins(array([0.5, 1.0]), arange(0.0))
def bins(x, edges):
    return np.digitize(x, edges), np.digitize(x, edges, True), np.digitize(x[0], edges), np.digitize(1.0, edges, right=True)


#numptx export found(float64[:], float64)
# run: found(array([0.0, 1.0, 1.0, 3.0]), 1.0)
# run: found(array([0.0, 1.0, 1.0, 3.0]), nan)
def found(x, v):
    return np.searchsorted(x, v), np.searchsorted(x, v, "right"), np.searchsorted(x, 2), np.searchsorted(x, x[1]), np.searchsorted(x, [0.5, 7.0])


#numptx export interpolated(float64, float32[:], float64[:])
# run: interpolated(0.5, array([0.0, 1.0, 2.5], dtype=float32), array([3.0, 1.0, 2.0]))
# run: interpolated(-1.0, array([0.0, 1.0, 2.5], dtype=float32), array([3.0, 1.0, 2.0]))
# run: interpolated(nan, array([0.0, 1.0, 2.5], dtype=float32), array([3.0, 1.0, 2.0]))
def interpolated(u, x, y):
    return np.interp(u, x, y), np.interp(2, x, y), np.interp(x[:2] / 3, x, y.astype(np.float32)), np.interp(y, x, y, -1.0, 7.0)


#numptx export tensors(float64[:], float64[:,:])
# run: tensors(random(3), random((3, 2)))
def tensors(x, y):
    return np.tensordot(x, x, 1), np.tensordot(y, y), np.tensordot(x, y, 1), np.tensordot(x, x, 0)


#numptx export complex_means(complex128[:], complex64[:])
# run: complex_means(array([complex(inf, 1.0), 2.0, 3.0j]), array([1j, 2.0, 3.0], dtype=complex64))
# run: complex_means(array([complex(1.0, nan), 2.0, 3.0j]), array([complex(nan, inf), 2.0], dtype=complex64))
# run: complex_means(array([complex(1.0, -inf), complex(1.0, inf)]), array([complex(0.0, inf)], dtype=complex64))
def complex_means(z, w):
    return z.mean(), np.mean(w), z[:1].mean(), np.mean(z.reshape(1, -1), axis=0)


#numptx export complex_reciprocals(complex128[:])
# run: complex_reciprocals(array([complex(1.5, inf), complex(inf, 2.5), complex(-inf, 0.0), complex(nan, 1.0), 0.0, 2.0 - 1.0j, complex(inf, inf)]))
def complex_reciprocals(z):
    return z**-1, np.power(z, -1), z[0] ** -1, z[5] ** -1, z ** np.full(z.shape, -1.0), z ** np.int64(-1), np.reciprocal(z)


#numptx export roots(float64[:])
# run: roots(array([4.0, -0.0, -inf, inf, nan, 2.0, -4.0]))
def roots(x):
    return x**0.5, np.power(x, 0.5), np.signbit(np.power(x, 0.5)), np.signbit(x**0.5), x[2] ** 0.5, x**-1, np.power(x, -1.0), x ** np.full(x.shape, 0.5)


#numptx export crossed(float64[:,:], float64[:,:])
# run: crossed(random((3, 4)), random((3, 4)))
# run: crossed(random((4, 4)), random((4, 4)))
def crossed(x, y):
    return np.cross(x, y, 0, 0), np.cross(x, y, axisa=0, axisb=0, axisc=0), np.cross(x, y, axis=0), np.cross(x.T, y.T)
