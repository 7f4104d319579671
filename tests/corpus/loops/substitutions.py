"""Triangular systems: iterations that each sum up what all iterations before them stored, which one launch solves by tiles of 64 rows."""

import numpy as np


#numptx export forward(float64[:,:], float64[:], float64[:])
# run: forward(random((100, 100)) + 100 * eye(100), zeros(100), random(100))
# structure: launches==1 allocs=0 copies=0
# run: forward(zeros((0, 0)), zeros(0), zeros(0))
# run: forward(eye(1) * 3, zeros(1), random(1))
# run: forward(eye(1) * 0, zeros(1), random(1))
# run: forward(random((2, 2)) + 2 * eye(2), zeros(2), random(2))
# run: forward(random((63, 63)) + 63 * eye(63), zeros(63), random(63))
# run: forward(random((64, 64)) + 64 * eye(64), zeros(64), random(64))
# run: forward(random((65, 65)) + 65 * eye(65), zeros(65), random(65))
# run: forward(random((127, 127)) + 127 * eye(127), zeros(127), random(127))
# run: forward(random((128, 128)) + 128 * eye(128), zeros(128), random(128))
# run: forward(random((129, 129)) + 129 * eye(129), zeros(129), random(129))
# run: forward(random((200, 200)) + 200 * eye(200), zeros(200), random(200))
# run: forward(random((1500, 1500)) + 1500 * eye(1500), zeros(1500), random(1500))
# run: forward(random((300, 310)) + 300 * eye(300, 310), zeros(300), random(303))
# run: forward((random((150, 150)) + 150 * eye(150))[::-1, ::-1], zeros(150)[::-1], random(150)[::-1])
# run: forward((random((300, 300)) + 300 * eye(300))[::2, ::2], zeros(300)[::2], random(300)[::2])
# run: forward((random((150, 150)) + 150 * eye(150)).T, zeros(150), random(150))
# run: forward(where(random((80, 80)) < 0.01, nan, random((80, 80))), zeros(80), random(80))
# run: forward(where(random((80, 80)) < 0.01, inf, -0.0), zeros(80), random(80))
# run: x = random(150); forward(random((150, 150)) + 150 * eye(150), x, x)
# run: x = random(151); forward(random((150, 150)) + 150 * eye(150), x[1:], x[:-1])
# run: x = random((101, 100)) + 100 * eye(101, 100); forward(x[1:], x[0], random(100))
# run: forward(random((99, 100)), zeros(100), random(100))
# run: forward(random((100, 99)) + 100 * eye(100, 99), zeros(100), random(100))
# run: forward(random((100, 50)) + 100 * eye(100, 50), zeros(100), random(100))
# run: forward(random((100, 100)), zeros(100), random(99))
# Rows whose value is 0 because everything cancels, is next to nothing, or is too large for a float64.
# run: forward(ones((300, 300)), zeros(300), ones(300))
# run: forward(2.0 * ones((130, 130)), zeros(130), ones(130) + 1e-13 * (arange(130) % 3 == 1))
# run: forward(1e-300 * ones((130, 130)), zeros(130), 1e10 * (arange(130) % 7 == 6))
# run: forward(1e-150 * eye(130), zeros(130), 1e170 * random(130))
# run: forward(1e200 * eye(130), zeros(130), 1e-120 * random(130))
# bench: forward(random((4000, 4000)) + 4000 * eye(4000), zeros(4000), random(4000))
def forward(lower, x, b):
    for i in range(x.shape[0]):
        x[i] = (b[i] - lower[i, :i] @ x[:i]) / lower[i, i]


