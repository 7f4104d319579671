"""Coordinates of grids, triangles, repeated arrays."""
import numpy as np

#numptx export grids(int, int)
# run: grids(3, 4)
# run: grids(0, 2)
# run: grids(2, 2)
# run: grids(1, 1)
def grids(n, m):
    i, j = np.mgrid[0:n, 0:m]
    k, l = np.mgrid[2:n, -1 : m : 2]
    return i, j, k * l, np.mgrid[0:n], np.mgrid[1:m:1, n:0:-1, 0:2], np.mgrid[:3, 5:1:-2]


#numptx export float_grids(float, int)
# run: float_grids(0.25, 4)
# run: float_grids(-0.5, 1)
def float_grids(h, n):
    x, y = np.mgrid[0:1:0.25, 0:n]
    return x, y, np.mgrid[-1:1:5j, 0:2:3j], np.mgrid[0 : 1 : 0.3], np.mgrid[0:2:h], np.ogrid[0:n, -1:1:5j], np.ogrid[0:3]


#numptx export by_step(int, int)
# run: by_step(5, 2)
# run: by_step(5, -2)
# run: by_step(5, 0)
def by_step(n, s):
    return np.mgrid[0:n:s, 0:2]


#numptx export triangles(float64[:,:], int)
# run: triangles(random((4, 3)), 0)
# run: triangles(random((4, 3)).T, 1)
# run: triangles(random((4, 6))[::-1, ::2], -2)
# run: triangles(random((0, 3)), 0)
# run: triangles(array([[inf, nan], [-0.0, nan]]), 0)
def triangles(x, k):
    return np.triu(x, k), np.tril(x, k), np.triu(x), np.tril(x, k=-1), np.tri(3, 4, k), np.tri(2, dtype=np.int32)


#numptx export stacked_triangles(int32[:,:,:], bool[:])
# run: stacked_triangles(integers(-9, 9, (2, 3, 4), dtype=int32), array([True, False, True]))
# run: stacked_triangles(integers(-9, 9, (2, 3, 4), dtype=int32).transpose(2, 1, 0), array([True, False, True]))
def stacked_triangles(x, m):
    return np.triu(x), np.tril(x, 1), np.triu(m), np.tril(m)


#numptx export diagonals(float64[:], float64[:,:], int)
# run: diagonals(random(3), random((3, 4)), 0)
# run: diagonals(random(3), random((3, 4)), 2)
# run: diagonals(random(3), random((4, 3)), -1)
# run: diagonals(random(0), random((0, 3)), 1)
def diagonals(x, y, k):
    return np.diag(x), np.diag(x, k), np.diag(y), np.diag(y, k)


#numptx export filled(float64[:,:], float)
# run: filled(random((3, 4)), 2.5)
# run: filled(random((3, 4)).T[:3], inf)
# run: filled(random((3, 3))[::-1], 0.0)
def filled(x, v):
    np.fill_diagonal(x, v)


#numptx export repeated(complex64[:,:], int)
# run: repeated(random((2, 3)).astype(complex64), 2)
# run: repeated(random((3, 2)).astype(complex64).T, 3)
# run: repeated(random((3, 4)).astype(complex64)[::-1, ::2], 0)
# run: repeated(random((2, 3)).astype(complex64), -1)
def repeated(x, n):
    return np.repeat(x, n, axis=1), np.repeat(x, n, axis=0), np.repeat(x, n), x.repeat(2), np.repeat(x[:, :, None], n, axis=2)


#numptx export tiled(float64[:,:], int)
# run: tiled(random((2, 3)), 2)
# run: tiled(random((2, 3)).T, 0)
def tiled(x, n):
    return np.tile(x, n), np.tile(x, (n, 2)), np.tile(x, (2, n, 1)), np.tile(x[0], 3)


#numptx export meshes(float64[:], int64[:])
# run: meshes(random(3), arange(4))
# run: meshes(random(3)[::-1], arange(0))
def meshes(x, y):
    a, b = np.meshgrid(x, y)
    c, d, e = np.meshgrid(x, y, x, indexing="ij")
    f, g, h = np.meshgrid(x, y, x)
    return a, b, c, d, e, f, g, h, np.indices((2, 3)), np.indices((len(x), 2), dtype=np.float32)


#numptx export by_ndarray(int)
# run: by_ndarray(4)
def by_ndarray(n):
    x = np.ndarray((n, 2), dtype=np.float32)
    y = np.ndarray(n + 1, dtype=np.float64)
    z = np.ndarray((n, n), dtype=x.dtype)
    x[...] = 1.5
    y[:] = 2.5
    z[:] = -1
    return x, y, z
