"""Broadcasting, of extents that turn out to be 1 only at run time too."""

import numpy as np


#numptx export add(float64[:,:], float64[:,:])
# run: add(random((3, 4)), random((3, 4)))
# run: add(random((3, 1)), random((3, 4)))
# run: add(random((3, 4)), random((3, 1)))
# run: add(random((1, 4)), random((3, 1)))
# run: add(random((3, 1)), random((1, 4)))
# run: add(random((1, 1)), random((3, 4)))
# run: add(random((1, 1)), random((1, 1)))
# run: add(random((4, 3)).T, random((3, 1)))
# run: add(random((4, 3)).T, random((1, 4)))
# run: add(random((4, 3)).T, random((4, 3)).T)
# run: add(random((4, 3)).T, random((3, 4)))
# run: add(random((0, 4)), random((1, 4)))
# run: add(random((0, 4)), random((1, 1)))
# run: add(random((3, 4)), random((4, 3)))
# run: add(random((3, 4)), random((0, 4)))
# run: add(random((3, 4)), random((2, 4)))
# run: add(random((6, 8))[::-2, ::2], random((1, 4)).T.T)
# run: add(random((6, 8))[::2, ::-2], random((6, 8))[::-2, ::2])
def add(x, y):
    return x + y, (x - 1) * (y + 1), np.maximum(x, y).sum(), (x * y).sum(axis=0)


#numptx export ranks(float64[:,:,:], float64[:], float64)
# run: ranks(random((2, 3, 4)), random(4), 2.0)
# run: ranks(random((2, 3, 1)), random(4), 2.0)
# run: ranks(random((2, 3, 4)), random(1), 2.0)
# run: ranks(random((4, 3, 2)).T, random(8)[::-2], 2.0)
# run: ranks(random((2, 4, 3)).transpose(0, 2, 1), random(4), 2.0)
# run: ranks(random((2, 3, 4)), random(3), 2.0)
# run: ranks(random((0, 3, 4)), random(4), 2.0)
def ranks(x, y, a):
    return x * y + a, y - x, x[:, 0] * y, x[..., 0], a / (1 + x)


#numptx export outer(float64[:], float32[:])
# run: outer(random(3), random(4, dtype=float32))
# run: outer(random(1), random(4, dtype=float32))
# run: outer(random(0), random(4, dtype=float32))
# run: outer(random(6)[::-2], random(4, dtype=float32))
def outer(x, y):
    return x[:, None] * y, y[:, None] + x[None], x[:, np.newaxis, None] - y[None, :, None], np.outer(x, y)


#numptx export store(float64[:,:], float64[:,:])
# run: store(random((3, 4)), random((3, 4)))
# run: store(random((3, 4)), random((1, 4)))
# run: store(random((3, 4)), random((3, 1)))
# run: store(random((3, 4)), random((1, 1)))
# run: store(random((4, 3)).T, random((3, 1)))
# run: store(random((1, 4)), random((3, 4)))
# run: store(random((3, 4)), random((3, 3)))
# run: x = random((3, 4)); store(x, x[:1])
# run: x = random((3, 4)); store(x, x[:, 1:2])
# run: x = random((3, 4)); store(x, x[::-1])
def store(x, y):
    x[...] = y
    return x


#numptx export store_rows(float64[:,:], float64[:])
# run: store_rows(random((3, 4)), random(4))
# run: store_rows(random((3, 4)), random(1))
# run: store_rows(random((3, 4)), random(3))
# run: x = random((4, 4)); store_rows(x, x[1])
# run: x = random((4, 4)); store_rows(x, x[:, 2])
# run: store_rows(random((0, 4)), random(4))
def store_rows(x, y):
    x[:] = y
    x[1:] += y * 2
    return x


#numptx export inplace(float64[:,:], float64[:,:])
# run: inplace(random((3, 4)), random((1, 4)))
# run: inplace(random((1, 4)), random((3, 4)))
# run: inplace(random((1, 4)), random((1, 1)))
# run: x = random((3, 4)); inplace(x, x[:1])
# run: x = random((3, 4)); inplace(x, x[1:2, 1:2])
def inplace(x, y):
    x *= y + 1
    return x


#numptx export leading_one(float64[:], float64[:,:])
# run: leading_one(random(4), random((1, 4)))
# run: leading_one(random(4), random((2, 4)))
def leading_one(x, y):
    x[:] = y
    return x


#numptx export three(float64[:,:], float64[:,:], float64[:,:])
# run: three(random((3, 1)), random((1, 4)), random((3, 4)))
# run: three(random((1, 1)), random((1, 4)), random((3, 1)))
# run: three(random((3, 1)), random((1, 1)), random((1, 1)))
# run: three(random((4, 3)).T, random((1, 4)), random((3, 1)))
# run: three(random((1, 3)).T, random((4, 1)).T, random((3, 1)))
# run: three(random((3, 2)), random((1, 4)), random((3, 4)))
def three(x, y, z):
    w = np.where(x > 0.5, y, z)
    return w, np.clip(x, y, y + z), x * y * z, w.max(axis=0)


#numptx export broadcast_to(float64[:], int, int)
# run: broadcast_to(random(4), 3, 4)
# run: broadcast_to(random(1), 3, 4)
# run: broadcast_to(random(4), 3, 5)
# run: broadcast_to(random(4), 0, 4)
# run: broadcast_to(random(4), -1, 4)
def broadcast_to(x, n, m):
    y = np.broadcast_to(x, (n, m))
    return y + 1, y.sum(axis=0)


#numptx export self_broadcast(float64[:,:])
# run: self_broadcast(random((4, 4)))
# run: self_broadcast(random((1, 4)))
# run: self_broadcast(random((4, 1)))
# run: self_broadcast(random((1, 1)))
# run: self_broadcast(random((2, 3)))
def self_broadcast(x):
    return x + x.T


#numptx export fixed(float64[:,3], float64[3])
# run: fixed(random((4, 3)), random(3))
# run: fixed(random((0, 3)), random(3))
# run: fixed(random((1, 3)), random(3))
def fixed(x, y):
    return x + y, x[:, 0] * y[1], x.sum(0) + y
