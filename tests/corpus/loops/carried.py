"""Loops that carry values from iteration to iteration, and whose order does not matter for them: each is one reduction."""

import numpy as np


#numptx export dot(float64[:], float64[:])
# run: dot(random(0), random(0))
# run: dot(random(1), random(3))
# run: dot(random(4), random(3))
# run: dot(array([nan, 1.0, inf]), ones(3))
# run: dot(arange(100000.0)[::-3], arange(33334.0))
# run: dot(arange(1000.0), ones(1000))
# structure: launches=1 allocs=1 copies=0
def dot(x, y):
    s = 0.0
    for i in range(x.shape[0]):
        s += x[i] * y[i]
    return float(s)


#numptx export product_and_sum(float64[:], float)
# run: product_and_sum(arange(1.0, 9.0), 2.0)
# run: product_and_sum(arange(0.0), 2.0)
# run: product_and_sum(array([0.5, -0.0, inf]), 2.0)
# run: product_and_sum(arange(1.0, 19.0), 3.0)
# structure: launches=1 allocs=2 copies=0
def product_and_sum(x, p):
    s = 10.0
    for v in x:
        p *= v
        s -= v
    return float(p), float(s)


#numptx export counted(int64[:], int)
# run: counted(arange(10), 3)
# run: counted(arange(10), 30)
# run: counted(arange(0), 3)
# run: counted(arange(1000)[::-7], 3)
# structure: launches=1 allocs=1 copies=0
def counted(x, k):
    n = 0
    for i in range(x.shape[0]):
        if x[i] > k:
            n += 1
    return n


#numptx export counted_both(int32[:], int)
# run: counted_both(arange(10, dtype=int32), 3)
# run: counted_both(full(10, -2147483648, dtype=int32), 3)
# run: counted_both(full(0, -2147483648, dtype=int32), 3)
# run: counted_both(full(33, 2147483647, dtype=int32), 3)
# structure: launches=1 allocs=2 copies=0
def counted_both(x, k):
    n = 0
    total = 7
    for i in range(x.shape[0]):
        if x[i] > k:
            n += 2
        else:
            n -= 1
        total += int(x[i])
    return n, total


#numptx export largest_ints(int64[:], int)
# run: largest_ints(array([9223372036854775807, -5, 3]), 0)
# run: largest_ints(array([9223372036854775807, -9223372036854775807, 9223372036854775807]), 0)
# run: largest_ints(array([3, 4]), 5)
def largest_ints(x, total):
    for i in range(x.shape[0]):
        total += int(x[i])
    return total


#numptx export wrapped(int64[:])
# run: wrapped(arange(9))
# run: wrapped(zeros(1, dtype=int64))
def wrapped(x):
    s = x[0]
    for i in range(1, x.shape[0]):
        s = s + x[i]
    return s


#numptx export smallest(float64[:])
# run: smallest(random(10))
# run: smallest(ones(1))
# run: smallest(array([nan, 1.0, -1.0]))
# run: smallest(array([2.0, nan, 1.0, nan]))
# run: smallest(array([inf, nan, inf]))
# run: smallest(array([3.0, inf, -inf, nan, -inf]))
# run: smallest(ones(0))
# run: smallest(random(5000))
# structure: launches=3 allocs=4 copies=0
def smallest(x):
    m = x[0]
    at = 0
    for i in range(1, x.shape[0]):
        if x[i] < m:
            m = x[i]
            at = i
    return m, at


#numptx export largest(float64[:], float)
# run: largest(random(10), 0.0)
# run: largest(array([nan, 1.0, -1.0]), 2.0)
# run: largest(array([nan, 1.0, -1.0, 1.0]), -2.0)
# run: largest(array([nan, nan]), -inf)
# run: largest(array([nan, nan]), nan)
# run: largest(array([]), 4.0)
# run: largest(random(5000), 0.5)
# structure: launches=1 allocs=2 copies=0
def largest(x, m):
    at = -1
    for i in range(x.shape[0]):
        if x[i] > m:
            m = float(x[i])
            at = i
    return m, at


#numptx export last_smallest(int64[:])
# run: last_smallest(array([3, 1, 2, 1, 5]))
# run: last_smallest(array([3]))
# run: last_smallest(array([9223372036854775807, 9223372036854775807]))
def last_smallest(x):
    m = 9223372036854775807
    at = -1
    for i in range(x.shape[0]):
        if x[i] <= m:
            m = int(x[i])
            at = i
    return m, at


#numptx export with_min(float64[:], float64[:])
# run: with_min(random(20), random(20))
# run: with_min(array([nan, 3.0]), array([1.0, nan]))
# run: with_min(ones(0), ones(0))
def with_min(x, y):
    low = np.inf
    high = -np.inf
    for i in range(x.shape[0]):
        low = min(low, x[i] * y[i])
        high = max(high, x[i])
    return float(low), float(high)


#numptx export any_above(float64[:], float)
# run: any_above(random(10), 0.5)
# run: any_above(random(10), 1.5)
# run: any_above(ones(0), 1.5)
# run: any_above(array([nan, 2.0]), 1.5)
# structure: launches=1 allocs=1 copies=0
def any_above(x, a):
    found = False
    for i in range(x.shape[0]):
        if x[i] > a:
            found = True
    return found


