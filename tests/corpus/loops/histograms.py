"""Loops that combine values with elements at indices from data: histograms, sums by label. Chunks of iterations combine apart, then together."""

import numpy as np


#numptx export counted(int64[:], int64[:])
# run: counted(zeros(10, dtype=int64), integers(-10, 10, 5000))
# structure: launches=5 allocs=3 copies=0
# run: counted(zeros(10, dtype=int64), integers(0, 10, 50))
# structure: launches=3 allocs=2 copies=0
# run: counted(zeros(10000, dtype=int64), integers(0, 10000, 5000))
# run: counted(zeros(1, dtype=int64), zeros(3000, dtype=int64))
# run: counted(zeros(0, dtype=int64), zeros(0, dtype=int64))
# run: counted(zeros(0, dtype=int64), zeros(1000, dtype=int64))
# run: counted(integers(0, 9, 20)[::-2], integers(0, 10, 6000)[::-3])
# run: counted(full(5, 2**63 - 3), integers(0, 5, 3000))
# run: counted(zeros(10, dtype=int64), where(arange(5000) == 4321, 10, 3))
# run: counted(zeros(10, dtype=int64), where(arange(5000) == 4321, -11, -3))
# run: counted(zeros(10, dtype=int64), where(arange(5000) > 2, 10, 3))
# run: x = integers(0, 9, 2000); counted(x, x)
# run: x = integers(0, 9, 2000); counted(x[:9], x[5:])
def counted(y, idx):
    for i in range(len(idx)):
        y[idx[i]] += 1


#numptx export weighed(float64[:], int32[:], float64[:])
# run: weighed(zeros(10), integers(-10, 10, 5000, dtype=int32), random(5000))
# run: weighed(full(10, -0.0), integers(0, 9, 5000, dtype=int32), random(5000))
# run: weighed(random(7), integers(-7, 7, 50, dtype=int32), random(50))
# run: weighed(random(2000), integers(0, 2000, 20000, dtype=int32), random(20000) - 0.5)
# run: weighed(random(3), integers(0, 3, 5000, dtype=int32), where(arange(5000) == 77, nan, 1.0))
# run: weighed(random(3), integers(0, 3, 5000, dtype=int32), where(arange(5000) == 77, -inf, 1.0))
# run: weighed(random(3), integers(0, 3, 5000, dtype=int32), random(4000))
# run: weighed(random(3), where(arange(5000) == 4000, 3, 1).astype(int32), random(4000))
# run: weighed(random(3), where(arange(5000) == 3999, 3, 1).astype(int32), random(4000))
# run: weighed(random(6)[::2], integers(0, 3, 5000, dtype=int32), random(10000)[::-2])
# run: x = random(5000); weighed(x[:9], integers(0, 9, 4000, dtype=int32), x[5:])
def weighed(y, idx, v):
    for i in range(idx.shape[0]):
        y[idx[i]] += v[i]


#numptx export drained(int8[:], uint16[:], float32[:], int64[:])
# run: drained(integers(0, 100, 4, dtype=int8), integers(0, 9, 4, dtype=uint16), random(4, dtype=float32), integers(-4, 4, 4000))
# run: drained(integers(0, 100, 4, dtype=int8), integers(0, 9, 4, dtype=uint16), random(5, dtype=float32), integers(-4, 4, 4000))
# run: drained(integers(0, 100, 4, dtype=int8), integers(0, 9, 5, dtype=uint16), random(4, dtype=float32), integers(-4, 5, 4000))
def drained(a, b, c, idx):
    for i in range(0, idx.size, 3):
        k = idx[i]
        a[k] -= 7
        b[k] -= 2
        c[k] -= np.float32(0.25)


