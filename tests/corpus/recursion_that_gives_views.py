"""What a function that calls itself gives may be its argument, a view of it, or share memory with another result: writes through one show in the others."""

import numpy as np


def identity(x, n):
    if n == 0:
        return x
    y = identity(x, n - 1)
    return y


#numptx export kept(float64[:], int)
# run: kept(random(4), 2)
# run: kept(random(4), 0)
def kept(x, n):
    """An array of each iteration that lives on in the next one."""
    keep = x
    acc = np.zeros(4)
    for k in range(4):
        t = np.empty(4)
        t[:] = k
        y = identity(t, n)
        acc = acc + y + keep
        keep = y
    return acc, keep


def part(x, n):
    if n == 0:
        return x[1:]
    y = part(x, n - 1)
    return y[::-1]


#numptx export written(float64[:], int)
# run: written(random(5), 2)
# run: written(random(5), 0)
def written(x, n):
    """Between computations that could be joined, and whose memory could be used again."""
    t = x * 2
    v = part(t, n)
    u = t + 1
    v[0] = 100
    w = t + u
    z = np.sqrt(np.abs(w)) + 1
    v[1:] = v[:-1]
    v += t[:-1]
    return v, w, z, u


def pair(x, n):
    if n == 0:
        return x, x * 2
    a, b = pair(x, n - 1)
    return b, a


#numptx export handed_on(float64[:], int)
# run: handed_on(random(4), 2)
# run: handed_on(random(4), 1)
def handed_on(x, n):
    prev = np.zeros(4)
    for k in range(5):
        s = x + k
        p, q = pair(s, n)
        p += 1
        prev = prev * 0.5 + q + s
        if k % 2:
            x = p
    return prev, x + 0, p + 0, q


def shared(x, n):
    if n == 0:
        y = x + 1
        return y, y[1:], y[::-1]
    a, b, c = shared(x, n - 1)
    a[0] = 7
    return a, b, c


#numptx export of_one_array(float64[:], int)
# run: of_one_array(random(4), 2)
# run: of_one_array(random(4), 0)
def of_one_array(x, n):
    y, v, r = shared(x, n)
    y[1] = 50
    s = v.sum() + r[0]
    v[:] = r[:-1]
    r += v.sum()
    return y, v, r, s


def scan(x, low, high, out):
    """Writes an argument, and gives a view of it."""
    if high - low == 1:
        out[low] = x[low]
        return out[low:high]
    m = (low + high) // 2
    a = scan(x, low, m, out)
    b = scan(x, m, high, out)
    b += a[-1]
    return out[low:high]


#numptx export scanned(float64[:])
# run: scanned(random(9))
# run: scanned(random(1))
def scanned(x):
    out = np.zeros_like(x)
    r = scan(x, 0, len(x), out)
    r[0] += 1
    s = scan(x, 0, len(x), x.copy())
    t = scan(x, 0, len(x), x)
    return out, r, s, t, x


def turned(x, n):
    return x if n == 0 else flipped(x.T, n - 1)


def flipped(x, n):
    return x if n == 0 else turned(x[::-1], n - 1)


#numptx export views_of_an_argument(float64[:,:], int)
# run: views_of_an_argument(random((3, 4)), 3)
# run: views_of_an_argument(random((3, 4)), 0)
# run: views_of_an_argument(random((3, 4)), 1)
def views_of_an_argument(x, n):
    y = turned(x, n)
    y[0, 0] = 9
    z = turned(x[:2, :2], n) if n != 0 else x[:2, :2]
    z *= 2
    return y, z, x.sum()


def grown(x, n):
    if n == 0:
        return x
    left = grown(x, n - 1)
    return np.concatenate((left, left * 2))


#numptx export lengths_of_data(float64[:], int)
# run: lengths_of_data(random(3), 3)
# run: lengths_of_data(random(3), 0)
def lengths_of_data(x, n):
    out = np.zeros(0)
    for k in range(n):
        out = grown(x, k)
        out = out[out > 0.3]
    y = grown(out, 1)
    y[:1] = -1
    return out, y
