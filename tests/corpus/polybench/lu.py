"""The LU decomposition of a matrix, in place, without pivoting."""

import numpy as np


#numptx export lu(float64[:,:])
# run: lu(random((4, 4)) + 4 * eye(4))
# run: lu(random((15, 15)) + 15 * eye(15))
# structure: launches==1
# run: lu(random((32, 32)) + 32 * eye(32))
# run: lu(zeros((2, 2)))
# large: lu(random((260, 260)) + 260 * eye(260))
def lu(a):
    n = a.shape[0]
    for i in range(n):
        for j in range(i):
            for k in range(j):
                a[i, j] -= a[i, k] * a[k, j]
            a[i, j] /= a[j, j]
        for j in range(i, n):
            for k in range(i):
                a[i, j] -= a[i, k] * a[k, j]


#numptx export lu_right_looking(float64[:,:])
# run: lu_right_looking(random((4, 4)) + 4 * eye(4))
# run: lu_right_looking(random((15, 15)) + 15 * eye(15))
# run: lu_right_looking(random((28, 28)) + 28 * eye(28))
# large: lu_right_looking(random((220, 220)) + 220 * eye(220))
def lu_right_looking(a):
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] = a[i, k] / a[k, k]
            for j in range(k + 1, n):
                a[i, j] = a[i, j] - a[i, k] * a[k, j]
    return a


#numptx export lu_outer(float64[:,:])
# run: lu_outer(random((4, 4)) + 4 * eye(4))
# run: lu_outer(random((15, 15)) + 15 * eye(15))
# run: lu_outer(random((90, 90)) + 90 * eye(90))
# large: lu_outer(random((900, 900)) + 900 * eye(900))
# bench: lu_outer(random((400, 400)) + 400 * eye(400))
def lu_outer(a):
    for k in range(a.shape[0] - 1):
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= a[k + 1 :, k : k + 1] * a[k : k + 1, k + 1 :]


#numptx export lu_dots(float64[:,:])
# run: lu_dots(random((4, 4)) + 4 * eye(4))
# run: lu_dots(random((15, 15)) + 15 * eye(15))
# structure: launches==1
# run: lu_dots(random((40, 40)) + 40 * eye(40))
# large: lu_dots(random((900, 900)) + 900 * eye(900))
def lu_dots(a):
    n = a.shape[0]
    for i in range(n):
        for j in range(i):
            a[i, j] = (a[i, j] - a[i, :j] @ a[:j, j]) / a[j, j]
        for j in range(i, n):
            a[i, j] -= np.dot(a[i, :i], a[:i, j])
