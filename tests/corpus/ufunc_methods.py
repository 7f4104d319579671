"""`outer` and `reduce` of ufuncs."""

import numpy as np


#numptx export outers(float64[:], float64[:])
# run: outers(random(4), random(3))
# structure: launches=6 allocs=6 copies=0
# run: outers(random(8)[::-2], random(3))
# run: outers(random(0), random(3))
# run: outers(random(1), random(1))
def outers(x, y):
    return (
        np.add.outer(x, y),
        np.multiply.outer(x, y),
        np.subtract.outer(y, x),
        np.maximum.outer(x, y),
        np.less.outer(x, y),
        np.arctan2.outer(x, y),
    )


#numptx export outers_of_matrices(int8[:,:], float32[:])
# run: outers_of_matrices(integers(-9, 9, (2, 3), dtype=int8), random(4, dtype=float32))
# run: outers_of_matrices(integers(-9, 9, (3, 2), dtype=int8).T, random(8, dtype=float32)[::2])
# run: outers_of_matrices(integers(-9, 9, (0, 2), dtype=int8), random(8, dtype=float32)[::2])
def outers_of_matrices(a, x):
    return (
        np.add.outer(a, x),
        np.multiply.outer(a, a.T),
        np.power.outer(x, 2),
        np.add.outer(x, 0.5),
        np.add.outer(a, 5),
        np.subtract.outer(a, x[0]),
        np.add.outer(2.0, 3),
        np.add.outer(a[0, 0], x[1]),
    )


#numptx export outers_stored(float64[:,:], float64[:])
# run: outers_stored(random((3, 3)), random(3))
# structure: allocs=0 copies=0
# run: x = random((3, 3)); outers_stored(x, x[0])
# run: x = random((3, 3)); outers_stored(x, x[:, 1])
def outers_stored(a, x):
    np.multiply.outer(x, x, out=a)
    a += np.add.outer(x, x)
    return a


#numptx export shortest_paths(float64[:,:])
# run: shortest_paths(random((6, 6)))
# run: shortest_paths(random((6, 6)).T)
# run: shortest_paths(random((1, 1)))
# run: shortest_paths(random((0, 0)))
def shortest_paths(path):
    for k in range(path.shape[0]):
        path[:] = np.minimum(path[:], np.add.outer(path[:, k], path[k, :]))
    return path


#numptx export reduced(float64[:,:], int16[:,:], bool[:,:])
# run: reduced(random((3, 4)), integers(-9, 9, (3, 4), dtype=int16), random((3, 4)) < 0.5)
# run: reduced(random((4, 3)).T, integers(-9, 9, (4, 3), dtype=int16).T, random((4, 3)).T < 0.5)
# run: reduced(array([[nan, 1.0], [2.0, -0.0]]), zeros((1, 0), dtype=int16), zeros((1, 0), dtype=bool))
def reduced(x, i, b):
    return (
        np.add.reduce(x),
        np.add.reduce(x, axis=1),
        np.add.reduce(x, axis=None),
        np.add.reduce(i, axis=(0, 1)),
        np.multiply.reduce(i, -1),
        np.maximum.reduce(x),
        np.minimum.reduce(x, axis=1, keepdims=True),
        np.fmax.reduce(x, axis=1),
        np.logical_and.reduce(b),
        np.logical_or.reduce(b, axis=None),
        np.add.reduce(b),
        np.add.reduce(i, dtype=np.float32),
    )


#numptx export reduced_into(float64[:,:], float64[:])
# run: reduced_into(random((3, 3)), random(3))
# run: x = random((3, 3)); reduced_into(x, x[0])
# run: x = random((3, 3)); reduced_into(x, x[:, 0])
def reduced_into(x, out):
    np.add.reduce(x, axis=0, out=out)
    np.maximum.reduce(x, axis=1, out=out)
    return out, x


#numptx export nothing_to_reduce(float64[:,:])
# run: nothing_to_reduce(random((0, 3)))
# run: nothing_to_reduce(random((3, 0)))
# run: nothing_to_reduce(random((3, 2)))
def nothing_to_reduce(x):
    return np.maximum.reduce(x)
