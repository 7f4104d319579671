"""Python's numbers that meet float32 and int32 in a branch of a loop: what they start as is known, so that they are of that type from the start."""

import numpy as np


#numptx export largest(int32[:,:])
#numptx export largest(float32[:,:])
# run: largest(integers(-9, 9, (7, 2), dtype=int32))
# run: largest(random((5, 3), float32)[::-1] - float32(0.5))
# run: largest(array([[-1, 1]], dtype=float32))
def largest(h):
    best = 0
    for i in range(h.shape[0]):
        for j in range(h.shape[1]):
            if h[i, j] > best:
                best = h[i, j]
    low = 0
    for row in h:
        for v in row:
            low = v if v < low else low
    most = 0
    for i in range(h.shape[0]):
        for j in range(h.shape[1]):
            most = max(most, h[i, j])
    return best, low, most


#numptx export sums(float32[:], float32)
# tolerance: 1e-6
# run: sums(random(7, float32), float32(0.5))
# run: sums(random(40, float32)[::-3], float32(0.2))
# run: sums(random(7, float32), float32(2.0))
def sums(h, t):
    s = 0.0
    c = 0
    m = 1.0
    for v in h:
        if v > t:
            s += v
            c += 1
        m = m * v if v < t else m
    last = -1.0
    i = 0
    while i < len(h):
        if h[i] >= 0:
            last = h[i]
            break
        i += 1
    return s + np.float32(0), c, m, last


#numptx export reset(float32[:,:])
# tolerance: 1e-6
# run: reset(random((7, 3), float32))
# run: reset(random((3, 7), float32).T)
# run: reset(random((0, 7), float32))
def reset(h):
    """A name that starts anew in each iteration, and one that a branch makes anew."""
    out = np.zeros(h.shape[0], dtype=np.float32)
    for i in range(h.shape[0]):
        acc = 0.0
        for j in range(h.shape[1]):
            if h[i, j] > 0.3:
                acc += h[i, j]
            elif h[i, j] > 0.2:
                acc = 0.0
        out[i] = acc
        acc = 1.0
    return out


#numptx export scores(int8[:], int8[:])
# run: scores(integers(0, 4, 12, dtype=int8), integers(0, 4, 9, dtype=int8))
# run: scores(integers(0, 4, 1, dtype=int8), integers(0, 4, 9, dtype=int8))
def scores(s, t):
    """Smith and Waterman."""
    h = np.zeros((len(s) + 1, len(t) + 1), dtype=np.int32)
    best = 0
    for i in range(1, len(s) + 1):
        for j in range(1, len(t) + 1):
            m = 2 if s[i - 1] == t[j - 1] else -1
            h[i, j] = max(0, h[i - 1, j - 1] + m, h[i - 1, j] - 1, h[i, j - 1] - 1)
            best = max(best, h[i, j])
    return h, best
