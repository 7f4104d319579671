"""Loops that are parallel where a condition on ints holds, and whose checks depend on data: the kernels make them, and where one fails, or the condition does not hold, one thread runs the loop."""

import math

import numpy as np


#numptx export roots_moved(float64[:], int)
# run: roots_moved(random(1000), 3)
# structure: launches=5 allocs=3 copies=0
# run: roots_moved(random(1000), 0)
# run: roots_moved(random(1000), 999)
# run: roots_moved(random(1000), 1000)
# run: roots_moved(random(1000), 2000)
# run: roots_moved(random(1000), -1)
# run: roots_moved(random(1000), -1000)
# run: roots_moved(random(1000), -1001)
# run: roots_moved(zeros(0), 0)
# run: roots_moved(zeros(0), -1)
# run: roots_moved(zeros(0), 1)
# run: roots_moved(random(50)[::-2], 4)
# run: x = random(100); x[57] = -1.0; roots_moved(x, 5)
# run: x = random(100); x[3] = -1.0; roots_moved(x, 5)
# run: x = random(100); x[50:] = -1.0; roots_moved(x[::-1], 20)
# run: x = random(100); x[99] = nan; roots_moved(x, 1)
def roots_moved(x, r):
    for i in range(r, x.shape[0]):
        x[i - r] = math.sqrt(x[i])


#numptx export roots_by_steps(float64[:], float64[:], int, int, int)
# run: roots_by_steps(zeros(100), random(100), 0, 100, 3)
# run: roots_by_steps(zeros(100), random(100), 99, -1, -1)
# run: roots_by_steps(zeros(100), random(100), -100, 100, 1)
# run: roots_by_steps(zeros(100), random(100), 5, 5, 1)
# run: roots_by_steps(zeros(100), random(100), 0, 100, 0)
# run: roots_by_steps(zeros(100), random(100), 0, 101, 1)
# run: roots_by_steps(zeros(100), random(100) - 0.5, 0, 100, 2)
# run: roots_by_steps(zeros(100), random(100) - 0.5, 90, 0, -2)
# run: roots_by_steps(zeros(0), zeros(0), 0, 0, 1)
# run: roots_by_steps(zeros(100)[::-1], random(300)[::3], 1, 100, 2)
# run: x = random(100); roots_by_steps(x, x, 0, 100, 1)
# run: x = random(100); roots_by_steps(x[1:], x[:-1], 0, 99, 1)
# run: x = random(100); x[80] = -1.0; roots_by_steps(x[1:], x[:-1], 0, 99, 1)
# run: x = random(100); x[80] = -1.0; roots_by_steps(x[:-1], x[1:], 0, 99, 1)
def roots_by_steps(x, y, first, last, step):
    for i in range(first, last, step):
        x[i] = math.sqrt(y[i])


#numptx export products_moved(int64[:], int, int)
# run: products_moved(arange(100), 7, 3)
# run: products_moved(arange(100), 7, 0)
# run: products_moved(arange(100), 7, -3)
# run: products_moved(arange(100), -7, 99)
# run: products_moved(arange(100), 2**62, 3)
# run: products_moved(arange(100), 2**57, 3)
# run: products_moved(arange(100)[::-1], 2**57, 3)
# run: products_moved(zeros(0, dtype=int64), 2, 0)
def products_moved(x, k, r):
    for i in range(r, x.shape[0]):
        x[i - r] = int(x[i]) * k


#numptx export quotients_moved(int64[:], int, int)
# run: quotients_moved(arange(100), 7, 3)
# run: quotients_moved(arange(100) - 50, -7, 1)
# run: quotients_moved(arange(100) - 50, 0, 1)
# run: quotients_moved(arange(100) - 50, 3, -1)
# run: quotients_moved(arange(100) - 50, 0, 100)
# run: quotients_moved(arange(100) - 50, 0, 99)
# run: quotients_moved(zeros(0, dtype=int64), 0, 0)
def quotients_moved(x, k, r):
    for i in range(r, x.shape[0]):
        x[i - r] = int(x[i]) // k + int(x[i]) % k


