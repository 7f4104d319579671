"""Loops that store what they carry, as scans: before and after the update, under a condition, in place, and those that stay loops."""

import numpy as np


#numptx export sums(int64[::], int64[::])
#numptx export sums(int8[::], int8[::])
#numptx export sums(uint32[::], uint32[::])
# run: sums(arange(10), zeros(10, int64))
# structure: launches==1 copies==0
# run: sums(zeros(0, int64), zeros(0, int64))
# run: sums(arange(5, 6), zeros(1, int64))
# run: sums(arange(2), zeros(2, int64))
# run: sums(full(9, 100, int8), zeros(9, int8))
# run: sums(integers(-128, 127, 5000, int8)[::-3], zeros(5000, int8)[::-3])
# run: x = integers(-9, 9, 900); sums(x, x)
# run: x = integers(-9, 9, 900); sums(x, x[::-1])
# run: x = integers(-9, 9, 900); sums(x[1:], x[:-1])
# run: sums(integers(0, 2**32, 70001, uint32), zeros(70001, uint32))
# run: sums(integers(-2**62, 2**62, 200001), zeros(200001, int64))
def sums(x, c):
    s = x.dtype.type(7)
    for i in range(len(x)):
        s += x[i]
        c[i] = s
    return s


#numptx export before(int64[:], int64[:])
# run: before(arange(1, 10), zeros(9, int64))
# structure: launches==2 copies==0
# run: before(zeros(0, int64), zeros(0, int64))
# run: before(arange(5, 6), zeros(1, int64))
# run: before(integers(-99, 99, 100003), zeros(100003, int64))
def before(x, c):
    s = np.int64(3)
    for i in range(len(x)):
        c[i] = s
        s += x[i]
    return s


#numptx export starts(int64[:])
# run: starts(integers(0, 9, 1000))
# run: starts(integers(0, 9, 1))
# structure: launches==2 copies==0
def starts(counts):
    s = np.int64(0)
    for i in range(len(counts)):
        n = counts[i]
        counts[i] = s
        s += n


#numptx export in_place(int32[::])
# run: in_place(integers(-9, 9, 70000, int32))
# structure: launches==1 copies==0
# run: in_place(integers(-9, 9, 999, int32)[::-2])
def in_place(x):
    s = np.int32(0)
    for i in range(len(x)):
        s += x[i]
        x[i] = s


#numptx export ranks(float64[:], float, int64[:])
# run: ranks(random(5000), 0.5, zeros(5000, int64))
# structure: launches==1 copies==0
# run: ranks(array([nan, 1.0, -0.0]), 0.0, zeros(3, int64))
# run: ranks(array([]), 0.5, zeros(0, int64))
def ranks(x, t, k):
    n = 0
    for i in range(len(x)):
        if x[i] > t:
            n += 1
        k[i] = n
    return n


#numptx export greatest(int64[:], int64[:], int64[:])
# run: greatest(integers(-99, 99, 3000), zeros(3000, int64), zeros(3000, int64))
# structure: launches==2 copies==0
# run: greatest(array([3]), zeros(1, int64), zeros(1, int64))
# run: greatest(array([-5, -7, -2, -9]), zeros(4, int64), zeros(4, int64))
def greatest(x, most, least):
    m = np.int64(-3)
    for i in range(len(x)):
        m = max(m, x[i])
        most[i] = m
    n = np.int64(3)
    for i in range(len(x)):
        if x[i] < n and x[i] != -7:
            n = x[i]
        least[i] = n


#numptx export bits(uint8[:], uint8[:], uint8[:], uint8[:])
# run: bits(integers(0, 256, 3000, uint8), zeros(3000, uint8), zeros(3000, uint8), zeros(3000, uint8))
# structure: launches==3 copies==0
def bits(x, a, o, e):
    s = np.uint8(255)
    for i in range(len(x)):
        s &= x[i] | np.uint8(3)
        a[i] = s
    s = np.uint8(0)
    for i in range(len(x)):
        s |= x[i] & np.uint8(5)
        o[i] = s
    s = np.uint8(0)
    for i in range(len(x)):
        s ^= x[i]
        e[i] = s


#numptx export seen(float64[:], bool[:])
# run: seen(random(3000), zeros(3000, bool))
# structure: launches==1 copies==0
# run: seen(zeros(30), ones(30, bool))
def seen(x, c):
    found = False
    for i in range(len(x)):
        if x[i] > 0.99:
            found = True
        c[i] = found
    return found