#numptx export backward(float64[:,:], float64[:], float64[:])
# run: backward(random((100, 100)) + 100 * eye(100), zeros(100), random(100))
# structure: launches==1 allocs=0 copies=0
# run: backward(zeros((0, 0)), zeros(0), zeros(0))
# run: backward(eye(1) * 3, zeros(1), random(1))
# run: backward(random((64, 64)) + 64 * eye(64), zeros(64), random(64))
# run: backward(random((65, 65)) + 65 * eye(65), zeros(65), random(65))
# run: backward(random((200, 200)) + 200 * eye(200), zeros(200), random(200))
# run: backward((random((150, 150)) + 150 * eye(150))[::-1, ::-1], zeros(150)[::-1], random(150)[::-1])
# run: x = random(150); backward(random((150, 150)) + 150 * eye(150), x, x)
# run: x = random(151); backward(random((150, 150)) + 150 * eye(150), x[:-1], x[1:])
# run: backward(random((100, 101)), zeros(100), random(100))
# run: backward(random((101, 100)), zeros(100), random(101))
# run: backward(random((100, 99)) + 100 * eye(100, 99), zeros(100), random(100))
def backward(upper, x, y):
    for i in range(x.shape[0] - 1, -1, -1):
        x[i] = (y[i] - upper[i, i + 1:] @ x[i + 1:]) / upper[i, i]


#numptx export both(float64[:,:], float64[:])
# run: both(random((130, 130)) + 130 * eye(130), random(130))
# structure: launches==4 allocs=2 copies=0
# run: both(random((1, 1)), random(1))
# run: both(random((0, 0)), random(0))
# run: both(random((20, 20)), random(19))
# run: both(random((20, 20)), random(21))
def both(a, b):
    x, y = np.zeros_like(b), np.zeros_like(b)
    for i in range(a.shape[0]):
        y[i] = b[i] - a[i, :i] @ y[:i]
    for i in range(a.shape[0] - 1, -1, -1):
        x[i] = (y[i] - a[i, i + 1:] @ x[i + 1:]) / 128.0
    return x, y


# The element is stored twice, and loaded between.
#numptx export in_place(float64[:,:], float64[:])
#numptx export in_place(float32[:,:], float32[:])
#numptx export in_place(complex64[:,:], complex64[:])
#numptx export in_place(complex128[:,:], complex128[:])
# run: in_place(random((170, 170)) + 170 * eye(170), random(170))
# structure: launches==1 allocs=0 copies=0
# run: in_place(random((170, 170), dtype=float32) + 170 * eye(170, dtype=float32), random(170, dtype=float32))
# structure: launches==1 allocs=0 copies=0
# run: in_place(random((170, 170), dtype=complex64) + 170 * eye(170, dtype=complex64), random(170, dtype=complex64))
# structure: launches==1 allocs=0 copies=0
# run: in_place(random((70, 70), dtype=complex128) + 70 * eye(70, dtype=complex128), random(70, dtype=complex128))
# structure: launches==1 allocs=0 copies=0
def in_place(lower, x):
    for i in range(x.shape[0]):
        x[i] -= lower[i, :i] @ x[:i]
        x[i] /= lower[i, i]


#numptx export wrapping(int64[:,:], int64[:])
# run: wrapping(integers(-2**40, 2**40, (150, 150)), integers(-9, 9, 150))
# structure: launches==1 allocs=0 copies=0
def wrapping(a, x):
    for i in range(x.shape[0]):
        x[i] = (x[i] + (a[i, :i] * x[:i]).sum()) % 1000003


# Sums of what comes before alone, and with weights that the row has itself.
#numptx export without_factors(float64[:])
# run: without_factors(random(140))
# structure: launches==1 allocs=0 copies=0
def without_factors(x):
    for i in range(x.shape[0]):
        x[i] = 1.0 / (1.0 + x[i] + np.sum(x[:i]))


#numptx export weighted(float64[:,:], float64[:], float64[:])
# run: weighted(random((140, 140)), random(140), random(140))
# structure: launches==1 allocs=0 copies=0
def weighted(a, w, x):
    for i in range(x.shape[0]):
        x[i] = np.sqrt(1.0 + np.abs(np.sum((a[i, :i] * w[:i] * w[i]) * x[:i])) / (1 + i))


