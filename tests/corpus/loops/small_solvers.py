"""Numerical methods as textbooks have them: polynomials, systems of equations, sweeps, rays and roots."""

import math

import numpy as np


#numptx export horner(float64[:], float64[:])
# run: horner(random(9), random(50))
# structure: launches=2 allocs=1 copies=0 syncs=0
# run: horner(random(1), random(5))
# run: horner(random(0), random(5))
# run: horner(random(9), random(0))
def horner(c, x):
    y = np.zeros_like(x)
    for i in range(len(x)):
        for k in range(len(c) - 1, -1, -1):
            y[i] = y[i] * x[i] + c[k]
    return y


#numptx export horner_of_one(float64[:], float)
# run: horner_of_one(random(9), 0.7)
# structure: launches=2 allocs=1 copies=0 syncs=1
# run: horner_of_one(random(0), 0.7)
def horner_of_one(c, x):
    y = 0.0
    for v in c[::-1]:
        y = y * x + v
    return float(y)


#numptx export gauss_seidel(float64[:,:], float64[:], int)
# run: gauss_seidel(random((20, 20)) + 20 * eye(20), random(20), 9)
# run: gauss_seidel(ones((1, 1)), random(1), 2)
# run: gauss_seidel(ones((0, 0)), random(0), 2)
def gauss_seidel(a, b, n):
    x = np.zeros(len(b))
    for _ in range(n):
        for i in range(len(b)):
            s = b[i]
            for j in range(len(b)):
                if j != i:
                    s -= a[i, j] * x[j]
            x[i] = s / a[i, i]
    return x


#numptx export jacobi_sweeps(float64[:,:], float64[:], int)
# run: jacobi_sweeps(random((20, 20)) + 20 * eye(20), random(20), 9)
# structure: launches=3 allocs=2 copies=0 syncs=0
# run: jacobi_sweeps(ones((0, 0)), random(0), 2)
def jacobi_sweeps(a, b, n):
    x = np.zeros(len(b))
    new = np.zeros(len(b))
    for _ in range(n):
        for i in range(len(b)):
            s = 0.0
            for j in range(len(b)):
                if i != j:
                    s += a[i, j] * x[j]
            new[i] = (b[i] - s) / a[i, i]
        for i in range(len(b)):
            x[i] = new[i]
    return x


#numptx export thomas(float64[:], float64[:], float64[:], float64[:])
# run: thomas(random(30), random(30) + 3, random(30), random(30))
# structure: launches=8 allocs=3 copies=0 syncs=0
# run: thomas(random(1), random(1) + 3, random(1), random(1))
# run: thomas(random(0), random(0), random(0), random(0))
def thomas(a, b, c, d):
    n = len(d)
    cp, dp, x = np.zeros(n), np.zeros(n), np.zeros(n)
    cp[0] = c[0] / b[0]
    dp[0] = d[0] / b[0]
    for i in range(1, n):
        m = b[i] - a[i] * cp[i - 1]
        cp[i] = c[i] / m
        dp[i] = (d[i] - a[i] * dp[i - 1]) / m
    x[n - 1] = dp[n - 1]
    for i in range(n - 2, -1, -1):
        x[i] = dp[i] - cp[i] * x[i + 1]
    return x


#numptx export many_thomas(float64[:,:], float64[:,:], float64[:,:], float64[:,:])
# run: many_thomas(random((7, 30)), random((7, 30)) + 3, random((7, 30)), random((7, 30)))
# structure: launches=1 allocs=0 copies=0 syncs=0
# run: many_thomas(random((0, 30)), random((0, 30)), random((0, 30)), random((0, 30)))
def many_thomas(a, b, c, d):
    for s in range(d.shape[0]):
        for i in range(1, d.shape[1]):
            w = a[s, i] / b[s, i - 1]
            b[s, i] -= w * c[s, i - 1]
            d[s, i] -= w * d[s, i - 1]
        d[s, -1] /= b[s, -1]
        for i in range(d.shape[1] - 2, -1, -1):
            d[s, i] = (d[s, i] - c[s, i] * d[s, i + 1]) / b[s, i]
    return d