#numptx export gathered(int64[:], int64[:], int64[:])
# run: gathered(integers(-99, 99, 3000), integers(0, 3000, 3000), zeros(3000, int64))
# run: gathered(arange(4), array([0, -1, 3, 2]), zeros(4, int64))
# run: gathered(arange(4), array([0, 1, 4, 2]), zeros(4, int64))
def gathered(x, at, c):
    s = np.int64(0)
    for i in range(len(at)):
        s += x[at[i]] * 2
        c[i] = s


#numptx export previous(int64[:], int64[:])
# run: previous(arange(9), ones(9, int64))
# structure: launches==1 copies==0
# run: previous(zeros(0, int64), zeros(0, int64))
# run: previous(zeros(1, int64), ones(1, int64))
# run: previous(zeros(2, int64), ones(2, int64))
# run: previous(integers(-99, 99, 100000), integers(-99, 99, 100000))
# run: previous(integers(-99, 99, 10), integers(-99, 99, 5))
def previous(y, x):
    for i in range(1, len(y)):
        y[i] = y[i - 1] + x[i]


#numptx export next_one(int64[:], int64[:])
# run: next_one(integers(-99, 99, 5000), integers(-99, 99, 5000))
# structure: launches==2 copies==0
def next_one(y, x):
    for i in range(len(y) - 2, -1, -1):
        y[i] = y[i + 1] + x[i]
    for i in range(2, len(x), 2):
        x[i] += x[i - 2]


#numptx export row_of(int64[:,:], int64[:], int)
# run: row_of(zeros((4, 300), int64), integers(-99, 99, 300), 2)
# structure: launches==1 copies==0
# run: row_of(zeros((4, 300), int64), integers(-99, 99, 300), -1)
# run: row_of(zeros((4, 300), int64), integers(-99, 99, 300), 4)
def row_of(c, x, j):
    s = np.int64(0)
    for i in range(5, len(x) - 3):
        s += x[i + 3] - x[i]
        c[j, i] = s


#numptx export too_short(int64[:], int64[:])
# run: too_short(arange(9), zeros(9, int64))
# run: too_short(arange(9), zeros(5, int64))
def too_short(x, c):
    s = np.int64(0)
    for i in range(len(x)):
        s += x[i]
        c[i] = s


# The same with one thing changed, which makes each of them another program.
#numptx export kept_as_loops(int64[:], int64[:], int64[:])
# run: kept_as_loops(integers(-9, 9, 300), zeros(301, int64), zeros(301, int64))
# run: kept_as_loops(zeros(0, int64), zeros(1, int64), zeros(1, int64))
def kept_as_loops(x, c, d):
    s = np.int64(1)
    for i in range(len(x)):
        s += x[i] * (s & 3)
        c[i] = s
    s = np.int64(0)
    for i in range(len(x)):
        s += x[i]
        c[i + 1] = s + x[i]
    s = np.int64(0)
    for i in range(len(x)):
        s += x[i] + c[i]
        c[i + 1] = s
    s = np.int64(0)
    for i in range(len(x)):
        s += x[i]
        d[i] = s
        c[i] = s
    s = np.int64(0)
    for i in range(len(x)):
        s += x[i]
        c[0] = s
    s = np.int64(0)
    for i in range(len(x)):
        s += x[i]
        if x[i] > 0:
            c[i] = s
    for i in range(2, len(x)):
        x[i] = x[i - 1] + x[i - 2]


#numptx export one_after(int64[:], int64[:])
# run: one_after(integers(-9, 9, 300), zeros(301, int64))
# structure: launches==1 copies==0
def one_after(x, c):
    s = np.int64(0)
    for i in range(len(x)):
        s += x[i]
        c[i + 1] = s


#numptx export floats(float64[:], float64[:])
# run: floats(random(300), zeros(300))
def floats(x, c):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
        c[i] = s
    return s


#numptx export into_itself(int64[:])
# run: into_itself(integers(-9, 9, 300))
# run: into_itself(zeros(0, int64))
def into_itself(x):
    y = x[1:]
    s = np.int64(0)
    for i in range(len(y)):
        s += x[i]
        y[i] = s
    return s