#numptx export products(float64[:], complex128[:], int32[:], int64[:])
# run: products(ones(4), ones(4, dtype=complex128), ones(4, dtype=int32), integers(0, 4, 3000))
# run: products(array([nan, 0.0, -1.0, inf]), ones(4, dtype=complex128), ones(4, dtype=int32), integers(0, 4, 3000))
def products(a, b, c, idx):
    for i in range(idx.size):
        a[idx[i]] *= 1.001
        b[idx[i]] *= 1j
        c[idx[i]] *= 3


#numptx export largest(float64[:], int64[:], float64[:])
# run: largest(full(8, -inf), integers(0, 7, 5000), random(5000) - 0.5)
# run: largest(zeros(8), integers(0, 8, 5000), random(5000) - 0.5)
# run: largest(array([nan, 0.0, -0.0, -1.0]), integers(0, 4, 5000), where(random(5000) < 0.3, nan, -0.0))
# run: largest(zeros(8), where(arange(5000) == 4999, 8, 0), random(5000))
def largest(y, k, v):
    for i in range(len(k)):
        y[k[i]] = max(y[k[i]], v[i])


#numptx export extremes(float64[:], float64[:], int64[:], int16[:], int64[:], float64[:])
# run: extremes(full(8, inf), full(8, -inf), full(8, 99), zeros(8, dtype=int16), integers(0, 8, 5000), random(5000) - 0.5)
# run: extremes(full(8, nan), full(8, -0.0), full(8, 99), zeros(8, dtype=int16), integers(0, 8, 5000), where(random(5000) < 0.3, 0.0, -0.0))
# run: extremes(zeros(8), zeros(8), full(8, 99), zeros(8, dtype=int16), integers(0, 8, 5000), where(random(5000) < 0.001, nan, random(5000) - 0.5))
def extremes(a, b, c, d, k, v):
    for i in range(len(k)):
        a[k[i]] = min(a[k[i]], v[i])
        b[k[i]] = np.maximum(v[i], b[k[i]])
        c[k[i]] = min(i, c[k[i]])
        d[k[i]] = max(np.int16(i), d[k[i]])


#numptx export bits(uint8[:], bool[:], int64[:], int64[:], bool[:])
# run: bits(full(5, 255, dtype=uint8), zeros(5, dtype=bool), zeros(5, dtype=int64), integers(0, 5, 3000), random(3000) < 0.001)
# run: bits(full(5, 255, dtype=uint8), ones(5, dtype=bool), zeros(5, dtype=int64), integers(0, 4, 3000), random(3000) < 0.001)
def bits(a, b, c, k, v):
    for i in range(len(k)):
        a[k[i]] &= 0xF0
        b[k[i]] |= v[i]
        c[k[i]] ^= i


#numptx export equal_bins(float64[:], float64[:], float, float)
# run: equal_bins(zeros(10), random(5000) * 12 - 1, 0.0, 1.0)
# run: equal_bins(zeros(10), random(5000), 0.0, 0.1)
# run: equal_bins(zeros(10), array([nan, 1.0]), 0.0, 1.0)
# run: equal_bins(zeros(10), where(arange(5000) == 3333, nan, 1.5), 0.0, 1.0)
# run: equal_bins(zeros(10), where(arange(5000) == 3333, inf, 1.5), 0.0, 1.0)
# run: equal_bins(zeros(10), random(5000), 0.0, 0.0)
# run: equal_bins(zeros(0), random(5000), 0.0, 0.1)
def equal_bins(y, x, low, width):
    for i in range(len(x)):
        k = int((x[i] - low) / width)
        if k >= 0 and k < len(y):
            y[k] += 1.0


#numptx export binned(float64[:], float64, float64, int)
# run: binned(random(5000), 0.0, 1.0, 10)
# run: binned(random(50), 0.0, 1.0, 10)
# run: binned(random(5000), 0.0, 0.5, 10)
# run: binned(random(0), 0.0, 1.0, 10)
# run: binned(random(5000), 0.0, 1.0, 0)
def binned(x, low, high, n):
    counts = np.zeros(n, dtype=np.int64)
    for i in range(x.shape[0]):
        if low <= x[i] < high:
            counts[int((x[i] - low) / (high - low) * n)] += 1
    return counts


