"""Loops that are parallel where no element of an array of narrow ints is negative, and nothing that is made of them wraps."""

import numpy as np


#numptx export knapsack_of_int32(int32[:], float64[:], int)
# run: knapsack_of_int32(integers(1, 9, 20, int32), random(20), 60)
# structure: launches==3
# run: knapsack_of_int32(integers(0, 9, 20, int32), random(20), 60)
# run: knapsack_of_int32(integers(-3, 9, 20, int32), random(20), 60)
# run: knapsack_of_int32(array([3, 2**31 - 1, 5], dtype=int32), random(3), 60)
# run: knapsack_of_int32(array([3, -2**31, 5], dtype=int32), random(3), 60)
# run: knapsack_of_int32(integers(1, 9, 0, int32), random(0), 60)
# run: knapsack_of_int32(integers(1, 9, 20, int32)[::-2], random(10), 0)
def knapsack_of_int32(weights, values, capacity):
    best = np.zeros(capacity + 1)
    for i in range(len(weights)):
        for w in range(capacity, weights[i] - 1, -1):
            best[w] = max(best[w], best[w - weights[i]] + values[i])
    return best


#numptx export sums_of_uint8(uint8[:], int)
# run: sums_of_uint8(integers(1, 30, 14, uint8), 90)
# structure: launches==4
# run: sums_of_uint8(integers(0, 255, 30, uint8), 90)
# run: sums_of_uint8(zeros(3, dtype=uint8), 5)
# run: sums_of_uint8(zeros(0, dtype=uint8), 5)
# run: sums_of_uint8(integers(0, 255, 30, uint8), 0)
def sums_of_uint8(numbers, most):
    reached = np.zeros(most + 1, dtype=np.bool_)
    reached[0] = True
    for i in range(numbers.shape[0]):
        v = int(numbers[i])
        for s in range(most, v - 1, -1):
            if reached[s - v]:
                reached[s] = True
    return reached


# `v - 1` of 0 wraps to 255, and `v * 2` of 200 to 144.
#numptx export wrapping_uint8(uint8[:], float64[:])
# run: wrapping_uint8(array([3, 5, 2], dtype=uint8), arange(300.0))
# run: wrapping_uint8(array([3, 0, 2], dtype=uint8), arange(300.0))
# run: wrapping_uint8(array([3, 200, 2], dtype=uint8), arange(300.0))
# run: wrapping_uint8(array([3, 200, 128], dtype=uint8), arange(30.0))
def wrapping_uint8(at, x):
    for i in range(at.shape[0]):
        first = at[i] - np.uint8(1)
        for k in range(200, first, -1):
            x[k + at[i] * np.uint8(2)] += x[first]
    return x


#numptx export shifts_of_int16(int16[:], float32[:,:], int)
# run: shifts_of_int16(integers(0, 5, 7, int16), random((7, 40), dtype=float32), 30)
# run: shifts_of_int16(integers(-5, 5, 7, int16), random((7, 40), dtype=float32), 30)
# run: shifts_of_int16(integers(0, 5, 7, int16), random((7, 20), dtype=float32), 30)
# run: shifts_of_int16(array([32767, -32768], dtype=int16), random((7, 20), dtype=float32), 3)
def shifts_of_int16(by, x, n):
    for i in range(by.shape[0]):
        for j in range(n - 1, -1, -1):
            x[i, j + by[i]] = x[i, j] + np.float32(1)
    return x


# Elements of 64 bits without a sign are looked at one by one.
#numptx export knapsack_of_uint64(uint64[:], int)
# run: knapsack_of_uint64(integers(1, 9, 20, uint64), 60)
# run: knapsack_of_uint64(array([2, 2**64 - 1], dtype=uint64), 60)
def knapsack_of_uint64(weights, capacity):
    best = np.zeros(capacity + 1)
    for i in range(len(weights)):
        v = int(weights[i] & np.uint64(31))
        for w in range(capacity, v - 1, -1):
            best[w] = max(best[w], best[w - v] + 1.0)
    return best
