"""Arrays from nothing, and like others."""

import numpy as np

# tolerance: 0


#numptx export by_size(int, int)
# run: by_size(3, 4)
# run: by_size(0, 4)
# run: by_size(1, 0)
# run: by_size(-1, 4)
def by_size(n, m):
    return (
        np.zeros(n),
        np.ones((n, m)),
        np.full((m, n), 7),
        np.full(n, 2.5),
        np.zeros((n, m), dtype=np.int32),
        np.ones(n, dtype=bool),
        np.zeros((n, m), order="F"),
        np.full((n, 2), n),
        np.full(m, True),
        np.zeros(()),
        np.full((), 3.5),
    )


#numptx export empties(int)
# run: empties(3)
# run: empties(0)
def empties(n):
    a = np.empty((n, 2), dtype=np.float32)
    a[:] = n
    b = np.empty_like(a)
    b[...] = a * 2
    return a, b, np.empty(n).shape, np.empty((n, n), dtype=complex).size


#numptx export likes(float32[:,:], int16[:])
# run: likes(random((3, 4), dtype=float32), integers(0, 9, 4, dtype=int16))
# run: likes(random((4, 3), dtype=float32).T, integers(0, 9, 8, dtype=int16)[::-2])
# run: likes(random((6, 8), dtype=float32)[::-2, ::2], integers(0, 9, 0, dtype=int16))
# run: likes(random((8, 6), dtype=float32).T[::2, ::-1], integers(0, 9, 0, dtype=int16))
def likes(x, y):
    return (
        np.zeros_like(x),
        np.ones_like(y),
        np.full_like(x, 3),
        np.full_like(y, 2.9),
        np.zeros_like(x, dtype=np.int64),
        np.full_like(y, 0.5, dtype=float),
        np.ones_like(x[0]),
        np.zeros_like(x + x),
    )


#numptx export aranges(int, int, int)
# run: aranges(2, 9, 3)
# run: aranges(9, 2, -2)
# run: aranges(2, 9, -1)
# run: aranges(0, 0, 1)
# run: aranges(-5, 5, 20)
# run: aranges(1, 5, 0)
def aranges(a, b, s):
    return (
        np.arange(b),
        np.arange(a, b),
        np.arange(a, b, s),
        np.arange(b, dtype=np.float32),
        np.arange(a, b, s, dtype=np.int16),
        np.arange(10),
        np.arange(3, 10, 2),
    )


#numptx export float_aranges(float, float, float)
# run: float_aranges(0.0, 1.0, 0.1)
# run: float_aranges(1.0, 0.0, -0.25)
# run: float_aranges(0.5, 3.7, 0.3)
# run: float_aranges(0.5, 0.1, 0.3)
def float_aranges(a, b, s):
    return np.arange(a, b, s), np.arange(b), np.arange(a, b), np.arange(0, b, s), np.arange(0.0, 5.0)


#numptx export linspaces(float, float, int)
# run: linspaces(0.0, 1.0, 5)
# run: linspaces(0.0, 1.0, 1)
# run: linspaces(0.0, 1.0, 0)
# run: linspaces(3.0, -1.0, 7)
# run: linspaces(0.1, 0.7, 50)
# run: linspaces(1, 2, 3)
# run: linspaces(0.0, 1.0, -2)
def linspaces(a, b, n):
    return (
        np.linspace(a, b, n),
        np.linspace(a, b, n, endpoint=False),
        np.linspace(0, 1),
        np.linspace(a, b, num=n, dtype=np.float32),
        np.linspace(0, 10, n),
    )


#numptx export eyes(int, int, int)
# run: eyes(3, 4, 1)
# run: eyes(3, 2, -1)
# run: eyes(0, 2, 0)
# run: eyes(3, 3, 10)
def eyes(n, m, k):
    return (
        np.eye(n),
        np.eye(n, m),
        np.eye(n, m, k),
        np.eye(n, dtype=int),
        np.identity(n),
        np.eye(n, M=m, k=k, dtype=bool),
    )


#numptx export literals()
# run: literals()
def literals():
    return (
        np.array([1, 2, 3]),
        np.array([1.0, 2]),
        np.array([[1, 2], [3, 4]]),
        np.array([True, False]),
        np.array([1, 2], dtype=np.float32),
        np.array(3),
        np.array([1j, 2]),
    )


#numptx export from_scalars(float, int, float64[:])
# run: from_scalars(1.5, 2, random(3))
def from_scalars(a, n, x):
    return (
        np.array([a, n, 1.0]),
        np.array([n, n + 1]),
        np.array([x[0], x[1]]),
        np.float64(a),
        np.int32(n),
        np.float32(a) * x,
        np.asarray(x),
        np.array(x),
    )


#numptx export copies(float64[:,:])
# run: copies(random((3, 4)))
# run: copies(random((4, 3)).T)
# run: copies(random((6, 8))[::-2, ::2])
# run: copies(random((8, 6)).T[::-2, ::2])
def copies(x):
    return (
        x.copy(),
        np.copy(x),
        x.copy(order="C"),
        x.copy("F"),
        x.copy("K"),
        x.astype(np.float32),
        x.astype(float),
        x.astype(np.int64, order="C"),
        np.array(x),
    )


#numptx export constructed(int)
# run: constructed(3)
# run: constructed(0)
# run: constructed(-1)
def constructed(n):
    x = np.ndarray((n, 2), dtype=np.float32, order="F")
    y = np.ndarray(n + 1)
    z = np.ndarray([2, n], np.int64)
    x[:], y[:], z[:] = 1, 2, 3
    return x, y, z


#numptx export grid(int, int)
# run: grid(3, 4)
# run: grid(1, 1)
# run: grid(0, 3)
def grid(n, m):
    x = np.linspace(-1, 1, n)
    y = np.arange(m) / m
    return x[:, None] ** 2 + y**2, np.zeros((n, m)) + x[:, None], np.sum(np.ones((n, m)) * y)


#numptx export like_others(float32[:,:], int)
# run: like_others(arange(36).astype(float32).reshape(6, 6)[3:4], 4)
# run: like_others(arange(36).astype(float32).reshape(6, 6).T[3:4], 4)
# run: like_others(arange(36).astype(float32).reshape(6, 6)[:, 3:4], 4)
# run: like_others(arange(36).astype(float32).reshape(6, 6).T[:, 3:4], 4)
# run: like_others(arange(36).astype(float32).reshape(6, 6)[::-1, ::2], 4)
# run: like_others(arange(36).astype(float32).reshape(6, 6).T[1:3], 4)
# run: like_others(zeros((0, 6), float32), 2)
def like_others(x, n):
    empty = np.empty_like(x, shape=(n, 6))
    empty[...] = 2
    return empty, np.ones_like(x, shape=(n, 5)), np.zeros_like(x, shape=(3, n)), np.full_like(x, 7, np.float64, shape=(n, 3)), np.full_like(x, x[:1, :1], shape=(n, 2)) if x.size else x
