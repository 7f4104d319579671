"""Loops whose points make arrays for themselves that take more memory together than one launch may have."""

import numpy as np


#numptx export last_seen(int64[:], int64[:])
# run: last_seen(integers(0, 100000, 1500), zeros(1500, dtype=int64))
# structure: launches==6 allocs==5 syncs=1 peak=540000000
# run: last_seen(integers(0, 100000, 600), zeros(600, dtype=int64))
# structure: launches==4 allocs==5 syncs=1
# run: last_seen(integers(-100000, 100000, 3000)[::-2], zeros(1500, dtype=int64)[::-1])
# run: x = integers(0, 100000, 1501); last_seen(x[1:], x[:-1])
# run: x = integers(0, 100000, 1500); x[1400] = 100000; last_seen(x, zeros(1500, dtype=int64))
# run: x = integers(0, 100000, 1500); x[3] = -100001; last_seen(x, zeros(1500, dtype=int64))
# run: last_seen(zeros(0, dtype=int64), zeros(0, dtype=int64))
# run: last_seen(integers(0, 100000, 1), zeros(1, dtype=int64))
# run: last_seen(integers(0, 100000, 1500), zeros(1499, dtype=int64))
def last_seen(x, out):
    for i in range(x.shape[0]):
        seen = np.empty(100000, dtype=np.int64)
        seen[x[i]] = i
        seen[7] = 3 * i
        out[i] = seen[x[i]] + seen[7]


#numptx export sorted_of_four(float64[:,:])
# run: sorted_of_four(random((41, 50)))
# structure: launches==7 peak=540000000
# run: sorted_of_four(random((3, 800)))
# structure: launches==7 peak=540000000
# run: sorted_of_four(random((15, 16)))
# structure: launches==4 peak=540000000
# run: sorted_of_four(random((800, 3)))
# run: sorted_of_four(random((41, 100))[::-1, ::-2])
# run: sorted_of_four(random((2, 3)))
# run: sorted_of_four(random((0, 3)))
# run: sorted_of_four(random((3, 0)))
# run: sorted_of_four(random((1, 1)))
def sorted_of_four(x):
    out = np.zeros(x.shape)
    for i in range(x.shape[0] - 1):
        for j in range(x.shape[1] - 1):
            values = np.empty(100000)
            for n in range(4):
                v = x[i + n // 2, j + n % 2]
                k = n
                while k > 0 and values[k - 1] > v:
                    values[k] = values[k - 1]
                    k -= 1
                values[k] = v
            out[i, j] = values[1] - values[2]
    return out


#numptx export of_two_sizes(float64[:,:], int)
# run: of_two_sizes(random((30, 60)), 60000)
# structure: launches==6 peak=540000000
# run: of_two_sizes(random((30, 60)), 3)
# structure: launches==5
# run: of_two_sizes(random((30, 60)), 2)
# run: of_two_sizes(random((30, 60)), 0)
# run: of_two_sizes(random((30, 60)), -1)
# run: of_two_sizes(random((0, 60)), 60000)
# run: of_two_sizes(random((30, 2)), 60000)
def of_two_sizes(x, n):
    out = np.zeros(x.shape)
    for i in range(x.shape[0]):
        for j in range(2, x.shape[1]):
            large = np.empty(n)
            small = np.empty(n // 2 + 1, dtype=np.int32)
            for k in range(3):
                large[k] = x[i, j - k]
                small[k // 2] = k + i
            best = 0
            for k in range(1, 3):
                if large[k] < large[best]:
                    best = k
            out[i, j] = large[best] * small[best // 2] + small[0]
    return out


#numptx export three_deep(float32[:,:,:])
# run: three_deep(random((3, 40, 20), float32))
# structure: launches==9 peak=540000000
# run: three_deep(random((3, 40, 5), float32))
# structure: launches==4 peak=540000000
# run: three_deep(random((1, 2, 1500), float32))
# run: three_deep(random((3, 2, 0), float32))
def three_deep(x):
    out = np.zeros(x.shape, dtype=np.float32)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            for k in range(x.shape[2]):
                both = np.empty(200000, dtype=np.float32)
                for n in range(2):
                    both[n * (i + 1)] = x[i, j, k] + n
                both[k] = both[0] - both[i + 1]
                out[i, j, k] = both[k] * both[0]
    return out


#numptx export falling(float64[:], float64[:])
# run: falling(random(1500), zeros(1500))
# structure: launches==3 peak=540000000
# run: falling(random(300), zeros(300))
# structure: launches==1 peak=540000000
# run: falling(random(0), zeros(0))
# run: falling(random(1500)[::-1], zeros(3000)[::2])
def falling(x, out):
    for i in range(x.shape[0] - 1, -1, -1):
        both = np.empty(100000)
        for n in range(2):
            both[n] = x[i] * (n + 1)
        out[i] = both[1] - both[0] * both[0]


#numptx export by_steps(float64[:,:])
# run: by_steps(random((90, 60)))
# structure: launches==3 peak=536930000
# run: by_steps(random((40, 60)))
# structure: launches==2 peak=536930000
# run: by_steps(random((91, 61)))
# run: by_steps(random((1, 1)))
# run: by_steps(random((0, 2)))
def by_steps(x):
    out = np.zeros(x.shape)
    for i in range(1, x.shape[0], 2):
        for j in range(x.shape[1] - 1, 0, -3):
            both = np.empty(100000)
            for n in range(2):
                both[n + i] = x[i - n, j]
            out[i, j] = both[i] - both[i + 1] * j
    return out


#numptx export triangle(float64[:,:])
# run: triangle(random((60, 60)))
# run: triangle(random((1, 1)))
def triangle(x):
    out = np.zeros(x.shape)
    for i in range(x.shape[0]):
        for j in range(i, x.shape[0]):
            both = np.empty(100000)
            for n in range(2):
                both[n + i] = x[i - n, j]
            out[j, i] = both[i] - both[i + 1] * j
    return out


#numptx export summed(float64[:])
# run: summed(random(1500))
# run: summed(random(1))
# tolerance: 1e-13
def summed(x):
    total = 0.0
    for i in range(x.shape[0]):
        both = np.empty(100000)
        for n in range(2):
            both[n] = x[i] * (n + 1)
        total += both[1] - both[0] * both[0]
    return total


#numptx export in_time(float64[:,:], int)
# run: in_time(random((40, 45)), 2)
# run: in_time(random((3, 5)), 0)
def in_time(x, steps):
    for _ in range(steps):
        new = x.copy()
        for i in range(1, x.shape[0] - 1):
            for j in range(x.shape[1]):
                values = np.empty(100000)
                for n in range(3):
                    values[n] = x[i + n - 1, j]
                new[i, j] = max(values[0], min(values[1], values[2]))
        x = new
    return x


#numptx export many_small(int64[:], int64[:])
# run: many_small(integers(0, 10**6, 70000), zeros(70000, dtype=int64))
# structure: launches==1 allocs==1
# run: many_small(integers(-10**6, 10**6, 7), zeros(7, dtype=int64))
def many_small(x, out):
    for i in range(x.shape[0]):
        digits = np.empty(4, dtype=np.int64)
        v = x[i]
        for n in range(4):
            digits[n] = v % 10
            v = v // 10
        for n in range(4):
            out[i] = out[i] * 10 + digits[n]
