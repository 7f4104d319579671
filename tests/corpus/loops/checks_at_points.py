"""Loops whose checks depend on data: kernels make them, and where one fails the arrays are as Python leaves them when it raises."""

import numpy as np


#numptx export taken(float64[:], int64[:], float64[:])
# run: taken(random(9), array([0, 8, 3, -1, -9]), zeros(5))
# run: taken(random(9), integers(-9, 9, 1000), zeros(1000))
# run: taken(random(9), zeros(0, dtype=int64), zeros(0))
# run: taken(random(9), array([9, 8, 3, -1, -9]), zeros(5))
# run: taken(random(9), array([0, 8, -10, -1, -9]), ones(5))
# run: taken(random(9), array([0, 8, 3, -1, 9]), ones(5))
# run: taken(random(0), array([0, 8, 3, -1, 9]), ones(5))
# run: taken(random(9)[::-2], array([0, 4, 3, -1, 5])[::-1], ones(10)[::2])
# run: taken(random(9), array([0, 8, 3, -1, -9]), zeros(4))
# run: x = arange(9.0); taken(x, array([0, 8, 3, -1, -9]), x)
# run: x = arange(9.0); taken(x, array([0, 8, 3, -1, 9]), x[2:7])
# run: taken(random(9), array([0, 8, 3, -1, -9, 1, 1]), zeros(8))
# structure: launches=3 allocs=2 copies=0
def taken(x, at, y):
    for i in range(at.shape[0]):
        y[i] = x[at[i]]


#numptx export taken_anew(float64[:], int64[:])
# run: taken_anew(random(9), array([0, 8, 3, -1, -9]))
# run: taken_anew(random(9), array([0, 8, 9, -1, -9]))
# run: taken_anew(random(9), zeros(0, dtype=int64))
# run: taken_anew(random(9), array([0, 8, 3, -1, -9, 1]))
# structure: launches=3 allocs=2 copies=0
def taken_anew(x, at):
    y = np.zeros(at.shape[0])
    for i in range(at.shape[0]):
        y[i] = x[at[i]]
    return y


#numptx export looked_up(uint8[:], uint16[:])
# run: looked_up(integers(0, 256, 333, dtype=uint8), integers(0, 65536, 256, dtype=uint16))
# run: looked_up(integers(0, 256, 333, dtype=uint8), integers(0, 65536, 255, dtype=uint16))
# run: looked_up(integers(0, 256, 333, dtype=uint8), integers(0, 65536, 1, dtype=uint16))
# run: looked_up(zeros(0, dtype=uint8), integers(0, 65536, 1, dtype=uint16))
# run: looked_up(integers(0, 256, 34, dtype=uint8), integers(0, 65536, 257, dtype=uint16))
# structure: launches=3 allocs=3 copies=0
def looked_up(data, table):
    crc = 0xFFFF
    for i in range(data.size):
        crc = (crc >> 8) ^ int(table[(crc ^ int(data[i])) & 0xFF])
    return crc


#numptx export followed(int64[:], int64[:], int)
# run: followed(array([3, 0, 1, 2]), zeros(4, dtype=int64), 9)
# run: followed(array([3, 0, 1, -2]), zeros(4, dtype=int64), 9)
# run: followed(array([3, 0, 1, -5]), zeros(4, dtype=int64), 9)
# run: followed(array([3, 0, 1, 2]), zeros(3, dtype=int64), 9)
# run: followed(array([3, 0, 1, 2]), zeros(3, dtype=int64), 0)
# run: followed(array([1, 2, 3, 4]), zeros(4, dtype=int64), 9)
# run: followed(array([3, 0, 1, 2]), zeros(4, dtype=int64), 5)
# structure: launches=3 allocs=3 copies=0
def followed(following, seen, n):
    at = 0
    for i in range(n):
        seen[at] = i
        at = int(following[at])
    return at


#numptx export searched(float64[:], float64[:], int64[:])
# run: searched(arange(10.0), random(50) * 12 - 1, zeros(50, dtype=int64))
# run: searched(arange(1.0), random(50) * 12 - 1, zeros(50, dtype=int64))
# run: searched(arange(0.0), random(50), ones(50, dtype=int64))
# run: searched(arange(9.0), array([nan, inf, -inf, 3.0]), ones(4, dtype=int64))
# run: searched(arange(9.0), array([nan, inf, -inf, 3.0]), ones(3, dtype=int64))
def searched(a, q, found):
    for i in range(q.shape[0]):
        low = 0
        high = a.shape[0]
        while low < high:
            middle = (low + high) // 2
            if a[middle] < q[i]:
                low = middle + 1
            else:
                high = middle
        found[i] = low


