"""Loops whose points make small arrays for themselves, and windows of other arrays."""

import numpy as np


#numptx export small_products(float64[:,:,:], float64[:,:,:], float64[:,:,:])
# run: small_products(random((9, 3, 4)), random((9, 4, 2)), zeros((9, 2, 2)))
# structure: launches==1 allocs==2
# run: small_products(random((0, 3, 4)), random((0, 4, 2)), zeros((0, 2, 2)))
# run: small_products(random((1, 1, 1)), random((1, 1, 1)), zeros((1, 1, 1)))
# run: small_products(random((9, 3, 0)), random((9, 0, 2)), zeros((9, 2, 2)))
# run: small_products(random((9, 3, 4))[::-1], random((18, 4, 2))[::-2], zeros((9, 2, 2))[:, ::-1])
# run: z = zeros((9, 2, 2)); small_products(random((9, 3, 2)), z, z)
# run: small_products(random((9, 3, 4)), random((8, 4, 2)), zeros((9, 2, 2)))
# run: small_products(random((9, 3, 4)), random((9, 5, 2)), zeros((9, 2, 2)))
# tolerance: 1e-13
def small_products(x, y, z):
    for i in range(x.shape[0]):
        product = x[i] @ y[i]
        z[i] = product.T @ np.sin(product)


#numptx export sums_of_products(int32[:,:], float64[:,:,:], float64[:,:,:,:], float64[:,:,:])
# run: sums_of_products(integers(0, 5, (6, 3), int32), random((5, 2, 2)), random((6, 3, 2, 2)), zeros((6, 2, 2)))
# structure: launches==5 syncs=2
# run: sums_of_products(integers(-5, 5, (6, 3), int32), random((5, 2, 2)), random((6, 3, 2, 2)), zeros((6, 2, 2)))
# run: sums_of_products(integers(0, 6, (6, 3), int32), random((5, 2, 2)), random((6, 3, 2, 2)), zeros((6, 2, 2)))
# run: sums_of_products(integers(0, 5, (0, 3), int32), random((5, 2, 2)), random((6, 3, 2, 2)), zeros((6, 2, 2)))
# run: sums_of_products(integers(0, 5, (6, 0), int32), random((5, 2, 2)), random((6, 3, 2, 2)), zeros((6, 2, 2)))
# run: x = random((6, 2, 2)); sums_of_products(integers(0, 6, (6, 3), int32), x, random((6, 3, 2, 2)), x)
# tolerance: 1e-13
def sums_of_products(neighbours, x, weights, y):
    for q in range(2):
        for i in range(neighbours.shape[0]):
            for k in range(neighbours.shape[1]):
                if k != q:
                    moved = x[neighbours[i, k]] @ weights[i, k]
                    y[i] += moved @ (weights[i, q] * 0.5)


#numptx export turned_rows(float64[:,:], float64[:,:])
# run: turned_rows(random((40, 5)), zeros((40, 5)))
# structure: launches==1 allocs==0
# run: turned_rows(random((2, 5)), zeros((2, 5)))
# run: turned_rows(random((40, 5)), zeros((40, 5))[::-1])
# run: x = random((41, 5)); turned_rows(x[1:], x[:-1])
def turned_rows(x, y):
    for i in range(x.shape[0]):
        row = np.sqrt(x[i]) + 1.0
        y[i] = row[::-1] * row


#numptx export kept_from_before(float64[:,:], float64[:,:])
# run: kept_from_before(random((7, 5)), zeros((7, 5)))
# run: kept_from_before(random((0, 5)), zeros((0, 5)))
def kept_from_before(x, y):
    row = np.zeros(x.shape[1])
    for i in range(x.shape[0]):
        y[i] = row[::-1]
        row = x[i] + 1.0
    y[0:1] += row


#numptx export convolved(float32[:,:,:,:], float32[:,:,:,:])
# run: convolved(random((2, 9, 8, 3), float32), random((3, 3, 3, 4), float32))
# structure: launches==1 allocs==1
# run: convolved(random((2, 3, 3, 3), float32), random((3, 3, 3, 4), float32))
# run: convolved(random((2, 2, 3, 3), float32), random((3, 3, 3, 4), float32))
# run: convolved(random((2, 9, 8, 1), float32), random((3, 3, 1, 4), float32))
# run: convolved(random((2, 9, 8, 1), float32), random((3, 3, 3, 4), float32))
# run: convolved(random((2, 9, 8, 3), float32), random((3, 2, 3, 4), float32))
# run: convolved(random((0, 9, 8, 3), float32), random((3, 3, 3, 4), float32))
# tolerance: 1e-5
def convolved(image, weights):
    size = weights.shape[0]
    n, m = image.shape[1] - size + 1, image.shape[2] - size + 1
    output = np.empty((image.shape[0], max(n, 0), max(m, 0), weights.shape[3]), dtype=np.float32)
    for i in range(n):
        for j in range(m):
            output[:, i, j, :] = np.sum(image[:, i : i + size, j : j + size, :, np.newaxis] * weights[np.newaxis, :, :, :], axis=(1, 2, 3))
    return output


#numptx export convolved_in_double(float64[:,:,:], float32[:,:])
# run: convolved_in_double(random((9, 8, 3)), random((3, 4), float32))
# structure: launches==1 allocs<=3
# run: convolved_in_double(random((3, 3, 3)), random((3, 4), float32))
# run: convolved_in_double(random((3, 0, 3)), random((3, 4), float32))
# tolerance: 1e-5
def convolved_in_double(image, weights):
    output = np.empty((image.shape[0], image.shape[1], weights.shape[1]), dtype=np.float32)
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            output[i, j, :] = np.sum(image[i, j, :, np.newaxis] * weights, axis=0)
    return output


#numptx export blocks_of_rows(float64[:], int)
# run: blocks_of_rows(random(12), 4)
# run: blocks_of_rows(random(13), 4)
# run: blocks_of_rows(random(3), 4)
# run: blocks_of_rows(random(0), 4)
def blocks_of_rows(x, size):
    for i in range(0, x.shape[0], size):
        end = min(i + size, x.shape[0])
        x[i:end] = x[i:end] * 2.0 + x[i]