#numptx export masked(float64[:], int64[:], float64[:])
# run: masked(random(10), arange(10), random(10))
# run: masked(random(10), zeros(10, dtype=int64), random(10))
# run: masked(random(10), arange(10), random(9))
# run: masked(random(10), array([0, 0, 1, 5]), random(10))
def masked(x, k, y):
    s = 0.0
    m = 100.0
    for i in range(k.shape[0]):
        if k[i] > 3:
            s += x[i]
            if y[i] < m and x[i] > 0.1:
                m = y[i]
    return float(s), float(m)


#numptx export of_matrix(float64[:,:], float64[:])
# run: of_matrix(random((4, 5)), random(5))
# run: of_matrix(random((4, 5)).T, random(4))
# run: of_matrix(random((40, 500))[::-2, ::3], random(167))
# run: of_matrix(random((4, 5)), random(4))
# run: of_matrix(random((0, 5)), random(5))
# run: of_matrix(random((4, 0)), random(0))
# run: of_matrix(random((70, 50)), random(50))
# structure: launches=1 allocs=2 copies=0
def of_matrix(x, y):
    s = 0.0
    n = 0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            s += x[i, j] * y[j]
            if x[i, j] > y[j]:
                n += 1
    return float(s), n


#numptx export neighbours(float64[:])
# run: neighbours(random(9))
# run: neighbours(random(1))
# run: neighbours(random(0))
# run: neighbours(random(901))
# structure: launches=1 allocs=1 copies=0
def neighbours(x):
    s = 0.0
    for i in range(1, x.shape[0] - 1):
        s += (x[i - 1] - 2.0 * x[i] + x[i + 1]) ** 2
    return float(s)


#numptx export backwards(float64[:])
# run: backwards(arange(0.0))
# run: backwards(arange(9.0))
# run: backwards(arange(10.0))
# run: backwards(arange(1.0))
# structure: launches=1 allocs=1 copies=0
def backwards(x):
    s = 0.0
    for i in range(x.shape[0] - 1, -1, -2):
        s += x[i] * i
    return float(s)


#numptx export in_order(float64[:])
# run: in_order(random(9))
# run: in_order(random(0))
def in_order(x):
    s = 0.0
    t = 0.0
    for i in range(x.shape[0]):
        s = 0.5 * s + x[i]
        t += s
    return float(s), float(t)


#numptx export bits(int64[:], bool[:])
# run: bits(integers(0, 99, 20), random(20) > 0.5)
# run: bits(integers(0, 99, 0), random(0) > 0.5)
def bits(x, b):
    one = 0
    all_ = True
    for i in range(x.shape[0]):
        one ^= x[i]
        all_ &= b[i]
    return int(one), bool(all_)


#numptx export complex_sum(complex128[:])
# run: complex_sum(random(9) + 1j * random(9))
# run: complex_sum(random(0) + 0j)
def complex_sum(z):
    s = 0j
    for i in range(z.shape[0]):
        s += z[i] * z[i].conjugate()
    return complex(s)


# `z` starts as `s` in every row, and goes another way.
#numptx export one_value_with_two_names(uint8[:,:])
# run: one_value_with_two_names(ones((3, 4), dtype=uint8))
# run: one_value_with_two_names(integers(0, 255, (5, 7), dtype=uint8))
def one_value_with_two_names(x):
    s = 0
    for i in range(x.shape[0]):
        z = s
        for j in range(x.shape[1]):
            s += int(x[i, j])
            z -= int(x[i, j])
    return s


# `t` is of no use, and neither is the array that only it reads.
#numptx export beside_what_nobody_uses(int32[:], int32[:], int)
# run: beside_what_nobody_uses(integers(-9, 9, 12, dtype=int32), integers(-9, 9, 12, dtype=int32), 3)
# run: beside_what_nobody_uses(integers(-9, 9, 12, dtype=int32), integers(-9, 9, 12, dtype=int32), 13)
# run: beside_what_nobody_uses(integers(-9, 9, 5, dtype=int32), integers(-9, 9, 12, dtype=int32), 0)
def beside_what_nobody_uses(x, y, k):
    m = x[0]
    for i in range(min(len(x), 9) - 1, -1, -2):
        t = y[i - 1] if i < len(y) - 1 else y[k]
        if x[i] + x[i % 4] < m:
            m = x[i] + x[i % 4]
    return m


#numptx export after_what_nobody_uses(int32[:], int32[:], int)
# run: after_what_nobody_uses(integers(-9, 9, 12, dtype=int32), integers(-9, 9, 12, dtype=int32), 3)
# run: after_what_nobody_uses(integers(-9, 9, 12, dtype=int32), integers(-9, 9, 12, dtype=int32), 13)
def after_what_nobody_uses(x, y, k):
    m = x[0]
    for i in range(min(len(x), 9) - 1, -1, -2):
        a = x[i] + x[i % 4]
        t = y[i - 1] if i < len(y) - 1 else y[k]
        if a < m:
            m = a
    return m


# Parts of what an iteration computes.
#numptx export parts(complex128[:,:], complex128[:], float64[:])
#numptx export parts(complex64[:,:], complex64[:], float32[:])
# run: parts(random((30, 4), dtype=complex128), random(30, dtype=complex128), random(30))
# run: parts(random((30, 4), dtype=complex64), random(30, dtype=complex64), random(30, dtype=float32))
# run: parts(random((0, 4), dtype=complex128), random(0, dtype=complex128), random(0))
def parts(a, x, y):
    for i in range(a.shape[0]):
        p = a[i, 0] * a[i, 1]
        if p.real > 0.25:
            x[i] = p
        q = np.prod(a[i, :])
        y[i] = q.imag + p.real