#numptx export inserted(int64[:], int64[:])
# run: inserted(integers(0, 1000, 20), full(31, -1))
# run: inserted(integers(0, 1000, 31), full(31, -1))
# run: inserted(integers(0, 1000, 20), full(0, -1))
def inserted(keys, table):
    n = table.shape[0]
    for k in range(keys.shape[0]):
        at = keys[k] % n
        while table[at] != -1:
            at = (at + 1) % n
        table[at] = keys[k]


#numptx export moved_and_scaled(float64[:,:], int64[:], int)
# run: moved_and_scaled(random((6, 5)), array([4, 3, 2, 1, 0]), 3)
# run: moved_and_scaled(random((6, 5)), array([4, 3, 5, 1, 0]), 3)
# run: moved_and_scaled(random((6, 5)), array([4, 3, -6, 1, 0]), 3)
# run: moved_and_scaled(random((6, 5)), array([4, 3, -6, 1, 0]), 0)
# run: moved_and_scaled(random((1, 5)), array([4, 3, -6, 1, 0]), 3)
# run: moved_and_scaled(random((0, 5)), array([4, 3, -6, 1, 0]), 3)
def moved_and_scaled(x, at, n):
    for t in range(n):
        for i in range(1, x.shape[0]):
            for j in range(x.shape[1]):
                x[i, j] = x[i - 1, at[j]] * 0.5 + x[i, j]


#numptx export divided(int64[:], int64[:], int64[:])
# run: divided(arange(5), array([1, 2, -3, 4, 5]), zeros(5, dtype=int64))
# run: divided(arange(5), array([1, 2, 3, 0, 5]), ones(5, dtype=int64))
# run: divided(arange(0), zeros(0, dtype=int64), ones(0, dtype=int64))
def divided(x, y, z):
    for i in range(x.shape[0]):
        z[i] = int(x[i]) // int(y[i])


#numptx export refused(float64[:], float64[:])
# run: refused(arange(5.0), zeros(5))
# run: refused(array([0.0, 1.0, -1.0, 2.0]), zeros(4))
# run: refused(array([nan, 1.0, 2.0, -0.0]), zeros(4))
def refused(x, y):
    for i in range(x.shape[0]):
        if x[i] < 0.0:
            raise ValueError(f"element {i} is negative")
        y[i] = np.sqrt(x[i])


#numptx export in_order(float64[:], int64[:], int64[:])
# run: in_order(zeros(5), array([0, 1, 2]), array([2, 3, 4]))
# run: in_order(zeros(5), array([0, 9, 2]), array([2, 3, 7]))
# run: in_order(zeros(5), array([0, 1, 2]), array([2, 7, 4]))
# run: in_order(zeros(5), array([0, 1, 2]), array([2, 7]))
def in_order(x, a, b):
    for i in range(a.shape[0]):
        x[a[i]] = i
        x[b[i]] += 1.0


#numptx export powers(int64[:], int)
# run: powers(zeros(10, dtype=int64), 3)
# run: powers(zeros(70, dtype=int64), 3)
# run: powers(zeros(70, dtype=int64), -1)
def powers(x, base):
    p = 1
    for i in range(x.shape[0]):
        x[i] = p
        p *= base


#numptx export large_factors(int64[:], int)
# run: large_factors(zeros(8, dtype=int64), 2)
# run: large_factors(zeros(8, dtype=int64), 8)
def large_factors(z, n):
    for i in range(n):
        t = i * 1152921504606846976
        z[i] = t + t + t


#numptx export compared_after_wrapping(int64[:], int64[:])
# run: compared_after_wrapping(zeros(8, dtype=int64), full(1, 2**60))
# run: compared_after_wrapping(zeros(8, dtype=int64), full(1, -(2**60)))
def compared_after_wrapping(z, a):
    for i in range(len(z) * 3):
        k = a[0] * i * 16 + i
        if k < 8:
            z[k] = i


#numptx export raised_where_all_hold(float64[:], int, bool)
# run: raised_where_all_hold(ones(4), 3, False)
# run: raised_where_all_hold(ones(4), 3, True)
# run: raised_where_all_hold(ones(4), 0, False)
# run: raised_where_all_hold(ones(0), 2, False)
# run: raised_where_all_hold(ones(1), 9, False)
def raised_where_all_hold(y, n, flag):
    for step in range(n, 0, -1):
        for i in range(1, len(y)):
            y[i] = i
        if 2 > step and step - 1 < 4 and not flag:
            raise RuntimeError("the last step")


#numptx export raised_within(float64[:], int, int, int)
# run: raised_within(ones(6), 2, 4, 9)
# run: raised_within(ones(6), 2, 4, 3)
# run: raised_within(ones(6), 4, 2, 3)
# run: raised_within(ones(6), 7, 9, 8)
# run: raised_within(ones(6), -3, -1, 9)
def raised_within(y, lower, upper, other):
    for i in range(len(y)):
        if lower < i and i < upper and i != other:
            raise ValueError("a number in between")
        y[i] = i
