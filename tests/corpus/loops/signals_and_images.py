"""Filters, windows and pictures as people write them: one element after the other, and conditions at the edges."""

import math

import numpy as np


#numptx export moving_mean(float64[:], int)
# run: moving_mean(random(60), 7)
# structure: launches=2 allocs=1 copies=0 syncs=0
# run: moving_mean(random(6), 6)
# run: moving_mean(random(6), 9)
# run: moving_mean(random(0), 1)
def moving_mean(x, k):
    out = np.zeros(max(len(x) - k + 1, 0))
    s = 0.0
    for i in range(len(x)):
        s += x[i]
        if i >= k:
            s -= x[i - k]
        if i >= k - 1:
            out[i - k + 1] = s / k
    return out


#numptx export window_means(float32[:], int)
# run: window_means(random(60, dtype=float32), 3)
# structure: launches=3 allocs=2 copies=0 syncs=1
# run: window_means(random(60, dtype=float32), 0)
# run: window_means(random(2, dtype=float32), 3)
# run: window_means(random(0, dtype=float32), 3)
def window_means(x, r):
    out = np.zeros_like(x)
    for i in range(len(x)):
        s = np.float32(0)
        n = 0
        for j in range(max(i - r, 0), min(i + r + 1, len(x))):
            s += x[j]
            n += 1
        out[i] = s / np.float32(n)
    return out


#numptx export smoothed(float64[:], float)
# run: smoothed(random(100), 0.3)
# structure: launches=2 allocs=1 copies=0 syncs=0
# run: smoothed(random(1), 0.3)
# run: smoothed(random(0), 0.3)
def smoothed(x, alpha):
    y = np.empty_like(x)
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = alpha * x[i] + (1.0 - alpha) * y[i - 1]
    return y


#numptx export biquad(float64[:], float64[:], float64[:])
# run: biquad(random(100), array([0.2, 0.3, 0.1]), array([1.0, -0.4, 0.2]))
# structure: launches=6 allocs=5 copies=0 syncs=1
# run: biquad(random(0), array([0.2, 0.3, 0.1]), array([1.0, -0.4, 0.2]))
# run: biquad(random(9), array([0.2, 0.3]), array([1.0, -0.4, 0.2]))
def biquad(x, b, a):
    y = np.zeros(len(x))
    x1 = x2 = y1 = y2 = 0.0
    for n in range(len(x)):
        v = b[0] * x[n] + b[1] * x1 + b[2] * x2 - a[1] * y1 - a[2] * y2
        x2, x1 = x1, x[n]
        y2, y1 = y1, v
        y[n] = v
    return y


#numptx export filtered(float64[:], float64[:], float64[:])
# run: filtered(random(50), random(4), array([1.0, 0.2, 0.1]))
# run: filtered(random(50), random(4), array([1.0]))
# run: filtered(random(0), random(4), array([1.0]))
def filtered(x, b, a):
    y = np.zeros_like(x)
    for n in range(len(x)):
        for k in range(len(b)):
            if n - k >= 0:
                y[n] += b[k] * x[n - k]
        for k in range(1, len(a)):
            if n - k >= 0:
                y[n] -= a[k] * y[n - k]
    return y


#numptx export median_of_three(float64[:])
# run: median_of_three(random(50))
# structure: launches=2 allocs=1 copies=0 syncs=0
# run: median_of_three(random(2))
# run: median_of_three(random(0))
def median_of_three(x):
    y = x.copy()
    for i in range(1, len(x) - 1):
        a, b, c = x[i - 1], x[i], x[i + 1]
        if a > b:
            a, b = b, a
        if b > c:
            b, c = c, b
        if a > b:
            a, b = b, a
        y[i] = b
    return y