#numptx export red_black(float64[:,:], int, float)
# run: red_black(random((14, 17)), 5, 1.5)
# run: red_black(random((2, 17)), 5, 1.5)
# run: red_black(random((0, 0)), 5, 1.5)
def red_black(u, n, omega):
    h, w = u.shape
    for _ in range(n):
        for colour in range(2):
            for i in range(1, h - 1):
                for j in range(1 + (i + colour) % 2, w - 1, 2):
                    r = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]) - u[i, j]
                    u[i, j] += omega * r
    return u


#numptx export red_black_by_tests(float64[:,:])
# run: red_black_by_tests(random((14, 17)))
# structure: launches=2 allocs=0 copies=0 syncs=0
# run: red_black_by_tests(random((0, 5)))
def red_black_by_tests(u):
    for colour in (0, 1):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                if (i + j) % 2 == colour:
                    u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
    return u


#numptx export life(uint8[:,:], int)
# run: life((random((15, 18)) < 0.4).astype(uint8), 4)
# structure: launches=8 allocs=2 copies=0 syncs=0
# run: life(ones((1, 1), dtype=uint8), 2)
# run: life(ones((0, 3), dtype=uint8), 2)
def life(cells, n):
    h, w = cells.shape
    for _ in range(n):
        new = np.zeros_like(cells)
        for i in range(h):
            for j in range(w):
                alive = 0
                for di in (-1, 0, 1):
                    for dj in (-1, 0, 1):
                        if di != 0 or dj != 0:
                            alive += cells[(i + di) % h, (j + dj) % w]
                if alive == 3 or (alive == 2 and cells[i, j]):
                    new[i, j] = 1
        cells = new
    return cells


#numptx export cholesky_by_rows(float64[:,:])
# run: a = random((12, 12)); cholesky_by_rows(a @ a.T + eye(12))
# structure: launches=3 allocs=2 copies=0 syncs=1
# run: cholesky_by_rows(ones((1, 1)))
# run: cholesky_by_rows(ones((0, 0)))
# run: cholesky_by_rows(-ones((3, 3)))
def cholesky_by_rows(a):
    n = a.shape[0]
    low = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = a[i, j]
            for k in range(j):
                s -= low[i, k] * low[j, k]
            if i == j:
                if s <= 0.0:
                    raise ValueError("the matrix is not positive definite")
                low[i, i] = math.sqrt(s)
            else:
                low[i, j] = s / low[j, j]
    return low


#numptx export cholesky_by_columns(float64[:,:])
# run: a = random((12, 12)); cholesky_by_columns(a @ a.T + eye(12))
# structure: launches=1 allocs=0 copies=0 syncs=0
# run: cholesky_by_columns(ones((0, 0)))
def cholesky_by_columns(a):
    n = len(a)
    for j in range(n):
        a[j, j] = np.sqrt(a[j, j])
        for i in range(j + 1, n):
            a[i, j] /= a[j, j]
        for k in range(j + 1, n):
            for i in range(k, n):
                a[i, k] -= a[i, j] * a[k, j]
    return a


#numptx export givens(float64[:,:])
# run: givens(random((10, 6)))
# structure: launches=2 allocs=1 copies=0 syncs=1
# run: givens(eye(3))
# run: givens(random((0, 3)))
def givens(r):
    m, n = r.shape
    for j in range(n):
        for i in range(m - 1, j, -1):
            a, b = r[i - 1, j], r[i, j]
            if b == 0.0:
                continue
            length = math.hypot(a, b)
            c, s = a / length, b / length
            for k in range(n):
                upper, lower = r[i - 1, k], r[i, k]
                r[i - 1, k] = c * upper + s * lower
                r[i, k] = c * lower - s * upper
    return r


#numptx export power_iteration(float64[:,:], int)
# run: power_iteration(random((14, 14)), 20)
# structure: launches=4 allocs=4 copies=0 syncs=2
# run: power_iteration(ones((1, 1)), 3)
def power_iteration(a, n):
    v = np.ones(a.shape[0])
    value = 0.0
    for _ in range(n):
        w = np.zeros(a.shape[0])
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                w[i] += a[i, j] * v[j]
        value = 0.0
        for i in range(len(w)):
            value += w[i] * w[i]
        value = math.sqrt(value)
        for i in range(len(w)):
            v[i] = w[i] / value
    return value, v


