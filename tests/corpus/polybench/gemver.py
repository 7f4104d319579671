"""A matrix with two products of vectors added to it, and two products of it with vectors."""

import numpy as np


#numptx export gemver(float, float, float64[:,:], float64[:], float64[:], float64[:], float64[:], float64[:], float64[:])
# run: n = 4; gemver(1.5, 1.2, random((n, n)), random(n), random(n), random(n), random(n), random(n), random(n))
# run: n = 13; gemver(1.5, 1.2, random((n, n)), random(n), random(n), random(n), random(n), random(n), random(n))
# run: n = 60; gemver(1.5, -1.2, random((n, n)), random(n), random(n), random(n), random(n), random(n), random(n))
# large: n = 1200; gemver(1.5, 1.2, random((n, n)), random(n), random(n), random(n), random(n), random(n), random(n))
def gemver(alpha, beta, a, u1, v1, u2, v2, y, z):
    n = a.shape[0]
    x = np.zeros(n)
    w = np.zeros(n)
    for i in range(n):
        for j in range(n):
            a[i, j] = a[i, j] + u1[i] * v1[j] + u2[i] * v2[j]
    for i in range(n):
        for j in range(n):
            x[i] = x[i] + beta * a[j, i] * y[j]
    for i in range(n):
        x[i] = x[i] + z[i]
    for i in range(n):
        for j in range(n):
            w[i] = w[i] + alpha * a[i, j] * x[j]
    return x, w


#numptx export gemver_products(float, float, float64[:,:], float64[:], float64[:], float64[:], float64[:], float64[:], float64[:])
# run: n = 4; gemver_products(1.5, 1.2, random((n, n)), random(n), random(n), random(n), random(n), random(n), random(n))
# run: n = 13; gemver_products(1.5, 1.2, random((n, n)), random(n), random(n), random(n), random(n), random(n), random(n))
# run: n = 120; gemver_products(1.5, 0, random((n, n)), random(n), random(n), random(n), random(n), random(n), random(n))
# large: n = 3000; gemver_products(1.5, 1.2, random((n, n)), random(n), random(n), random(n), random(n), random(n), random(n))
def gemver_products(alpha, beta, a, u1, v1, u2, v2, y, z):
    a += np.outer(u1, v1) + np.outer(u2, v2)
    x = beta * y @ a + z
    return x, alpha * a @ x
