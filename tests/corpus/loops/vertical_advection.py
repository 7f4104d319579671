"""Implicit advection along the vertical: a tridiagonal system a column, swept upwards and then downwards."""

import numpy as np


#numptx export vertical_advection(float64[:,:,:], float64[:,:,:], float64[:,:,:], float)
# run: vertical_advection(random((2, 3, 4)), random((2, 3, 4)), random((3, 3, 4)), 0.15)
# run: vertical_advection(random((5, 7, 11)), random((5, 7, 11)), random((6, 7, 11)), 0.15)
# run: vertical_advection(random((8, 9, 30)), random((8, 9, 30)), random((9, 9, 30)), 0.15)
# large: vertical_advection(random((50, 60, 64)), random((50, 60, 64)), random((51, 60, 64)), 0.15)
def vertical_advection(tendency, u, w, rate):
    ni, nj, nk = u.shape
    c = np.zeros((ni, nj, nk))
    d = np.zeros((ni, nj, nk))
    for i in range(ni):
        for j in range(nj):
            for k in range(nk):
                below = 0.25 * (w[i + 1, j, k] + w[i, j, k]) if k > 0 else 0.0
                above = 0.25 * (w[i + 1, j, k + 1] + w[i, j, k + 1]) if k < nk - 1 else 0.0
                right = rate * u[i, j, k] + tendency[i, j, k]
                diagonal = rate + below - above
                if k > 0:
                    diagonal += below * c[i, j, k - 1]
                    right += below * (d[i, j, k - 1] - u[i, j, k])
                c[i, j, k] = above / diagonal
                d[i, j, k] = right / diagonal
    for i in range(ni):
        for j in range(nj):
            last = d[i, j, nk - 1]
            tendency[i, j, nk - 1] = rate * (last - u[i, j, nk - 1])
            for k in range(nk - 2, -1, -1):
                last = d[i, j, k] - c[i, j, k] * last
                tendency[i, j, k] = rate * (last - u[i, j, k])


#numptx export vertical_advection_planes(float64[:,:,:], float64[:,:,:], float64[:,:,:], float)
# run: vertical_advection_planes(random((2, 3, 4)), random((2, 3, 4)), random((3, 3, 4)), 0.15)
# run: vertical_advection_planes(random((5, 7, 11)), random((5, 7, 11)), random((6, 7, 11)), 0.15)
# run: vertical_advection_planes(random((20, 24, 40)), random((20, 24, 40)), random((21, 24, 40)), 0.15)
# large: vertical_advection_planes(random((120, 130, 140)), random((120, 130, 140)), random((121, 130, 140)), 0.15)
# bench: vertical_advection_planes(random((256, 256, 160)), random((256, 256, 160)), random((257, 256, 160)), 0.15)
def vertical_advection_planes(tendency, u, w, rate):
    nk = u.shape[2]
    c = np.empty_like(u)
    d = np.empty_like(u)
    above = 0.25 * (w[1:, :, 1] + w[:-1, :, 1])
    c[:, :, 0] = above / (rate - above)
    d[:, :, 0] = (rate * u[:, :, 0] + tendency[:, :, 0]) / (rate - above)
    for k in range(1, nk):
        below = 0.25 * (w[1:, :, k] + w[:-1, :, k])
        if k < nk - 1:
            above = 0.25 * (w[1:, :, k + 1] + w[:-1, :, k + 1])
        else:
            above = np.zeros_like(below)
        diagonal = rate + below - above + below * c[:, :, k - 1]
        right = rate * u[:, :, k] + tendency[:, :, k] + below * (d[:, :, k - 1] - u[:, :, k])
        c[:, :, k] = above / diagonal
        d[:, :, k] = right / diagonal
    last = d[:, :, nk - 1]
    tendency[:, :, nk - 1] = rate * (last - u[:, :, nk - 1])
    for k in range(nk - 2, -1, -1):
        last = d[:, :, k] - c[:, :, k] * last
        tendency[:, :, k] = rate * (last - u[:, :, k])