#numptx export roots(float64[:], float64[:], float64[:])
# run: roots(random(40), zeros(40), 2 * ones(40))
# structure: launches=1 allocs=1 copies=0 syncs=0
# run: roots(random(0), zeros(0), ones(0))
def roots(a, low, high):
    out = np.empty_like(a)
    for i in range(len(a)):
        left, right = low[i], high[i]
        while right - left > 1e-12:
            middle = 0.5 * (left + right)
            if middle * middle < a[i]:
                left = middle
            else:
                right = middle
        out[i] = left
    return out


#numptx export newton(float64[:], int)
# run: newton(random(40), 50)
# structure: launches=3 allocs=2 copies=0 syncs=0
# run: newton(zeros(2), 50)
# run: newton(random(4), 0)
def newton(a, most):
    x = np.ones_like(a)
    steps = np.zeros(len(a), dtype=np.int64)
    for i in range(len(a)):
        for n in range(most):
            new = 0.5 * (x[i] + a[i] / x[i])
            steps[i] = n
            if abs(new - x[i]) < 1e-10:
                break
            x[i] = new
    return x, steps


#numptx export inside(float64[:,:], float64[:,:])
# run: inside(random((5, 2)), random((60, 2)))
# structure: launches=4 allocs=3 copies=0 syncs=1
# run: inside(random((0, 2)), random((6, 2)))
# run: inside(random((5, 2)), random((0, 2)))
def inside(polygon, points):
    found = np.zeros(len(points), dtype=np.bool_)
    for p in range(len(points)):
        x, y = points[p, 0], points[p, 1]
        j = len(polygon) - 1
        for i in range(len(polygon)):
            if (polygon[i, 1] > y) != (polygon[j, 1] > y):
                t = (y - polygon[i, 1]) / (polygon[j, 1] - polygon[i, 1])
                if x < polygon[i, 0] + t * (polygon[j, 0] - polygon[i, 0]):
                    found[p] = not found[p]
            j = i
    return found


# Rays go through a grid until they meet a wall.
#numptx export cast(uint8[:,:], float64[:], float, float)
# run: cast((random((20, 20)) < 0.1).astype(uint8), linspace(0.0, 6.2, 33), 10.3, 9.7)
# structure: launches=4 allocs=3 copies=0 syncs=1
# run: cast(zeros((5, 5), dtype=uint8), linspace(0.0, 6.2, 33), 2.0, 2.0)
# run: cast(zeros((0, 0), dtype=uint8), linspace(0.0, 6.2, 3), 2.0, 2.0)
def cast(walls, angles, x0, y0):
    h, w = walls.shape
    reach = np.zeros(len(angles))
    for r in range(len(angles)):
        dx, dy = math.cos(angles[r]), math.sin(angles[r])
        x, y = x0, y0
        while True:
            x += 0.25 * dx
            y += 0.25 * dy
            i, j = int(y), int(x)
            if x < 0.0 or y < 0.0 or i >= h or j >= w or walls[i, j]:
                break
            reach[r] += 0.25
    return reach


#numptx export runge_kutta(float, float, int)
# run: runge_kutta(1.0, 0.01, 50)
# structure: launches=3 allocs=3 copies=0 syncs=2
# run: runge_kutta(1.0, 0.01, 0)
def runge_kutta(y, h, n):
    path = np.empty(n + 1)
    path[0] = y
    for i in range(n):
        k1 = -2.0 * y
        k2 = -2.0 * (y + 0.5 * h * k1)
        k3 = -2.0 * (y + 0.5 * h * k2)
        k4 = -2.0 * (y + h * k3)
        y += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        path[i + 1] = y
    return path


#numptx export simpson(float64[:], float)
# run: simpson(random(41), 0.1)
# structure: launches=3 allocs=3 copies=0 syncs=2
# run: simpson(random(3), 0.1)
# run: simpson(random(0), 0.1)
def simpson(y, h):
    s = 0.0
    for i in range(1, len(y), 2):
        s += y[i - 1] + 4.0 * y[i] + y[i + 1]
    return float(s * h / 3.0)


#numptx export centroid(float64[:,:], float64[:])
# run: centroid(random((50, 3)), random(50))
# structure: launches=4 allocs=2 copies=0 syncs=1
# run: centroid(random((0, 3)), random(0))
def centroid(x, m):
    c = np.zeros(3)
    total = 0.0
    for i in range(len(m)):
        for d in range(3):
            c[d] += m[i] * x[i, d]
        total += m[i]
    for d in range(3):
        c[d] /= total
    return c
