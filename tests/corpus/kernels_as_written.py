"""Kernels as people write them."""

import math

import numpy as np
from numpy import cos, exp, sin, sqrt


# pythran export matmul_loops(float64[:,:], float64[:,:])
# run: matmul_loops(random((3, 4)), random((4, 5)))
def matmul_loops(a, b):
    n, m = a.shape
    p = b.shape[1]
    c = np.zeros((n, p))
    for i in range(n):
        for j in range(p):
            for k in range(m):
                c[i, j] += a[i, k] * b[k, j]
    return c


# pythran export rosen(float64[])
# run: rosen(random(10))
def rosen(x):
    t0 = 100 * (x[1:] - x[:-1] ** 2) ** 2
    t1 = (1 - x[:-1]) ** 2
    return np.sum(t0 + t1)


# pythran export laplacien(float64[][])
# run: laplacien(random((6, 7)))
def laplacien(image):
    out = np.abs(4 * image[1:-1, 1:-1] - image[0:-2, 1:-1] - image[2:, 1:-1] - image[1:-1, 0:-2] - image[1:-1, 2:])
    valmax = np.max(out)
    valmax = max(1.0, valmax) + 1.0e-9
    out /= valmax
    return out


# pythran export pairwise(float64[][])
# run: pairwise(random((5, 3)))
def pairwise(X):
    M = X.shape[0]
    N = X.shape[1]
    D = np.empty((M, M), dtype=float)
    for i in range(M):
        for j in range(M):
            d = 0.0
            for k in range(N):
                tmp = X[i, k] - X[j, k]
                d += tmp * tmp
            D[i, j] = np.sqrt(d)
    return D


# pythran export pairwise_broadcast(float64[:,:])
# run: pairwise_broadcast(random((5, 3)))
def pairwise_broadcast(X):
    return np.sqrt(((X[:, np.newaxis, :] - X[np.newaxis, :, :]) ** 2).sum(axis=-1))


# pythran export diffusion_step(float64[:,:], float64, float64)
# run: diffusion_step(random((6, 7)), 0.1, 0.5)
def diffusion_step(u, dt, d):
    lap = np.zeros_like(u)
    lap[1:-1, 1:-1] = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4.0 * u[1:-1, 1:-1]
    u += dt * d * lap
    return u


