"""Small ints of arrays beside ints of Python, where paths join: compared, stored, and computed with beside numbers that decide on the dtype."""

import numpy as np


#numptx export limited(uint8[:], int64[:], uint8[:])
# run: limited(integers(0, 256, 300, dtype=uint8), zeros(300, dtype=int64), zeros(300, dtype=uint8))
# structure: launches==1 allocs=0 copies=0
# run: limited(array([0, 99, 100, 101, 255], dtype=uint8)[::-1], zeros(5, dtype=int64), zeros(5, dtype=uint8))
# run: limited(zeros(0, dtype=uint8), zeros(0, dtype=int64), zeros(0, dtype=uint8))
def limited(x, y, z):
    for i in range(len(x)):
        v = x[i]
        if v > 100:
            v = 100
        y[i] = v
        y[i] += v
        z[i] = z[i] + v


#numptx export both_ends(int32[:], int64[:])
# run: both_ends(integers(-300, 300, 200, dtype=int32), integers(-9, 9, 200))
# run: both_ends(array([-2**31, 2**31 - 1], dtype=int32), array([5, -5]))
def both_ends(x, y):
    for i in range(len(x)):
        y[i] = y[i] * max(-100, min(x[i], 100))


#numptx export as_ints(uint8[:], int64[:])
# run: as_ints(integers(0, 256, 300, dtype=uint8), zeros(300, dtype=int64))
def as_ints(x, y):
    for i in range(len(x)):
        y[i] = min(int(x[i]), 200) * 2 + int(max(np.uint8(7), x[i]) * 2)


#numptx export not_below_zero(int32[:], int32[:])
# run: not_below_zero(integers(-300, 300, 200, dtype=int32), zeros(200, dtype=int32))
# structure: launches==1
def not_below_zero(x, y):
    for i in range(len(x)):
        y[i] = max(x[i], 0) * 2


#numptx export accumulated(int32[:], uint8[:])
# run: accumulated(integers(-300, 300, 200, dtype=int32), integers(0, 256, 200, dtype=uint8))
# run: accumulated(integers(1, 3, 20, dtype=int32), zeros(20, dtype=uint8))
def accumulated(x, z):
    total, product, most, h = 0, 1, -5, 0
    for i in range(len(x)):
        total += x[i]
        product *= x[i]
        h = h * 31 + z[i]
        if x[i] > most:
            most = x[i]
    return total * 3, product * 2, most, h - 1, most > 7


#numptx export chosen(uint16[:], float64[:])
# run: chosen(integers(0, 9, 200, dtype=uint16), random(10))
def chosen(x, y):
    s = 0.0
    for i in range(len(x)):
        at = x[i] if x[i] > 4 else 4
        s += y[at] * at
        if (x[i] or 9) > 8:
            s += 1
    return s