#numptx export in_two_axes(int32[:,:], float64[:], float64[:])
# run: in_two_axes(zeros((4, 5), dtype=int32), random(5000), random(5000))
# run: in_two_axes(zeros((5, 4), dtype=int32).T, random(5000), random(5000))
# run: in_two_axes(zeros((4, 5), dtype=int32), where(arange(5000) == 4000, 1.5, 0.3), random(5000))
# run: in_two_axes(zeros((4, 5), dtype=int32), random(5000), where(arange(5000) == 4000, -1.5, 0.3))
def in_two_axes(y, u, v):
    for i in range(u.size):
        y[int(u[i] * 4), int(v[i] * 5)] += 1


#numptx export of_image(int64[:], uint8[:,:])
# run: of_image(zeros(256, dtype=int64), integers(0, 256, (100, 90), dtype=uint8))
# run: of_image(zeros(256, dtype=int64), integers(0, 256, (90, 100), dtype=uint8).T)
# run: of_image(zeros(256, dtype=int64), integers(0, 256, (3, 5), dtype=uint8))
# run: of_image(zeros(255, dtype=int64), integers(0, 256, (100, 90), dtype=uint8))
# run: of_image(zeros(256, dtype=int64), integers(0, 256, (0, 5), dtype=uint8))
def of_image(y, image):
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            y[image[i, j]] += 1


#numptx export by_label(float64[:,:], int64[:], float64[:,:], int64[:])
# run: by_label(zeros((4, 3)), zeros(4, dtype=int64), random((3000, 3)), integers(0, 4, 3000))
# run: by_label(zeros((4, 3)), zeros(4, dtype=int64), random((3000, 3)), where(arange(3000) == 2000, 4, 1))
# run: by_label(zeros((4, 3)), zeros(3, dtype=int64), random((3000, 3)), where(arange(3000) == 2000, 3, 1))
# run: by_label(zeros((4, 3)), zeros(4, dtype=int64), random((3000, 2)), integers(0, 4, 3000))
# run: by_label(zeros((4, 0)), zeros(4, dtype=int64), random((3000, 0)), integers(0, 4, 3000))
def by_label(sums, counts, points, labels):
    for i in range(points.shape[0]):
        k = labels[i]
        for d in range(points.shape[1]):
            sums[k, d] += points[i, d]
        counts[k] += 1


#numptx export rows_by_label(float64[:,:], float64[:,:], int64[:])
# run: rows_by_label(zeros((4, 3)), random((3000, 3)), integers(0, 4, 3000))
# run: rows_by_label(zeros((4, 3)), random((3000, 3)), where(arange(3000) == 2000, 4, 1))
# run: rows_by_label(zeros((4, 3)), random((3000, 1)), integers(0, 4, 3000))
def rows_by_label(sums, points, labels):
    for i in range(labels.size):
        sums[labels[i]] += points[i]


#numptx export nearest(int64[:], float64[:,:], float64[:,:])
# run: nearest(zeros(5, dtype=int64), random((2000, 2)), random((5, 2)))
# run: nearest(zeros(4, dtype=int64), random((2000, 2)), random((5, 2)))
def nearest(counts, points, centres):
    for i in range(points.shape[0]):
        best = 0
        least = np.inf
        for k in range(centres.shape[0]):
            distance = 0.0
            for d in range(points.shape[1]):
                distance += (points[i, d] - centres[k, d]) ** 2
            if distance < least:
                least = distance
                best = k
        counts[best] += 1


#numptx export of_steps(int64[:,:], int64[:,:])
# run: of_steps(zeros((3, 10), dtype=int64), integers(0, 10, (3, 4000)))
# run: of_steps(zeros((3, 10), dtype=int64), where(arange(12000).reshape(3, 4000) == 7000, 10, 1))
def of_steps(y, idx):
    for t in range(idx.shape[0]):
        for i in range(idx.shape[1]):
            y[t, idx[t, i]] += 1


