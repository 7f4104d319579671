"""Rows of data-dependent length: slices whose bounds are elements, as in sparse matrices."""

import numpy as np


#numptx export product_of_rows(uint32[:], uint32[:], float64[:], float64[:])
#numptx export product_of_rows(int64[:], int32[:], float64[:], float64[:])
# run: product_of_rows(np.array([0, 2, 2, 5, 6], np.uint32), np.array([1, 3, 0, 2, 3, 0], np.uint32), random(6), random(4))
# structure: launches=2 allocs=2 copies=0
# run: product_of_rows(np.arange(0, 301, 3), integers(0, 40, 300, np.int32), random(300), random(40))
# structure: launches=2 allocs=2 copies=0
# run: product_of_rows(np.array([0, 2, 2, -1, 6]), np.array([1, -3, 0, 2, 3, -4], np.int32), random(6), random(4))
# run: product_of_rows(np.array([-100, 2, 100]), np.array([1, -3, 0, 2, 3, -4], np.int32), random(6), random(4))
# run: product_of_rows(np.array([4, 2, 0]), np.array([1, -3, 0, 2, 3, -4], np.int32), random(6), random(4))
# run: product_of_rows(np.array([0]), np.array([1], np.int32), random(1), random(4))
# run: product_of_rows(np.array([0, 2, 4]), np.array([1, 0, 4, 2], np.int32), random(4), random(4))
# run: product_of_rows(np.array([0, 2, 4]), np.array([1, 0, 3, -5], np.int32), random(4), random(4))
# run: product_of_rows(np.array([0, 2, 4]), np.array([1, 0, 3], np.int32), random(4), random(4))
# run: product_of_rows(np.array([0, 2, 4])[::-1], np.array([1, 0, 3, 2], np.int32)[::-1], random(8)[::2], random(4)[::-1])
def product_of_rows(starts, columns, values, x):
    y = np.empty(starts.size - 1, values.dtype)
    for i in range(starts.size - 1):
        cols = columns[starts[i] : starts[i + 1]]
        vals = values[starts[i] : starts[i + 1]]
        y[i] = vals @ x[cols]
    return y


#numptx export ends_of_rows(int64[:], float64[:], float64[:])
# run: ends_of_rows(np.array([0, 3, -2, 100, -100]), random(7), np.zeros(5))
# structure: launches=1 allocs=0 copies=0
# run: ends_of_rows(np.array([0, 3, -2, 100, -100]), random(0), np.zeros(5))
# run: ends_of_rows(np.array([0, 3, -2, 100, -100]), random(7)[::-1], np.zeros(4))
def ends_of_rows(starts, values, out):
    for i in range(len(starts)):
        out[i] = np.sum(values[starts[i] :]) - 2.0 * np.sum(values[: starts[i]])


#numptx export write_rows(int64[:], float64[:], float64[:])
# run: write_rows(np.array([0, 3, 3, 7]), random(7), np.zeros(7))
# run: write_rows(np.array([0, 5, 3, 7]), random(7), np.zeros(7))
# run: write_rows(np.array([3, 5, 0, 7]), random(7), np.zeros(7))
def write_rows(starts, values, out):
    for i in range(len(starts) - 1):
        out[starts[i] : starts[i + 1]] = values[starts[i] : starts[i + 1]] * i + out[0]
