"""Sparse matrices built entry by entry in three lists, then used as arrays."""

import numpy as np


#numptx export laplacian(int, int)
# run: laplacian(3, 2)
# run: laplacian(1, 1)
# run: laplacian(0, 5)
# run: laplacian(-1, 2)
def laplacian(nx, ny):
    rows, columns, values = [], [], []
    for i in range(nx):
        for j in range(ny):
            k = i * ny + j
            rows.append(k)
            columns.append(k)
            values.append(4.0)
            for di, dj in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                a, b = i + di, j + dj
                if 0 <= a < nx and 0 <= b < ny:
                    rows.append(k)
                    columns.append(a * ny + b)
                    values.append(-1.0)
    return np.array(rows, dtype=np.int64), np.array(columns, dtype=np.int64), np.array(values, dtype=np.float64)


#numptx export nonzeros(float64[:,:])
# run: nonzeros(array([[0.0, 1.5], [-2.0, 0.0]]))
# run: nonzeros(zeros((2, 3)))
# run: nonzeros(array([[nan, 0.0, inf]])[:, ::-1])
def nonzeros(x):
    rows, cols, vals = [], [], []
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] != 0:
                rows.append(i)
                cols.append(j)
                vals.append(x[i, j])
    return rows, cols, vals


#numptx export coo_times_vector(int list, int list, float list, float64[:])
# run: coo_times_vector([0, 1, 1], [1, 0, 1], [2.0, 3.0, -1.0], array([1.0, 10.0]))
# run: coo_times_vector([], [], [], ones(2))
# run: coo_times_vector([0, 0], [0, 0], [1.0, 1.0], array([5.0]))
# run: coo_times_vector([0], [3], [1.0], ones(2))
def coo_times_vector(rows, columns, values, x):
    y = np.zeros(len(x))
    for i, j, v in zip(rows, columns, values):
        y[i] += v * x[j]
    return y
