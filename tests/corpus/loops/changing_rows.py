"""Loops whose iterations compute rows of changing length: parallel where each element of a row is the work of one point, and as they stand elsewhere."""

import numpy as np


#numptx export products_of_columns(int, float64[:,:])
# run: products_of_columns(5, random((7, 5)))
# structure: launches==2 allocs==1 copies=0
# run: products_of_columns(70, random((33, 70)))
# structure: launches==2 allocs==1 copies=0
# run: products_of_columns(0, random((3, 0)))
# run: products_of_columns(1, random((3, 1)))
# run: products_of_columns(2, random((3, 2)))
# run: products_of_columns(4, random((0, 4)))
# run: products_of_columns(3, random((5, 6)))
# run: products_of_columns(6, random((12, 12))[::-2, ::-2])
# run: products_of_columns(6, random((3, 5)))
# run: products_of_columns(-1, random((3, 5)))
def products_of_columns(m, table):
    result = np.zeros((m, m))
    for i in range(m):
        result[i:m, i] = result[i, i:m] = table[:, i] @ table[:, i:m] / (m + 1.0)
    return result


#numptx export products_of_other_columns(int, float32[:,:])
# run: products_of_other_columns(5, random((7, 5), float32))
# structure: launches==2 allocs==1 copies=0
# run: products_of_other_columns(0, random((3, 0), float32))
# run: products_of_other_columns(1, random((3, 1), float32))
# run: products_of_other_columns(2, random((3, 2), float32))
# run: products_of_other_columns(9, random((3, 8), float32))
# tolerance: 1e-5
def products_of_other_columns(m, table):
    result = np.eye(m, dtype=np.float32)
    for i in range(m - 1):
        result[i + 1 : m, i] = result[i, i + 1 : m] = table[:, i] @ table[:, i + 1 : m]
    return result


#numptx export sums_to_here(float64[:,:], float64[:,:])
# run: sums_to_here(random((6, 9)), zeros((9, 9)))
# structure: launches==1 allocs==0 copies=0
# run: sums_to_here(random((6, 9))[::-1, ::-1], zeros((9, 9))[::-1])
# run: sums_to_here(random((0, 2)), ones((2, 2)))
# run: sums_to_here(random((1, 0)), ones((2, 2)))
# run: x = random((9, 9)); sums_to_here(x, x)
# run: x = random((9, 9)); sums_to_here(x, x.T)
# run: x = random((18, 9)); sums_to_here(x[::2], x[1::2])
# run: sums_to_here(random((6, 9)), zeros((8, 9)))
def sums_to_here(x, y):
    for i in range(x.shape[1]):
        total = np.sum(x[:, :i], axis=0)
        double = total * 2.0
        y[i, :i] = double - total / 3.0


#numptx export means_and_largest(float64[:,:], int)
# run: means_and_largest(random((6, 9)), 9)
# structure: launches==3 allocs==2 copies=0
# run: means_and_largest(random((6, 9)), 1)
# run: means_and_largest(random((6, 9)), 0)
# run: means_and_largest(random((6, 9)), 10)
def means_and_largest(x, n):
    means, largest = np.zeros((n, n)), np.zeros((n, n))
    for i in range(n):
        means[i, i:] = np.mean(x[:, i:n], axis=0)
        largest[i:, i] = np.max(x[:, i:n] - x[:, i][:, None], axis=0)
    return means, largest


#numptx export windows(float64[:], float64[:,:], int)
# run: windows(random(12), zeros((9, 4)), 4)
# run: windows(random(11), zeros((9, 4)), 4)
# run: windows(random(12), zeros((9, 4)), 3)
# run: windows(random(12), zeros((9, 4)), 1)
# run: windows(random(12), zeros((9, 4)), 0)
def windows(x, y, n):
    for i in range(y.shape[0]):
        y[i, :] = x[i : i + n] * 2.0 - np.sqrt(x[i : i + n])


#numptx export from_the_end(float64[:], float64[:,:])
# run: from_the_end(random(6), zeros((6, 6)))
# run: from_the_end(random(1), zeros((1, 1)))
# run: from_the_end(random(0), zeros((0, 0)))
def from_the_end(x, y):
    for i in range(x.shape[0]):
        y[i, : i + 1] = x[-i - 1 :] * 2.0
        y[i, i:] += x[: x.shape[0] - i] ** 2 + x[i:]


#numptx export turned(float64[:], float64[:,:])
# run: turned(random(6), zeros((6, 6)))
# run: turned(random(1), zeros((1, 1)))
# run: turned(random(0), zeros((0, 0)))
def turned(x, y):
    for i in range(x.shape[0]):
        row = x[i:] * 2.0
        y[i, i:] = row - row[::-1]


#numptx export every_row_and_the_first(float64[:,:])
# run: every_row_and_the_first(random((7, 5)))
# run: every_row_and_the_first(random((7, 2)))
# run: every_row_and_the_first(random((7, 0)))
def every_row_and_the_first(table):
    m = table.shape[1]
    result = np.zeros((m, m))
    for i in range(m):
        result[i:, i] = result[0, i:] = table[:, i] @ table[:, i:]
    return result


#numptx export what_iterations_before_made(float64[:,:])
# run: what_iterations_before_made(random((5, 5)))
# run: what_iterations_before_made(random((2, 2)))
# run: what_iterations_before_made(random((0, 0)))
def what_iterations_before_made(table):
    m = table.shape[1]
    for i in range(m):
        table[i:, i] = table[i, i:] = table[:, i] @ table[:, i:] / m


#numptx export of_two_loops(float64[:,:,:], float64[:,:,:])
# run: of_two_loops(random((3, 4, 6)), zeros((4, 6, 6)))
# run: of_two_loops(random((3, 0, 6)), zeros((4, 6, 6)))
# run: of_two_loops(random((3, 4, 1)), zeros((4, 1, 1)))
def of_two_loops(x, y):
    for i in range(x.shape[1]):
        for j in range(x.shape[2]):
            y[i, j, j:] = y[i, j:, j] = x[:, i, j] @ x[:, i, j:]


#numptx export stops_in_time(float64[:,:], float64[:,:], int)
# run: stops_in_time(random((6, 9)), zeros((9, 9)), 9)
# run: stops_in_time(random((6, 9)), zeros((9, 9)), 11)
# run: stops_in_time(random((6, 9)), zeros((9, 7)), 9)
def stops_in_time(x, y, n):
    for i in range(n):
        y[i, i:n] = x[0, i] * np.sum(x[:, i:n], axis=0)


#numptx export long_sums(float64[:,:], float64[:,:])
# run: long_sums(random((70, 5)), zeros((5, 5)))
# structure: launches==1 allocs==0
# run: long_sums(random((2000, 5)), zeros((5, 5)))
# structure: launches==1
# run: long_sums(random((1281, 5)), zeros((5, 5)))
# structure: launches==1
# run: long_sums(random((1280, 5)), zeros((5, 5)))
# structure: launches==1
def long_sums(x, y):
    for i in range(x.shape[1]):
        y[i, i:] = x[:, i] @ x[:, i:] + 1.0
