"""Ranges, and lists of run-time length, where NumPy makes arrays of them."""

import numpy as np


#numptx export arrays(int)
# run: arrays(4)
# run: arrays(1)
def arrays(n):
    return np.array(range(n)), np.asarray(range(n, -n, -2)), np.array(range(5)), np.array([range(n), range(n)])


#numptx export of_a_dtype(int)
# run: of_a_dtype(4)
# run: of_a_dtype(0)
# run: of_a_dtype(128)
# run: of_a_dtype(129)
def of_a_dtype(n):
    a = np.array(range(n), dtype=np.int8)
    return a, np.array(range(n), dtype=float), np.asarray(list(range(n)), dtype=np.float32), np.array(range(n), np.complex64)


#numptx export empty(int)
# run: empty(3)
# run: empty(0)
def empty(n):
    return np.array(range(0)), np.zeros(n)[range(0)], np.arange(n)[[k for k in range(n) if k > 1]]


#numptx export functions(float64[:], int)
# run: functions(array([3.0, 1.0, 2.0, 5.0]), 3)
# run: functions(array([3.0, 1.0, 2.0, 5.0]), 4)
def functions(x, n):
    a = np.take(x, range(n)), x.take(range(n)), np.delete(x, range(n)), np.isin(x, range(n))
    b = np.interp(range(n), [0.0, 4.0], [1.0, 2.0]), np.exp(range(n)), np.concatenate([range(n), x])
    return a, b, np.sum(range(n)), np.mean(range(n)), np.median(range(n)), np.max(range(n)), np.take(x, indices=range(n))


#numptx export fitted(float64[:])
# run: fitted(array([3.0, 1.0, 2.0, 5.0]))
# tolerance: 1e-12
def fitted(x):
    return np.polyfit(range(len(x)), x, 1), np.corrcoef(range(len(x)), x)


#numptx export sums_of_a_dtype(int)
# run: sums_of_a_dtype(300)
def sums_of_a_dtype(n):
    return np.sum(range(n), dtype=np.int16), np.cumsum(range(n), dtype=np.uint8)


#numptx export indices(float64[:], int, int)
# run: indices(arange(6.0), 1, 4)
# run: indices(arange(6.0), 4, 1)
# run: indices(arange(6.0), 2, 7)
# run: indices(arange(6.0), -7, 2)
def indices(x, a, b):
    return x[range(a, b)], x[range(b, a, -1)], x[list(range(a, b))], x[[k - 1 for k in range(a, b)]]


#numptx export masks(float64[:])
# run: masks(array([1.0, -2.0, 3.0]))
def masks(x):
    return x[[v > 0 for v in x]], x[[k % 2 == 0 for k in range(len(x))]]


#numptx export of_matrices(float64[:,:], int)
# run: of_matrices(arange(12.0).reshape(3, 4), 3)
# run: of_matrices(arange(12.0).reshape(3, 4), 2)
def of_matrices(x, n):
    return x[range(n)], x[:, range(n)], x[range(n), range(n)], x[range(n), 1], x[np.ix_(range(n), range(n))]


#numptx export written(float64[:], int8[:], int)
# run: written(zeros(6), zeros(6, dtype=int8), 4)
# run: written(zeros(6), zeros(6, dtype=int8), 6)
# run: written(zeros(130), zeros(130, dtype=int8), 127)
def written(x, y, n):
    x[range(n)] = 7.0
    x[range(0, n, 2)] += 1.0
    x[1:n] = range(n - 1)
    y[:n] = range(n)
    y[[k for k in range(n)]] = [k + 1 for k in range(n)]
    return x, y


#numptx export beside_arrays(float64[:], int)
# run: beside_arrays(array([1.0, 2.0, 3.0]), 3)
# run: beside_arrays(array([1.0, 2.0, 3.0]), 2)
def beside_arrays(x, n):
    x += range(len(x))
    a = x[:n] + range(n), range(n) * x[:n], x[:n] == range(n), range(n) < x[:n], np.float32(2) + range(n)
    return a, x - [2.0 * v for v in x], [v for v in x] @ x


#numptx export parts(int, int, int, int)
# run: parts(10, 2, 9, 3)
# run: parts(10, -3, 100, 1)
# run: parts(10, 9, 2, -2)
# run: parts(10, 2, 9, 0)
def parts(n, a, b, s):
    r = range(1, n, 2)
    q = r[a:b:s]
    return len(q), list(q), r[1], r[-1], [k for k in r[::-1]], np.array([r[2:], r[1:-1]])


#numptx export of_other_places(float64[:,:], int)
# run: of_other_places(arange(12.0).reshape(3, 4), 3)
# run: of_other_places(arange(12.0).reshape(3, 4), 4)
def of_other_places(x, i):
    r = range(x.shape[1])
    return r[i], x[0][r], np.repeat(range(i), 2), np.r_[range(i), 7]