#numptx export divided_moved(int64[:], int64[:], int)
# run: divided_moved(arange(100), integers(1, 9, 100), 3)
# run: divided_moved(arange(100), integers(-3, 3, 100), 3)
# run: divided_moved(arange(100), array([1]), -3)
# run: divided_moved(arange(100), integers(1, 9, 99), 50)
# run: divided_moved(arange(100), integers(1, 9, 100), -100)
# run: x = arange(1, 100); divided_moved(x, x, 3)
# run: x = arange(1, 100); divided_moved(x[1:], x[:-1], 3)
# run: x = arange(100); divided_moved(x, x, 3)
def divided_moved(x, y, r):
    for i in range(r, x.shape[0]):
        x[i - r] = int(x[i]) % int(y[i])


#numptx export taken_moved(float64[:], float64[:], float64[:], int)
# run: taken_moved(random(100), random(9), random(100) * 9, 3)
# run: taken_moved(random(100), random(9), random(100) * 9, -3)
# run: taken_moved(random(100), random(9), random(100) * 9 - 9, 30)
# run: taken_moved(random(100), random(9), random(100) * 10, 3)
# run: taken_moved(random(100), random(9), random(100) * 20 - 10, 3)
# run: taken_moved(random(100), random(9)[::-2], random(100) * 5, 0)
# run: taken_moved(random(100), random(0), random(100) * 5, 0)
# run: taken_moved(random(100), random(0), random(100) * 5, 100)
# run: taken_moved(random(100), random(9), random(60) * 9, 3)
# run: x = random(100); taken_moved(x, x, random(100) * 100, 3)
# run: x = random(100); taken_moved(x, x[50:], x, 3)
def taken_moved(x, y, at, r):
    for i in range(r, x.shape[0]):
        x[i - r] = x[i] + y[int(at[i])]


#numptx export rows_moved(float64[:,:], int)
# run: rows_moved(random((40, 50)), 2)
# run: rows_moved(random((40, 50)), 0)
# run: rows_moved(random((40, 50)), -2)
# run: rows_moved(random((40, 50)), -40)
# run: rows_moved(random((40, 50)), 40)
# run: a = random((40, 50)); a[20, 30] = -1.0; rows_moved(a, 2)
# run: a = random((40, 50)); a[20, 30] = -1.0; rows_moved(a.T, 3)
# run: rows_moved(zeros((0, 5)), 0)
# run: rows_moved(zeros((5, 0)), -1)
def rows_moved(a, r):
    for i in range(r, a.shape[0]):
        for j in range(a.shape[1]):
            a[i - r, j] = math.sqrt(a[i, j])


#numptx export roots_scaled(float64[:], int, int)
# run: roots_scaled(random(100), 0, 100)
# run: roots_scaled(random(100), -100, 100)
# run: roots_scaled(random(100), -100, 0)
# run: roots_scaled(random(100), -3, 101)
# run: roots_scaled(random(100), -101, 3)
# run: roots_scaled(random(100) - 0.1, -100, 100)
# run: roots_scaled(random(100)[::-1], 3, 50)
# run: roots_scaled(zeros(0), 0, 0)
def roots_scaled(x, first, last):
    for i in range(first, last):
        x[i] = x[i] * math.sqrt(x[i - first])


#numptx export columns_of_rows(int16[:,:], int)
# run: columns_of_rows(integers(-9, 9, (4, 5)).astype(int16), -2)
# run: columns_of_rows(integers(-9, 9, (4, 5)).astype(int16), 0)
# run: columns_of_rows(integers(-9, 9, (4, 5)).astype(int16), 1)
# run: columns_of_rows(integers(-9, 9, (4, 5)).astype(int16).T[::-1], 3)
# run: columns_of_rows(integers(-9, 9, (4, 1)).astype(int16), 0)
# run: columns_of_rows(zeros((3, 0), dtype=int16), 1)
def columns_of_rows(z, k):
    counts = np.ones((z.shape[1], z.shape[1]), dtype=np.int16)
    for i in range(z.shape[1]):
        counts[i:, i] = counts[i, i:] + np.int16(1)
        counts[i:k, i] = np.max(z[:, i:k] - z[:, i:i + 1], axis=0)
    return counts