#numptx export median_filtered(uint8[:,:])
# run: median_filtered(integers(0, 256, (14, 19), dtype=uint8))
# run: median_filtered(integers(0, 256, (2, 19), dtype=uint8))
# run: median_filtered(integers(0, 256, (0, 0), dtype=uint8))
def median_filtered(image):
    out = image.copy()
    for y in range(1, image.shape[0] - 1):
        for x in range(1, image.shape[1] - 1):
            window = np.empty(9, dtype=np.uint8)
            for k in range(9):
                window[k] = image[y + k // 3 - 1, x + k % 3 - 1]
            for i in range(1, 9):
                v = window[i]
                j = i
                while j > 0 and window[j - 1] > v:
                    window[j] = window[j - 1]
                    j -= 1
                window[j] = v
            out[y, x] = window[4]
    return out


#numptx export halved(float32[:,:])
# run: halved(random((14, 18), dtype=float32))
# structure: launches=2 allocs=1 copies=0 syncs=0
# run: halved(random((15, 1), dtype=float32))
# run: halved(random((0, 4), dtype=float32))
def halved(image):
    h, w = image.shape[0] // 2, image.shape[1] // 2
    out = np.zeros((h, w), dtype=np.float32)
    for i in range(h):
        for j in range(w):
            out[i, j] = (
                image[2 * i, 2 * j] + image[2 * i + 1, 2 * j] + image[2 * i, 2 * j + 1] + image[2 * i + 1, 2 * j + 1]
            ) * np.float32(0.25)
    return out


#numptx export resized(float64[:,:], int, int)
# run: resized(random((9, 13)), 20, 31)
# structure: launches=2 allocs=2 copies=0 syncs=1
# run: resized(random((9, 13)), 4, 5)
# run: resized(random((1, 1)), 3, 3)
# run: resized(random((5, 5)), 0, 3)
def resized(image, height, width):
    h, w = image.shape
    out = np.empty((height, width))
    for i in range(height):
        for j in range(width):
            y = (i + 0.5) * h / height - 0.5
            x = (j + 0.5) * w / width - 0.5
            y0, x0 = math.floor(y), math.floor(x)
            fy, fx = y - y0, x - x0
            y1, x1 = min(max(y0 + 1, 0), h - 1), min(max(x0 + 1, 0), w - 1)
            y0, x0 = min(max(y0, 0), h - 1), min(max(x0, 0), w - 1)
            top = image[y0, x0] * (1 - fx) + image[y0, x1] * fx
            bottom = image[y1, x0] * (1 - fx) + image[y1, x1] * fx
            out[i, j] = top * (1 - fy) + bottom * fy
    return out


#numptx export convolved(float64[:,:], float64[:,:])
# run: convolved(random((17, 12)), random((3, 5)))
# structure: launches=2 allocs=1 copies=0 syncs=0
# run: convolved(random((2, 2)), random((5, 5)))
# run: convolved(random((0, 2)), random((3, 3)))
def convolved(image, kernel):
    h, w = image.shape
    kh, kw = kernel.shape
    out = np.zeros_like(image)
    for y in range(h):
        for x in range(w):
            s = 0.0
            for dy in range(kh):
                for dx in range(kw):
                    yy = y + dy - kh // 2
                    xx = x + dx - kw // 2
                    if yy < 0 or yy >= h or xx < 0 or xx >= w:
                        continue
                    s += image[yy, xx] * kernel[dy, dx]
            out[y, x] = s
    return out


#numptx export run_lengths(int64[:])
# run: run_lengths(integers(0, 3, 100))
# structure: launches=5 allocs=6 copies=0 syncs=2
# run: run_lengths(zeros(9, dtype=int64))
# run: run_lengths(zeros(0, dtype=int64))
def run_lengths(x):
    values = np.empty_like(x)
    lengths = np.zeros_like(x)
    n = 0
    i = 0
    while i < len(x):
        j = i + 1
        while j < len(x) and x[j] == x[i]:
            j += 1
        values[n] = x[i]
        lengths[n] = j - i
        n += 1
        i = j
    return values[:n], lengths[:n]


#numptx export unpacked(int64[:], int64[:])
# run: unpacked(array([4, 2, 9]), array([3, 0, 5]))
# structure: launches=4 allocs=5 copies=0 syncs=3
# run: unpacked(zeros(0, dtype=int64), zeros(0, dtype=int64))
# run: unpacked(array([4, 2]), array([3]))
def unpacked(values, lengths):
    total = 0
    for n in lengths:
        total += n
    out = np.empty(total, dtype=np.int64)
    at = 0
    for k in range(len(values)):
        for _ in range(lengths[k]):
            out[at] = values[k]
            at += 1
    return out


#numptx export transformed(complex128[:])
# run: transformed(random(64) + 1j * random(64))
# run: transformed(random(2) + 0j)
# run: transformed(random(1) + 0j)
def transformed(x):
    n = len(x)
    a = np.empty_like(x)
    bits = 0
    while 1 << bits < n:
        bits += 1
    for i in range(n):
        r = 0
        for b in range(bits):
            if i >> b & 1:
                r |= 1 << (bits - 1 - b)
        a[r] = x[i]
    size = 2
    while size <= n:
        half = size // 2
        for start in range(0, n, size):
            for k in range(half):
                w = np.exp(-2j * np.pi * k / size)
                u = a[start + k]
                v = a[start + k + half] * w
                a[start + k] = u + v
                a[start + k + half] = u - v
        size *= 2
    return a


#numptx export transposed_in_place(float64[:,:])
# run: transposed_in_place(random((13, 13)))
# structure: launches=1 allocs=0 copies=0 syncs=0
# run: transposed_in_place(random((1, 1)))
# run: transposed_in_place(random((0, 0)))
# run: transposed_in_place(random((3, 4)))
def transposed_in_place(a):
    for i in range(a.shape[0]):
        for j in range(i):
            a[i, j], a[j, i] = a[j, i], a[i, j]
    return a


#numptx export reversed_in_place(int64[:])
# run: reversed_in_place(arange(20))
# structure: launches=1 allocs=0 copies=0 syncs=0
# run: reversed_in_place(arange(21))
# run: reversed_in_place(arange(1))
# run: reversed_in_place(arange(0))
def reversed_in_place(x):
    n = len(x)
    for i in range(n // 2):
        x[i], x[n - 1 - i] = x[n - 1 - i], x[i]
    return x


#numptx export turned(float64[:], int)
# run: turned(random(30), 7)
# structure: launches=1 allocs=1 copies=0 syncs=0
# run: turned(random(30), -7)
# run: turned(random(1), 4)
# run: turned(random(0), 4)
def turned(x, k):
    n = x.shape[0]
    out = np.empty_like(x)
    for i in range(n):
        out[(i + k) % n] = x[i]
    return out


#numptx export turned_by_hand(float64[:])
# run: turned_by_hand(random(30))
# structure: launches=4 allocs=2 copies=0 syncs=0
# run: turned_by_hand(random(1))
# run: turned_by_hand(random(0))
def turned_by_hand(x):
    first = x[0]
    for i in range(len(x) - 1):
        x[i] = x[i + 1]
    x[len(x) - 1] = first
    return x


#numptx export quarter_turn(int32[:,:])
# run: quarter_turn(integers(0, 99, (8, 8), dtype=int32))
# structure: launches=1 allocs=0 copies=0 syncs=0
# run: quarter_turn(integers(0, 99, (7, 7), dtype=int32))
# run: quarter_turn(integers(0, 99, (0, 0), dtype=int32))
def quarter_turn(a):
    n = len(a)
    for i in range(n // 2):
        for j in range(i, n - 1 - i):
            t = a[i, j]
            a[i, j] = a[n - 1 - j, i]
            a[n - 1 - j, i] = a[n - 1 - i, n - 1 - j]
            a[n - 1 - i, n - 1 - j] = a[j, n - 1 - i]
            a[j, n - 1 - i] = t
    return a


#numptx export spiral(int, int)
# run: spiral(6, 9)
# run: spiral(1, 4)
# run: spiral(5, 1)
# run: spiral(0, 3)
def spiral(n, m):
    a = np.zeros((n, m), dtype=np.int64)
    top, bottom, left, right = 0, n - 1, 0, m - 1
    k = 0
    while top <= bottom and left <= right:
        for j in range(left, right + 1):
            a[top, j] = k
            k += 1
        top += 1
        for i in range(top, bottom + 1):
            a[i, right] = k
            k += 1
        right -= 1
        if top <= bottom:
            for j in range(right, left - 1, -1):
                a[bottom, j] = k
                k += 1
            bottom -= 1
        if left <= right:
            for i in range(bottom, top - 1, -1):
                a[i, left] = k
                k += 1
            left += 1
    return a


#numptx export equalised(uint8[:,:])
# run: equalised(integers(40, 90, (30, 20), dtype=uint8))
# structure: launches=7 allocs=5 copies=0 syncs=2
# run: equalised(zeros((2, 2), dtype=uint8))
def equalised(image):
    counts = np.zeros(256, dtype=np.int64)
    for row in image:
        for v in row:
            counts[v] += 1
    for v in range(1, 256):
        counts[v] += counts[v - 1]
    out = np.empty_like(image)
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            out[i, j] = counts[image[i, j]] * 255 // image.size
    return out
