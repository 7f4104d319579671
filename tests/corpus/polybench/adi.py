"""The heat equation by alternating directions: each half step solves a tridiagonal system a row, then a column, by elimination."""

import numpy as np


#numptx export adi(int, float64[:,:])
# run: adi(2, random((6, 6)))
# run: adi(3, random((13, 13)))
# run: adi(2, random((40, 40)))
# large: adi(2, random((300, 300)))
def adi(steps, u):
    n = u.shape[0]
    v = np.zeros((n, n))
    p = np.zeros((n, n))
    q = np.zeros((n, n))
    rows = n * n / steps
    columns = 2.0 * n * n / steps
    a, b = -columns / 2.0, 1.0 + columns
    d, e = -rows / 2.0, 1.0 + rows
    for _ in range(steps):
        # Columns of u give rows of v.
        for i in range(1, n - 1):
            v[0, i] = 1.0
            p[i, 0] = 0.0
            q[i, 0] = 1.0
            for j in range(1, n - 1):
                pivot = a * p[i, j - 1] + b
                right = -d * u[j, i - 1] + (1.0 + 2.0 * d) * u[j, i] - d * u[j, i + 1]
                p[i, j] = -a / pivot
                q[i, j] = (right - a * q[i, j - 1]) / pivot
            v[n - 1, i] = 1.0
            for j in range(n - 2, 0, -1):
                v[j, i] = p[i, j] * v[j + 1, i] + q[i, j]
        # Rows of v give rows of u.
        for i in range(1, n - 1):
            u[i, 0] = 1.0
            p[i, 0] = 0.0
            q[i, 0] = 1.0
            for j in range(1, n - 1):
                pivot = d * p[i, j - 1] + e
                right = -a * v[i - 1, j] + (1.0 + 2.0 * a) * v[i, j] - a * v[i + 1, j]
                p[i, j] = -d / pivot
                q[i, j] = (right - d * q[i, j - 1]) / pivot
            u[i, n - 1] = 1.0
            for j in range(n - 2, 0, -1):
                u[i, j] = p[i, j] * u[i, j + 1] + q[i, j]


#numptx export adi_lines(int, float64[:,:])
# run: adi_lines(2, random((6, 6)))
# run: adi_lines(3, random((13, 13)))
# run: adi_lines(5, random((40, 40)))
# large: adi_lines(5, random((700, 700)))
# bench: adi_lines(20, random((200, 200)))
def adi_lines(steps, u):
    n = u.shape[0]
    v = np.empty_like(u)
    p = np.empty((n, n))
    q = np.empty((n, n))
    rows = n * n / steps
    columns = 2.0 * n * n / steps
    a, b = -columns / 2.0, 1.0 + columns
    d, e = -rows / 2.0, 1.0 + rows
    for _ in range(steps):
        v[0, 1:-1] = 1.0
        v[n - 1, 1:-1] = 1.0
        p[1:-1, 0] = 0.0
        q[1:-1, 0] = 1.0
        for j in range(1, n - 1):
            pivot = a * p[1:-1, j - 1] + b
            right = -d * u[j, : n - 2] + (1.0 + 2.0 * d) * u[j, 1:-1] - d * u[j, 2:]
            p[1:-1, j] = -a / pivot
            q[1:-1, j] = (right - a * q[1:-1, j - 1]) / pivot
        for j in range(n - 2, 0, -1):
            v[j, 1:-1] = p[1:-1, j] * v[j + 1, 1:-1] + q[1:-1, j]
        u[1:-1, 0] = 1.0
        u[1:-1, n - 1] = 1.0
        p[1:-1, 0] = 0.0
        q[1:-1, 0] = 1.0
        for j in range(1, n - 1):
            pivot = d * p[1:-1, j - 1] + e
            right = -a * v[: n - 2, j] + (1.0 + 2.0 * a) * v[1:-1, j] - a * v[2:, j]
            p[1:-1, j] = -d / pivot
            q[1:-1, j] = (right - d * q[1:-1, j - 1]) / pivot
        for j in range(n - 2, 0, -1):
            u[1:-1, j] = p[1:-1, j] * u[1:-1, j + 1] + q[1:-1, j]
