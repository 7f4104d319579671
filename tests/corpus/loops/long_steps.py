"""Loops by steps that are longer than 1, whose iterations work on all elements from one index to the next: the last index is told by the range, not by its end."""


#numptx export pairs(float64[:], float64[:])
# run: pairs(random(40), zeros(40))
# structure: launches==1 allocs=0 copies=0
# run: pairs(random(0), zeros(0))
# run: pairs(random(2), zeros(2))
# run: pairs(random(41), zeros(41))
# run: pairs(random(41), zeros(42))
# run: pairs(random(40), zeros(39))
def pairs(x, y):
    n = len(x)
    for i in range(0, n, 2):
        y[i] = x[i + 1]
        y[i + 1] = x[i]


#numptx export falling_pairs(float64[:], float64[:])
# run: falling_pairs(random(40), zeros(40))
# structure: launches==1 allocs=0 copies=0
# run: falling_pairs(random(41), zeros(41))
# run: falling_pairs(random(1), zeros(1))
# run: falling_pairs(random(40), zeros(39))
def falling_pairs(x, y):
    for i in range(len(x) - 1, 0, -2):
        y[i] = x[i - 1]
        y[i - 1] = x[i]


#numptx export of_planes(float64[:,:], float64[:,:])
# run: of_planes(random((12, 9)), zeros((4, 3)))
# structure: launches==1 allocs=0 copies=0
# run: of_planes(random((12, 10)), zeros((4, 3)))
# run: of_planes(random((13, 9)), zeros((5, 3)))
# run: of_planes(random((0, 9)), zeros((0, 3)))
def of_planes(x, y):
    for i in range(0, x.shape[0], 3):
        for j in range(0, x.shape[1], 3):
            y[i // 3, j // 3] = x[i, j] + x[i + 2, j + 2] + x[i + 1, j]


# The largest of each square.
#numptx export pooled(float64[:,:], float64[:,:])
# run: pooled(random((12, 10)), zeros((6, 5)))
# structure: launches==1 allocs=0 copies=0
# run: pooled(random((12, 11)), zeros((6, 5)))
# run: pooled(random((0, 11)), zeros((6, 5)))
def pooled(x, y):
    h, w = x.shape
    for i in range(0, h - 1, 2):
        for j in range(0, w - 1, 2):
            largest = x[i, j]
            for p in range(i, i + 2):
                for q in range(j, j + 2):
                    if x[p, q] > largest:
                        largest = x[p, q]
            y[i // 2, j // 2] = largest


# Halves that meet.
#numptx export halved(float64[:], float64[:])
# run: halved(random(20), zeros(20))
# run: halved(random(21), zeros(20))
def halved(x, y):
    for i in range(len(x)):
        y[i // 2] = y[i // 2] * 2.0 + x[i]


#numptx export last_of_each(float64[:], float64[:], int)
# run: last_of_each(random(40), zeros(40), 4)
# structure: launches==1 allocs=0 copies=0
# run: last_of_each(random(40), zeros(40), 1)
# run: last_of_each(random(40), zeros(40), 40)
# run: last_of_each(random(40), zeros(40), 41)
# run: last_of_each(random(40), zeros(40), 7)
# run: last_of_each(random(40), zeros(40), -1)
# run: last_of_each(random(40), zeros(40), 0)
# run: last_of_each(random(40), zeros(36), 4)
# run: last_of_each(random(40), zeros(37), 4)
def last_of_each(x, y, m):
    for i in range(0, len(x), m):
        y[i] = x[i + m - 1]


# Walsh and Hadamard's transform: butterflies.
#numptx export hadamard(float64[:])
# run: hadamard(random(64))
# structure: launches==6 allocs=0 copies=0
# run: hadamard(random(1))
# run: hadamard(random(0))
# run: hadamard(random(2))
# run: hadamard(random(12))
def hadamard(x):
    n = len(x)
    h = 1
    while h < n:
        for i in range(0, n, 2 * h):
            for j in range(i, i + h):
                a = x[j]
                b = x[j + h]
                x[j] = a + b
                x[j + h] = a - b
        h *= 2


# The two sweeps of a running sum (Blelloch, Prefix Sums and Their Applications, 1990).
#numptx export swept(float64[:])
# run: swept(random(64))
# structure: launches==11 allocs=0 copies=0
# run: swept(random(1))
# run: swept(random(48))
def swept(x):
    n = len(x)
    d = 1
    while d < n:
        for i in range(2 * d - 1, n, 2 * d):
            x[i] += x[i - d]
        d *= 2
    d = n // 4
    while d > 0:
        for i in range(3 * d - 1, n, 2 * d):
            x[i] += x[i - d]
        d //= 2


# Steps that the loop around makes, and a range that ends at another index.
#numptx export multiples(int64[:], int)
# run: multiples(zeros(50, dtype=int64), 4)
# run: multiples(zeros(50, dtype=int64), 9)
# run: multiples(zeros(1, dtype=int64), 3)
# run: multiples(zeros(5, dtype=int64), 0)
def multiples(x, most):
    for p in range(2, most):
        for i in range(0, len(x) - p + 1, p):
            x[i + p - 1] += p
