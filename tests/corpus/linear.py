"""Products of vectors and matrices."""

import numpy as np


#numptx export vectors(float64[:], float64[:])
#numptx export vectors(int32[:], int64[:])
#numptx export vectors(complex128[:], complex64[:])
#numptx export vectors(bool[:], bool[:])
#numptx export vectors(uint8[:], uint8[:])
#numptx export vectors(float32[:], float32[:])
#numptx export vectors(int32[:], float32[:])
# run: vectors(random(5), random(5))
# run: vectors(random(10)[::-2], random(5))
# run: vectors(random(0), random(0))
# run: vectors(random(5), random(4))
# run: vectors(random(1), random(4))
# run: vectors(integers(-9, 9, 5, dtype=int32), integers(-9, 9, 5))
# run: vectors(random(5) + 1j, (random(5) - 1j).astype(complex64))
# run: vectors(random(5) < 0.5, random(5) < 0.5)
# run: vectors(integers(0, 255, 5, dtype=uint8), integers(0, 255, 5, dtype=uint8))
# run: vectors(random(5, dtype=float32), random(5, dtype=float32))
# run: vectors(integers(-9, 9, 5, dtype=int32), random(5, dtype=float32))
def vectors(x, y):
    return np.dot(x, y), x @ y, x.dot(y), np.outer(x, y), np.inner(x, y), np.vdot(x, y)


#numptx export matrices(float64[:,:], float64[:,:])
# run: matrices(random((3, 4)), random((4, 5)))
# run: matrices(random((4, 3)).T, random((5, 4)).T)
# run: matrices(random((6, 8))[::-2, ::2], random((4, 5)))
# run: matrices(random((3, 0)), random((0, 5)))
# run: matrices(random((0, 4)), random((4, 5)))
# run: matrices(random((3, 4)), random((3, 5)))
# run: matrices(random((3, 1)), random((4, 5)))
# run: matrices(random((1, 1)), random((1, 1)))
# run: matrices(random((70, 90)), random((90, 80)))
def matrices(x, y):
    return x @ y, np.dot(x, y), np.matmul(x, y), x.dot(y)


#numptx export matrix_vector(float64[:,:], float64[:])
# run: matrix_vector(random((4, 4)), random(4))
# run: matrix_vector(random((4, 4)).T, random(8)[::-2])
# run: matrix_vector(random((0, 0)), random(0))
# run: matrix_vector(random((3, 4)), random(4))
# run: matrix_vector(random((4, 3)), random(4))
def matrix_vector(x, y):
    return x @ y, y @ x, np.dot(x, y), np.dot(y, x)


#numptx export integers_too(int32[:,:], int64[:,:], bool[:,:])
# run: integers_too(integers(-9, 9, (3, 4), dtype=int32), integers(-9, 9, (4, 5)), random((3, 4)) < 0.5)
def integers_too(x, y, z):
    return x @ y, z @ y, z.T @ z, x.T @ x, z @ x.T


#numptx export stacked(float64[:,:,:], float64[:,:,:], float64[:,:])
# run: stacked(random((2, 3, 4)), random((2, 4, 5)), random((4, 5)))
# run: stacked(random((1, 3, 4)), random((2, 4, 5)), random((4, 5)))
# run: stacked(random((2, 3, 4)), random((1, 4, 5)), random((4, 5)))
# run: stacked(random((4, 3, 2)).T, random((2, 5, 4)).transpose(0, 2, 1), random((5, 4)).T)
# run: stacked(random((2, 3, 4)), random((3, 4, 5)), random((4, 5)))
def stacked(x, y, z):
    return x @ y, x @ z, np.matmul(z.T, y)


#numptx export chain(float64[:,:], float64[:,:])
# run: chain(random((4, 4)), random((4, 4)))
# run: chain(random((4, 4)).T, random((4, 4)))
def chain(x, y):
    return (x + y) @ (x - y).T, (x @ y)[1:] + 1, np.sum((x @ y) ** 2), x @ y @ x


#numptx export into(float64[:,:], float64[:,:])
# run: into(random((4, 4)), random((4, 4)))
# run: x = random((4, 4)); into(x, x)
# run: x = random((4, 4)); into(x, x.T)
def into(x, y):
    x[:] = x @ y
    x += y @ x
    return x