# pythran export gray_scott(int, float64, float64, float64, float64)
# run: gray_scott(5, 0.16, 0.08, 0.06, 0.062)
def gray_scott(counts, Du, Dv, F, k):
    n = 20
    U = np.ones((n + 2, n + 2), dtype=np.float64)
    V = np.zeros((n + 2, n + 2), dtype=np.float64)
    u, v = U[1:-1, 1:-1], V[1:-1, 1:-1]
    r = 4
    U[n // 2 - r : n // 2 + r, n // 2 - r : n // 2 + r] = 0.50
    V[n // 2 - r : n // 2 + r, n // 2 - r : n // 2 + r] = 0.25
    for _ in range(counts):
        Lu = U[0:-2, 1:-1] + U[1:-1, 0:-2] - 4 * U[1:-1, 1:-1] + U[1:-1, 2:] + U[2:, 1:-1]
        Lv = V[0:-2, 1:-1] + V[1:-1, 0:-2] - 4 * V[1:-1, 1:-1] + V[1:-1, 2:] + V[2:, 1:-1]
        uvv = u * v * v
        u += Du * Lu - uvv + F * (1 - u)
        v += Dv * Lv + uvv - (F + k) * v
    return V


#numptx export monte_carlo_like(int)
# run: monte_carlo_like(100)
def monte_carlo_like(n):
    x = (np.arange(n) * 0.754877666) % 1
    y = (np.arange(n) * 0.569840296) % 1
    inside = np.sum(x**2 + y**2 <= 1)
    return 4 * inside / n


#numptx export logistic(float64[:,:], float64[:], float64[:], int, float)
# run: logistic(random((20, 3)), random(20), zeros(3), 5, 0.1)
def logistic(X, y, w, steps, rate):
    for _ in range(steps):
        p = 1 / (1 + np.exp(-X @ w))
        w = w - rate * X.T @ (p - y) / len(y)
    return w


#numptx export normalise(float32[:,:])
# run: normalise(random((4, 5), dtype=float32))
def normalise(x):
    mean = x.mean(axis=0)
    std = x.std(axis=0)
    return (x - mean) / (std + 1e-5)


#numptx export layer_norm(float32[:,:,:], float32[:], float32[:])
# run: layer_norm(random((2, 3, 8), dtype=float32), random(8, dtype=float32), random(8, dtype=float32))
# tolerance: 1e-5
def layer_norm(x, gamma, beta, eps=1e-5):
    mu = np.mean(x, axis=-1, keepdims=True)
    var = np.var(x, axis=-1, keepdims=True)
    return gamma * (x - mu) / np.sqrt(var + eps) + beta


#numptx export trapezoid(float64[:], float)
# run: trapezoid(random(9), 0.1)
def trapezoid(y, dx):
    return dx * (0.5 * (y[0] + y[-1]) + y[1:-1].sum())


#numptx export rotate(float64[:,:], float)
# run: rotate(random((4, 2)), 0.3)
def rotate(points, angle):
    c, s = np.cos(angle), np.sin(angle)
    R = np.array([[c, -s], [s, c]])
    return points @ R.T


#numptx export conway(uint8[:,:])
# run: conway(integers(0, 2, (8, 8), dtype=uint8))
def conway(Z):
    N = (
        Z[0:-2, 0:-2]
        + Z[0:-2, 1:-1]
        + Z[0:-2, 2:]
        + Z[1:-1, 0:-2]
        + Z[1:-1, 2:]
        + Z[2:, 0:-2]
        + Z[2:, 1:-1]
        + Z[2:, 2:]
    )
    birth = (N == 3) & (Z[1:-1, 1:-1] == 0)
    survive = ((N == 2) | (N == 3)) & (Z[1:-1, 1:-1] == 1)
    Z[...] = 0
    Z[1:-1, 1:-1][birth | survive] = 1
    return Z


#numptx export julia(int, int, complex)
# run: julia(8, 10, -0.8 + 0.156j)
def julia(n, limit, c):
    y, x = np.arange(n) / n - 0.5, np.arange(n) / n - 0.5
    z = 3 * (x[None, :] + 1j * y[:, None])
    counts = np.zeros(z.shape, dtype=np.int32)
    for i in range(limit):
        alive = np.abs(z) <= 2
        z = np.where(alive, z**2 + c, z)
        counts[alive] = i
    return counts


#numptx export sieve(int)
# run: sieve(50)
def sieve(n):
    is_prime = np.ones(n + 1, dtype=bool)
    is_prime[:2] = False
    i = 2
    while i * i <= n:
        if is_prime[i]:
            is_prime[i * i :: i] = False
        i += 1
    return is_prime


#numptx export bilinear(float64[:,:], float64[:], float64[:])
# run: bilinear(random((6, 7)), random(5) * 4, random(5) * 5)
def bilinear(image, ys, xs):
    out = np.empty_like(ys)
    for k in range(ys.size):
        y0 = int(math.floor(ys[k]))
        x0 = int(np.floor(xs[k]))
        fy, fx = ys[k] - y0, xs[k] - x0
        out[k] = (
            image[y0, x0] * (1 - fy) * (1 - fx)
            + image[y0 + 1, x0] * fy * (1 - fx)
            + image[y0, x0 + 1] * (1 - fy) * fx
            + image[y0 + 1, x0 + 1] * fy * fx
        )
    return out


#numptx export imported_names(float64[:])
# run: imported_names(random(5))
def imported_names(x):
    return sin(x) ** 2 + cos(x) ** 2 + sqrt(exp(-x))


#numptx export moving_average(float64[:], int)
# run: moving_average(random(20), 4)
def moving_average(x, w):
    out = np.zeros(x.size - w + 1)
    for i in range(w):
        out += x[i : x.size - w + 1 + i]
    return out / w


#numptx export power_iteration(float64[:,:], int)
# run: power_iteration(random((5, 5)), 10)
def power_iteration(A, n):
    b = np.ones(A.shape[1])
    for _ in range(n):
        b = A @ b
        b /= np.sqrt(np.sum(b * b))
    return b @ A @ b, b


#numptx export gauss_seidel(float64[:,:], float64[:], int)
# run: gauss_seidel(random((5, 5)) + 5 * eye(5), random(5), 4)
def gauss_seidel(A, b, n):
    x = np.zeros_like(b)
    for _ in range(n):
        for i in range(A.shape[0]):
            s = np.dot(A[i, :i], x[:i]) + np.dot(A[i, i + 1 :], x[i + 1 :])
            x[i] = (b[i] - s) / A[i, i]
    return x


#numptx export docstring_and_types(float64[:], int)
# run: docstring_and_types(random(4), 2)
def docstring_and_types(x: np.ndarray, n: int) -> np.ndarray:
    """Says what it does."""
    y: float = 2.0
    pass
    return x * y + n


#numptx export in_place_functions(float64[:], float64[:])
# run: in_place_functions(random(4), random(4))
def in_place_functions(x, y):
    np.add(x, y, out=x)
    np.sqrt(x, out=y)
    np.multiply(x, 2, x)
    return x, y


#numptx export zipped(float64[:], float64[:])
# run: zipped(random(6), random(6))
def zipped(x, y):
    total = 0.0
    for a, b in zip(x, y):
        total += a * b
    return total


#numptx export chained(float64[:])
# run: chained(random(6))
def chained(x):
    a = b = x + 1
    a += 1
    return a, b


#numptx export tuple_swap(int, int)
# run: tuple_swap(12, 18)
def tuple_swap(a, b):
    while b:
        a, b = b, a % b
    return a


#numptx export in_tuple(int)
# run: in_tuple(2)
def in_tuple(n):
    return n in (1, 2, 3), n not in (2,), None is None