# Quotients of all sizes: on GPUs the reciprocals of divisors are made before the dividends are known.
# tolerance: 0
#numptx export quotients(float64[:], float64[:], float64[:])
# run: quotients(10.0 ** integers(-330, 309, 3000), 10.0 ** integers(-330, 309, 3000) * random(3000), zeros(3000))
# run: quotients(random(3000), random(3000), zeros(3000))
# run: quotients(2.0 ** integers(-1074, 1023, 3000), -2.0 ** integers(-1074, 1023, 3000), zeros(3000))
# run: quotients(repeat([inf, -inf, nan, 0.0, -0.0, 1.0, 5e-324, 2e-308], 8), tile([inf, -inf, nan, 0.0, -0.0, -1.0, 5e-324, 1.7e308], 8), zeros(64))
def quotients(d, b, x):
    for i in range(x.shape[0]):
        x[i] = (b[i] - np.sum(x[:i] == 0.123)) / d[i]


# Columns of a matrix that is given by its other triangle; a column of an array.
#numptx export of_columns(float64[:,:], float64[:,:], int)
# run: of_columns(random((140, 140)) + 140 * eye(140), random((140, 3)), 1)
# structure: launches==1 allocs=0 copies=0
# run: of_columns(random((140, 140)) + 140 * eye(140), random((140, 3)), 3)
# run: of_columns(random((140, 140)) + 140 * eye(140), random((140, 3)), -1)
def of_columns(upper, b, k):
    for i in range(b.shape[0]):
        b[i, k] = (b[i, k] - upper[:i, i] @ b[:i, k]) / upper[i, i]


# A part of the rows, whose sums begin where the rows do.
#numptx export of_part(float64[:,:], float64[:], int, int)
# run: of_part(random((150, 150)) + 150 * eye(150), random(150), 3, 140)
# run: of_part(random((150, 150)) + 150 * eye(150), random(150), 0, 150)
# run: of_part(random((150, 150)) + 150 * eye(150), random(150), 140, 3)
# run: of_part(random((150, 150)) + 150 * eye(150), random(150), 3, 151)
# run: of_part(random((150, 150)) + 150 * eye(150), random(150), -3, 100)
def of_part(lower, x, begin, end):
    for i in range(begin, end):
        x[i] = (x[i] - lower[i, begin:i] @ x[begin:i]) / lower[i, i]


# These are none: sums begin before the first row; are of a band; have other elements of the row's own vector beside them.
#numptx export from_one(float64[:,:], float64[:])
# run: from_one(random((150, 150)) + 150 * eye(150), random(150))
def from_one(lower, x):
    for i in range(1, x.shape[0]):
        x[i] = (x[i] - lower[i, :i] @ x[:i]) / lower[i, i]


#numptx export banded(float64[:,:], float64[:], int)
# run: banded(random((150, 150)) + 150 * eye(150), random(150), 5)
# run: banded(random((150, 150)) + 150 * eye(150), random(150), 500)
# run: banded(random((150, 150)) + 150 * eye(150), random(150), 0)
def banded(lower, x, width):
    for i in range(x.shape[0]):
        begin = max(i - width, 0)
        x[i] = (x[i] - lower[i, begin:i] @ x[begin:i]) / lower[i, i]


#numptx export with_the_next(float64[:,:], float64[:])
# run: with_the_next(random((150, 150)) + 150 * eye(150), random(151))
def with_the_next(lower, x):
    for i in range(x.shape[0] - 1):
        x[i] = (x[i + 1] - lower[i, :i] @ x[:i]) / lower[i, i]


# What rows find out of all rows before is of another dtype than they are.
#numptx export comparing(float64[:,:], float64[:])
# run: comparing(random((140, 140)), random(140))
# run: comparing(random((3, 3)), random(3))
def comparing(a, x):
    for i in range(x.shape[0]):
        x[i] = x[i] + np.all(x[:i] > a[i, :i])


#numptx export magnitudes(complex64[:])
# run: magnitudes(random(140, dtype=complex64))
# run: magnitudes(random(2, dtype=complex64))
def magnitudes(x):
    for i in range(x.shape[0]):
        x[i] = x[i] * np.max(np.abs(x[:i]), initial=0.5)
