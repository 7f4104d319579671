"""Loops of integers that multiply what they carry and add to it: scans without a flag, for numbers that wrap are exact in any order."""

import numpy as np


#numptx export generated(uint32, uint32[:])
#numptx export generated(uint64, uint64[:])
# run: generated(uint32(7), zeros(10, uint32))
# structure: launches==1 copies==0
# run: generated(uint32(7), zeros(0, uint32))
# run: generated(uint32(7), zeros(1, uint32))
# run: generated(uint32(7), zeros(300001, uint32))
# run: generated(uint64(7), zeros(70001, uint64))
def generated(seed, y):
    s = seed
    a, c = y.dtype.type(1664525), y.dtype.type(1013904223)
    for i in range(len(y)):
        s = s * a + c
        y[i] = s
    return s


#numptx export hashes(uint8[:], uint64[::])
# run: hashes(integers(0, 256, 100, uint8), zeros(100, uint64))
# structure: launches==1 copies==0
# run: hashes(integers(0, 256, 200001, uint8), zeros(200001, uint64))
# run: hashes(integers(0, 256, 100, uint8), zeros(200, uint64)[::-2])
# run: hashes(integers(0, 256, 0, uint8), zeros(0, uint64))
def hashes(text, h):
    s = np.uint64(14695981039346656037)
    for i in range(len(text)):
        s = s * np.uint64(31) + np.uint64(text[i])
        h[i] = s


#numptx export small(int8[:], int8[:], int8[:])
# run: small(integers(-128, 128, 3000, int8), integers(-128, 128, 3000, int8), integers(-128, 128, 3000, int8))
# structure: launches==1 copies==0
# run: small(integers(-128, 128, 1, int8), integers(-128, 128, 1, int8), integers(-128, 128, 1, int8))
def small(a, b, y):
    for i in range(1, len(y)):
        y[i] = a[i] * y[i - 1] - b[i]


#numptx export after(int64[:], int64[:])
# run: after(integers(-9, 9, 3000), integers(-9, 9, 3000))
# structure: launches==1 copies==0
# run: after(integers(-9, 9, 200000), integers(-9, 9, 200000))
def after(x, y):
    for i in range(len(y) - 2, -1, -1):
        y[i] = x[i] - 3 * y[i + 1]


#numptx export in_runs(bool[:], int64[:])
# run: in_runs(random(3000) < 0.9, zeros(3000, int64))
# structure: launches==1 copies==0
# run: in_runs(ones(3, bool), zeros(3, int64))
# run: in_runs(zeros(3, bool), zeros(3, int64))
# run: in_runs(random(200000) < 0.999, zeros(200000, int64))
def in_runs(holds, y):
    s = np.int64(0)
    for i in range(len(holds)):
        s = s + np.int64(1) if holds[i] else np.int64(0)
        y[i] = s


#numptx export filled(int32[:], int32[:])
# run: filled(integers(-5, 5, 3000, int32) // 4, zeros(3000, int32))
# structure: launches==1 copies==0
# run: filled(zeros(3, int32), zeros(3, int32))
def filled(x, y):
    s = np.int32(99)
    for i in range(len(x)):
        if x[i] != 0:
            s = x[i]
        y[i] = s


# An int of Python's that wraps is an error, and nobody knows how large this one becomes.
#numptx export of_python(int64[:], int64[:])
# run: of_python(integers(-9, 9, 20), zeros(20, int64))
def of_python(x, y):
    s = 1
    for i in range(len(x)):
        s = 3 * s + int(x[i])
        y[i] = s
    return s
