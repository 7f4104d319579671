"""Loops that exchange elements from both ends, up to the middle: no iteration touches what another one does."""

import numpy as np


#numptx export reversed_in_place(float64[:])
# run: reversed_in_place(random(9))
# structure: launches==1 allocs=0 copies=0
# run: reversed_in_place(random(300))
# run: reversed_in_place(random(301)[::-3])
# run: reversed_in_place(random(2))
# run: reversed_in_place(random(1))
# run: reversed_in_place(random(0))
def reversed_in_place(x):
    n = len(x)
    for i in range(n // 2):
        x[i], x[n - 1 - i] = x[n - 1 - i], x[i]


#numptx export by_a_temporary(int32[:])
# run: by_a_temporary(integers(0, 99, 300, dtype=int32))
# structure: launches==1 allocs=0 copies=0
# run: by_a_temporary(integers(0, 99, 7, dtype=int32))
def by_a_temporary(x):
    half = x.size // 2
    for i in range(half):
        t = x[i]
        x[i] = x[-1 - i]
        x[-1 - i] = t


#numptx export rows_turned(float64[:,:])
# run: rows_turned(random((7, 5)))
# structure: launches==1 copies=0
# run: rows_turned(random((6, 5)).T)
# run: rows_turned(random((1, 5)))
# run: rows_turned(random((0, 5)))
def rows_turned(a):
    n, m = a.shape
    for i in range(n // 2):
        for j in range(m):
            a[i, j], a[n - 1 - i, j] = a[n - 1 - i, j], a[i, j]


# Elements of three thirds, of which one is written.
#numptx export thirds(float64[:])
# run: thirds(random(30))
# run: thirds(random(31))
# run: thirds(random(32))
# run: thirds(random(2))
def thirds(x):
    third = len(x) // 3
    for i in range(third):
        x[i] += x[i + third] * x[i + 2 * third]


# One element beyond the middle is written by one iteration and read by another.
#numptx export beyond_the_middle(float64[:], int)
# run: beyond_the_middle(random(9), 1)
# run: beyond_the_middle(random(10), 1)
# run: beyond_the_middle(random(10), 0)
# run: beyond_the_middle(random(10), 3)
# run: beyond_the_middle(random(10), 20)
def beyond_the_middle(x, more):
    n = len(x)
    for i in range(n // 2 + more):
        x[i], x[n - 1 - i] = x[n - 1 - i], x[i] + 1


#numptx export halves_of_less(float64[:], int)
# run: halves_of_less(random(9), 9)
# run: halves_of_less(random(9), 7)
# run: halves_of_less(random(9), -7)
# run: halves_of_less(random(9), 30)
def halves_of_less(x, n):
    for i in range(n // 2):
        x[i], x[n - 1 - i] = x[n - 1 - i], x[i]
