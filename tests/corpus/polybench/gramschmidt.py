"""The modified Gram-Schmidt process: orthonormal columns and the triangle that gives the matrix back."""

import numpy as np


#numptx export gramschmidt(float64[:,:])
# run: gramschmidt(random((4, 3)))
# run: gramschmidt(random((13, 11)))
# run: gramschmidt(random((40, 25)))
# large: gramschmidt(random((300, 150)))
def gramschmidt(a):
    m, n = a.shape
    q = np.zeros((m, n))
    r = np.zeros((n, n))
    for k in range(n):
        norm = 0.0
        for i in range(m):
            norm += a[i, k] * a[i, k]
        r[k, k] = np.sqrt(norm)
        for i in range(m):
            q[i, k] = a[i, k] / r[k, k]
        for j in range(k + 1, n):
            r[k, j] = 0.0
            for i in range(m):
                r[k, j] += q[i, k] * a[i, j]
            for i in range(m):
                a[i, j] = a[i, j] - q[i, k] * r[k, j]
    return q, r


#numptx export gramschmidt_columns(float64[:,:])
# run: gramschmidt_columns(random((4, 3)))
# run: gramschmidt_columns(random((13, 11)))
# run: gramschmidt_columns(random((80, 50)))
# large: gramschmidt_columns(random((900, 700)) + 30 * eye(900, 700))
# bench: gramschmidt_columns(random((240, 200)))
def gramschmidt_columns(a):
    n = a.shape[1]
    q = np.zeros_like(a)
    r = np.zeros((n, n), dtype=a.dtype)
    for k in range(n):
        r[k, k] = np.sqrt(np.dot(a[:, k], a[:, k]))
        q[:, k] = a[:, k] / r[k, k]
        for j in range(k + 1, n):
            r[k, j] = np.dot(q[:, k], a[:, j])
            a[:, j] -= q[:, k] * r[k, j]
    return q, r
