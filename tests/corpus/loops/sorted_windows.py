"""Few elements that a point of a kernel sorts itself: median filters, ranks of windows."""

import numpy as np


#numptx export median_filter(float64[:,:])
# run: median_filter(random((12, 9)))
# structure: launches=5 allocs=8 copies=0
# run: median_filter(random((12, 18))[::-1, ::2])
# run: median_filter(random((2, 9)))
# run: median_filter(random((0, 5)))
# run: median_filter(where(random((12, 9)) > 0.8, nan, where(random((12, 9)) > 0.5, -0.0, 0.0)))
# run: median_filter(where(random((12, 9)) > 0.5, inf, -inf))
def median_filter(image):
    h, w = image.shape
    out = image.copy()
    for y in range(1, h - 1):
        for x in range(1, w - 1):
            window = np.empty(9)
            k = 0
            for dy in range(-1, 2):
                for dx in range(-1, 2):
                    window[k] = image[y + dy, x + dx]
                    k += 1
            window.sort()
            out[y, x] = window[4]
    return out


#numptx export crosses(float32[:,:])
# run: crosses(random((7, 8), dtype=float32))
# run: crosses(random((1, 8), dtype=float32))
# run: a = random((7, 8), dtype=float32); a[3, 4] = nan; crosses(a)
def crosses(image):
    h, w = image.shape
    out = image.copy()
    for y in range(1, h - 1):
        for x in range(1, w - 1):
            out[y, x] = np.median(np.array([image[y - 1, x], image[y, x - 1], image[y, x], image[y, x + 1], image[y + 1, x]]))
    return out


# The second largest of each triple, and the sum of the two smallest.
#numptx export triples(int64[:])
# run: triples(integers(-5, 5, 40))
# run: triples(integers(-5, 5, 3)[::-1])
# run: triples(array([1, 2]))
# run: triples(array([-2**63, 2**63 - 1, 0, 5, 5, 5]))
def triples(x):
    n = x.shape[0] // 3
    out = np.zeros((n, 2), np.int64)
    for i in range(n):
        s = np.sort(np.array([x[3 * i], x[3 * i + 1], x[3 * i + 2]]))
        out[i, 0] = s[1]
        out[i, 1] = s[0] + s[1]
    return out


#numptx export without_loops(float64, float64, float64)
# run: without_loops(3.0, -0.0, 0.0)
# run: without_loops(nan, 2.0, -1.0)
# run: without_loops(-inf, inf, nan)
def without_loops(a, b, c):
    x = np.array([a, b, c])
    y = np.array([a + 1j * b, c - 1j * a, b + 1j * c, a + 1j * c])
    return np.sort(x), np.sort(x[::-1]), np.sort(y), np.median(x), np.sort(np.array([x, -x]), axis=None), np.sort(x[:0])


# In a loop that the host runs.
#numptx export until(float64[:], float64)
# run: until(random(3), 2.0)
# run: until(array([nan, 1.0, 2.0]), 3.0)
def until(x, limit):
    n = 0
    while np.median(np.array([x[0], x[1], x[2]])) < limit:
        x += 0.25
        n += 1
    return n
