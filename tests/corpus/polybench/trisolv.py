"""A lower triangular system by forward substitution."""

import numpy as np


#numptx export trisolv(float64[:,:], float64[:])
# run: trisolv(random((4, 4)) + 4 * eye(4), random(4))
# run: trisolv(random((17, 17)) + 17 * eye(17), random(17))
# run: trisolv(random((90, 90)) + 90 * eye(90), random(90))
# run: trisolv(zeros((2, 2)), random(2))
# large: trisolv(random((2400, 2400)) + 2400 * eye(2400), random(2400))
def trisolv(lower, b):
    n = b.size
    x = np.zeros(n)
    for i in range(n):
        x[i] = b[i]
        for j in range(i):
            x[i] -= lower[i, j] * x[j]
        x[i] = x[i] / lower[i, i]
    return x


#numptx export trisolv_dots(float64[:,:], float64[:], float64[:])
# run: trisolv_dots(random((4, 4)) + 4 * eye(4), zeros(4), random(4))
# run: trisolv_dots(random((17, 17)) + 17 * eye(17), zeros(17), random(17))
# run: trisolv_dots(random((200, 200)) + 200 * eye(200), zeros(200), random(200))
# large: trisolv_dots(random((5000, 5000)) + 5000 * eye(5000), zeros(5000), random(5000))
# bench: trisolv_dots(random((2000, 2000)) + 2000 * eye(2000), zeros(2000), random(2000))
def trisolv_dots(lower, x, b):
    for i in range(x.shape[0]):
        x[i] = (b[i] - lower[i, :i] @ x[:i]) / lower[i, i]