#numptx export backwards(float64[:], int64[:], float64[:])
# run: backwards(zeros(10), integers(0, 10, 5000), random(5000))
# run: backwards(zeros(10), where(arange(5000) == 1000, 10, 1), random(5000))
def backwards(y, k, v):
    for i in range(len(k) - 1, -1, -2):
        y[k[i]] += v[i] * v[i]


# Not histograms: these read what they update, or update in two ways.
#numptx export chained(float64[:], int64[:])
# run: chained(random(10), integers(0, 10, 3000))
# run: chained(random(10), integers(0, 11, 3000))
def chained(y, k):
    for i in range(1, len(k)):
        y[k[i]] += y[k[i - 1]] * 0.125


#numptx export in_two_ways(float64[:], int64[:])
# run: in_two_ways(random(10), integers(0, 10, 3000))
def in_two_ways(y, k):
    for i in range(len(k)):
        y[k[i]] += 1.0
        y[k[i]] *= 0.5


#numptx export halved(int64[:], int64[:], float64[:])
# run: halved(zeros(10, dtype=int64), integers(0, 10, 3000), random(3000) * 3)
def halved(y, k, v):
    for i in range(len(k)):
        y[k[i]] = int(y[k[i]] + v[i])


#numptx export last_or_larger(float64[:], int64[:], float64[:])
# run: last_or_larger(zeros(10), integers(0, 10, 3000), where(random(3000) < 0.1, nan, random(3000)))
def last_or_larger(y, k, v):
    for i in range(len(k)):
        y[k[i]] = max(v[i], y[k[i]])


#numptx export marked(float64[:], int64[:], float64[:])
# run: marked(zeros(10), integers(0, 10, 3000), zeros(3000))
# run: marked(zeros(10), where(arange(3000) == 2000, 10, 1), zeros(3000))
def marked(y, k, seen):
    for i in range(len(k)):
        seen[i] = 1.0
        y[k[i]] += 1.0


# Which elements are updated data tell: chunks, where the inner loop is parallel, too.
#numptx export total_by_label(float64[:,:], int64[:], float64[:,:])
# run: total_by_label(random((4000, 3)), integers(0, 4, 4000), zeros((4, 3)))
# run: total_by_label(random((40, 3)), integers(0, 4, 40), zeros((4, 3)))
# run: total_by_label(random((4000, 3)), where(arange(4000) == 3999, -5, 1), zeros((4, 3)))
# run: total_by_label(random((0, 3)), integers(0, 4, 0), zeros((4, 3)))
def total_by_label(x, label, total):
    for i in range(x.shape[0]):
        for k in range(x.shape[1]):
            total[label[i], k] += x[i, k]


# One table is updated where another tells so, and by inner loops: the lanes of a warp share what iterations do by themselves.
#numptx export apart(float64[:], int64[:], float64[:], int64[:], float64[:])
# run: apart(zeros(9), zeros(5, dtype=int64), zeros(4), integers(0, 9, 5000), random(5000))
# run: apart(zeros(9), zeros(5, dtype=int64), zeros(4), integers(0, 9, 50), random(50))
# run: apart(zeros(9), zeros(4, dtype=int64), zeros(4), where(arange(5000) == 3210, 8, 2), random(5000))
# run: apart(zeros(8), zeros(4, dtype=int64), zeros(4), where(arange(90) == 32, 8, 2), random(90))
# run: apart(zeros(9), zeros(5, dtype=int64), zeros(3), where(arange(90) == 64, 6, 2), random(90))
def apart(a, b, c, k, v):
    for i in range(len(k)):
        j = k[i]
        s = 0.0
        for t in range(j):
            s += v[(i + t) % len(v)]
        a[j] += s
        if v[i] > 0.5:
            b[j // 2] += j
        elif j < 8:
            c[j // 2] -= v[i]
