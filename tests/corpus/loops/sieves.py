"""Loops by steps that are known at run time: where these are positive, iterations meet no element twice."""

import numpy as np


#numptx export primes(int)
# run: primes(1000)
# run: primes(2)
# run: primes(4)
# run: primes(0)
def primes(n):
    composite = np.zeros(n + 1, dtype=np.bool_)
    i = 2
    while i * i <= n:
        if not composite[i]:
            for j in range(i * i, n + 1, i):
                composite[j] = True
        i += 1
    return composite


#numptx export primes_until(int)
# run: primes_until(1000)
# run: primes_until(3)
def primes_until(n):
    composite = np.zeros(n + 1, dtype=np.bool_)
    for i in range(2, n + 1):
        if i * i > n:
            break
        if not composite[i]:
            for j in range(i * i, n + 1, i):
                composite[j] = True
    return composite


#numptx export every(float64[:], int)
# run: every(ones(1000), 3)
# structure: launches==1 allocs=0 copies=0
# run: every(ones(1000), 1)
# run: every(ones(1000), 999)
# run: every(ones(1000), 1000)
# run: every(ones(1000), 5000)
# run: every(ones(1000), 0)
# run: every(ones(1000), -1)
# run: every(ones(0), 2)
# run: every(ones(10), 1 << 50)
def every(x, k):
    for j in range(0, len(x), k):
        x[j] = 2.0 * x[j] + j


#numptx export from_to(float64[:], int, int, int)
# run: from_to(ones(100), 3, 99, 7)
# structure: launches==1 allocs=0 copies=0
# run: from_to(ones(100), 3, 100, 7)
# run: from_to(ones(100), 99, 3, 7)
# run: from_to(ones(100), 99, 3, -7)
# run: from_to(ones(100), 99, -1, -1)
# run: from_to(ones(100), 3, 101, 98)
# run: from_to(ones(100), 3, 102, 98)
# run: from_to(ones(100), -5, 95, 5)
def from_to(x, first, last, k):
    for j in range(first, last, k):
        x[j] += 1.0


# An iteration reads what the one before wrote, or what one some iterations ago did.
#numptx export one_after_the_other(float64[:], int)
# run: one_after_the_other(random(1000), 3)
# run: one_after_the_other(random(1000), 1)
# run: one_after_the_other(random(1000), 2)
def one_after_the_other(x, k):
    for j in range(2, len(x), k):
        x[j] = x[j] + 0.5 * x[j - 2]
