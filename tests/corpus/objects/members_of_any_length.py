"""Arrays of comprehensions whose members, or whose number of them, have a length that the run time alone knows."""

import numpy as np


#numptx export windows(float64[:], int64[:], int64[:])
# run: windows(arange(9.0), array([0, 2, 4]), array([2, 4, 6]))
# run: windows(arange(9.0), array([3]), array([3]))
# run: windows(arange(9.0), array([0, 2]), array([2, 3]))
# run: windows(arange(9.0), array([0, 2, 4]), array([2, 4, 9]))
def windows(x, lower, upper):
    a = np.array([x[lower[k] : upper[k]] for k in range(len(lower))])
    b = np.asarray([np.cumsum(x[lower[k] : upper[k]]) for k in range(len(lower))], dtype=np.float32)
    return a, b


#numptx export stacked(float64[:], int64[:], int64[:])
# run: stacked(arange(9.0), array([0, 2, 4]), array([2, 4, 6]))
# run: stacked(arange(9.0), array([0, 2]), array([2, 3]))
def stacked(x, lower, upper):
    a = np.stack([x[lower[k] : upper[k]] for k in range(len(lower))])
    b = np.stack([x[lower[k] : upper[k]] for k in range(len(lower))], axis=1)
    return a, b, np.stack([x[lower[k] : upper[k]] for k in range(len(lower))], axis=-1)


#numptx export joined(float64[:], int64[:], int64[:])
# run: joined(arange(9.0), array([0, 2]), array([2, 7]))
# run: joined(arange(9.0), array([1, 3]), array([1, 3]))
def joined(x, lower, upper):
    a = np.concatenate([x[lower[k] : upper[k]] for k in range(len(lower))])
    return a, np.hstack([2.0 * x[lower[k] : upper[k]] for k in range(len(lower))])


#numptx export side_by_side(float64[:], int64[:], int64[:])
# run: side_by_side(arange(9.0), array([0, 2, 5]), array([2, 4, 7]))
# run: side_by_side(arange(9.0), array([0, 2]), array([2, 7]))
def side_by_side(x, lower, upper):
    a = np.vstack([x[lower[k] : upper[k]] for k in range(len(lower))])
    b = np.column_stack([x[lower[k] : upper[k]] for k in range(len(lower))])
    return a, b, np.dstack([x[lower[k] : upper[k]] for k in range(len(lower))])


#numptx export in_order(float64[:,:], int)
# run: in_order(ones((2, 3)), 4)
# run: in_order(asfortranarray(ones((2, 3))), 4)
# run: in_order(ones((3, 2)).T, 1)
def in_order(x, n):
    a = np.concatenate([x * (k + 1.0) for k in range(n)])
    return a, np.stack([x * (k + 1.0) for k in range(n)]), np.array([x * (k + 1.0) for k in range(n)])


#numptx export rows_of_matrices(float64[:,:], int64[:])
# run: rows_of_matrices(arange(12.0).reshape(4, 3), array([2, 2]))
# run: rows_of_matrices(arange(12.0).reshape(4, 3), array([2, 1]))
def rows_of_matrices(x, n):
    return np.array([x[:m] for m in n])


#numptx export columns_of_matrices(float64[:,:], int64[:])
# run: columns_of_matrices(arange(12.0).reshape(4, 3), array([2, 2]))
# run: columns_of_matrices(arange(12.0).reshape(4, 3), array([2, 1]))
def columns_of_matrices(x, n):
    return np.array([x[:, :m] for m in n])


#numptx export lists_in_lists(float64[:], int64[:], int64[:])
# run: lists_in_lists(arange(9.0), array([0, 2]), array([2, 4]))
# run: lists_in_lists(arange(9.0), array([0, 2]), array([2, 3]))
def lists_in_lists(x, lower, upper):
    return np.array([[2.0 * x[i] for i in range(lower[k], upper[k])] for k in range(len(lower))])


#numptx export pairs(float64[:], int)
# run: pairs(arange(5.0), 5)
# run: pairs(arange(5.0), 0)
def pairs(x, n):
    a = np.array([x[i] * x[j] for i in range(n) for j in range(i)])
    b = np.sum([x[i] - x[j] for i in range(n) for j in range(i, n)])
    return a, b, np.max([float(i * j) for i in range(n + 1) for j in range(n + 1)])


#numptx export differences(float64[:,:], int)
# run: differences(arange(12.0).reshape(4, 3) ** 2, 4)
def differences(x, n):
    return np.array([x[i] - x[j] for i in range(n) for j in range(i + 1, n)]).sum(axis=0)


#numptx export kept(float64[:], int64[:], int64[:])
# run: kept(arange(9.0), array([0, 2, 4]), array([2, 4, 6]))
def kept(x, lower, upper):
    return np.mean([x[lower[k] : upper[k]] for k in range(len(lower)) if lower[k] > 0], axis=0)


#numptx export small(int64[:], int)
# run: small(array([1, 2, 127]), 3)
# run: small(array([1, 2, 128]), 3)
def small(x, n):
    return np.array([int(x[i]) for i in range(n) for j in range(2)], dtype=np.int8)
