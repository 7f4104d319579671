"""Functions that call themselves and give arrays: fresh ones, views of their arguments, and what the path decides."""

import numpy as np


def merged(a, b):
    out = np.empty(len(a) + len(b), dtype=a.dtype)
    i, j = 0, 0
    for k in range(len(out)):
        if j == len(b) or (i < len(a) and a[i] <= b[j]):
            out[k] = a[i]
            i += 1
        else:
            out[k] = b[j]
            j += 1
    return out


def sorted_copy(x):
    n = len(x)
    if n < 2:
        return x.copy()
    return merged(sorted_copy(x[:n // 2]), sorted_copy(x[n // 2:]))


#numptx export mergesort(float64[:])
#numptx export mergesort(int32[:])
# run: mergesort(random(37))
# run: mergesort(random(37)[::-2])
# run: mergesort(random(0))
# run: mergesort(integers(0, 9, 20, dtype=int32))
def mergesort(x):
    return sorted_copy(x)


def parts(x):
    """Quicksort as in textbooks: masks, and nothing is written."""
    if len(x) <= 1:
        return x
    p = x[len(x) // 2]
    return np.concatenate((parts(x[x < p]), x[x == p], parts(x[x > p])))


#numptx export quicksort(int64[:])
# run: quicksort(integers(0, 30, 25))
# run: quicksort(array([4]))
# run: quicksort(integers(0, 30, 25)[::-1])
# run: quicksort(array([], dtype=int64))
def quicksort(x):
    return parts(x)


def transformed(x):
    n = x.shape[0]
    if n == 1:
        return x.copy()
    even, odd = transformed(x[::2]), transformed(x[1::2])
    turned = np.exp(-2j * np.pi * np.arange(n // 2) / n) * odd
    return np.concatenate([even + turned, even - turned])


#numptx export fft(complex128[:])
# tolerance: 1e-12
# run: fft(random(32) + 1j * random(32))
# run: fft(random(64)[::2].astype(complex))
# run: fft(array([2.0 + 1j]))
def fft(x):
    return transformed(x)


def halves(x):
    """Leaves of rank 0, which NumPy's scalars are."""
    return x[0] if x.shape[0] == 1 else halves(x[: x.shape[0] // 2]) + halves(x[x.shape[0] // 2:])


#numptx export totals(float64[:,:])
#numptx export totals(float64[:])
# run: totals(random((7, 3)))
# run: totals(random((5, 4)).T)
# run: totals(random(9))
def totals(x):
    return halves(x)


def strassen(a, b):
    n = a.shape[0]
    if n <= 2:
        return a @ b
    h = n // 2
    a11, a12, a21, a22 = a[:h, :h], a[:h, h:], a[h:, :h], a[h:, h:]
    b11, b12, b21, b22 = b[:h, :h], b[:h, h:], b[h:, :h], b[h:, h:]
    m1 = strassen(a11 + a22, b11 + b22)
    m2 = strassen(a21 + a22, b11)
    m3 = strassen(a11, b12 - b22)
    m4 = strassen(a22, b21 - b11)
    m5 = strassen(a11 + a12, b22)
    m6 = strassen(a21 - a11, b11 + b12)
    m7 = strassen(a12 - a22, b21 + b22)
    c = np.empty((n, n), dtype=a.dtype)
    c[:h, :h] = m1 + m4 - m5 + m7
    c[:h, h:] = m3 + m5
    c[h:, :h] = m2 + m4
    c[h:, h:] = m1 - m2 + m3 + m6
    return c


#numptx export product(int64[:,:], int64[:,:])
# run: product(integers(-5, 5, (8, 8)), integers(-5, 5, (8, 8)))
# run: product(integers(-5, 5, (8, 8)).T, integers(-5, 5, (8, 16))[:, ::-2])
# run: product(integers(-5, 5, (2, 2)), integers(-5, 5, (2, 2)))
def product(a, b):
    return strassen(a, b)


def tail(x, n):
    """A view of its argument, or the argument itself."""
    if n == 0:
        return x
    rest = tail(x[1:], n - 1)
    rest[0] += 1
    return rest


#numptx export tails(float64[:], int)
# run: tails(random(6), 3)
# run: tails(random(6), 0)
# run: tails(random(12)[::2], 5)
# run: x = random(6); x.flags.writeable = False; tails(x, 2)
# run: tails(random(3), 3)
def tails(x, n):
    t = tail(x, n)
    t *= 2
    own = np.arange(9.0)
    view = tail(own[::-1], n)
    view[1:] = own[: len(view) - 1]
    return t, x, view, own


def power(a, n):
    """The argument itself, a new array, or the identity."""
    if n == 0:
        return np.eye(a.shape[0], dtype=a.dtype)
    if n == 1:
        return a
    half = power(a, n // 2)
    return half @ half if n % 2 == 0 else half @ half @ a


#numptx export powers(int64[:,:], int)
# run: powers(array([[1, 1], [1, 0]]), 0)
# run: powers(array([[1, 1], [1, 0]]), 1)
# run: powers(array([[1, 1], [1, 0]]), 13)
def powers(a, n):
    p = power(a, n)
    p[0, 0] += 5
    return p, a


def minmax(x):
    """Arrays and numbers in one tuple."""
    n = x.shape[0]
    if n == 1:
        return x[0].copy(), x[0] + 0, 1
    low, high, count = minmax(x[: n // 2])
    low2, high2, count2 = minmax(x[n // 2:])
    return np.minimum(low, low2), np.maximum(high, high2), count + count2


#numptx export extremes(float32[:,:])
# run: extremes(random((7, 3), float32))
# run: extremes(random((3, 8), float32).T[::-1])
def extremes(x):
    return minmax(x)


def even_part(x):
    return x if len(x) < 2 else odd_part(x[::2]) * 2


def odd_part(x):
    return x if len(x) < 2 else even_part(x[1::2]) + 1


#numptx export mutual(int64[:])
# run: mutual(arange(20))
# run: mutual(arange(1))
# run: mutual(arange(0))
def mutual(x):
    return even_part(x), odd_part(x)


def endless(x):
    return endless(np.sqrt(x)) + 1.0


#numptx export limits(float64[:], int)
# run: limits(random(3), 20)
# run: limits(random(3), 700)
# run: limits(random(3), 2000)
# run: limits(random(3), -1)
def limits(x, n):
    if n < 0:
        return endless(x)
    return smoothed(x, n)


def smoothed(x, n):
    if n == 0:
        return x
    y = np.sqrt(smoothed(x + 1.0, n - 1))
    return y


def checked(x, n):
    """What was made is let go where an error passes."""
    y = x + n
    if n == 3:
        raise ValueError(f"three of {len(x)}")
    z = checked(y * 2, n + 1) if n < 6 else y
    return z - y


#numptx export failing(float64[:], int)
# run: failing(random(4), 4)
# run: failing(random(4), 1)
def failing(x, n):
    return checked(x, n)


def subsets(items, k):
    """Rows of combinations: lengths that data decide."""
    n = len(items)
    if k == 0:
        return np.zeros((1, 0), dtype=np.int64)
    if n < k:
        return np.zeros((0, k), dtype=np.int64)
    with_first = subsets(items[1:], k - 1)
    without = subsets(items[1:], k)
    first = np.full((with_first.shape[0], 1), items[0])
    return np.concatenate((np.concatenate((first, with_first), axis=1), without), axis=0)


#numptx export combinations(int)
# run: combinations(2)
# run: combinations(3)
def combinations(k):
    return two_of(np.arange(5) * 10, k), subsets(np.arange(4) + k, k)


def two_of(items, k):
    n = len(items)
    if n < 2:
        return np.zeros((0, 2), dtype=np.int64)
    rest = two_of(items[1:], k)
    pairs = np.empty((n - 1, 2), dtype=np.int64)
    pairs[:, 0] = items[0]
    pairs[:, 1] = items[1:] * k
    return np.concatenate((pairs, rest))


def turned(x, n):
    """What may not be written stays so, and travels."""
    if n == 0:
        return np.broadcast_to(x[:1], (4,))
    return turned(x, n - 1)[:3]


#numptx export broadcasts(float64[:], int)
# run: broadcasts(random(3), 0)
# run: broadcasts(random(3), 1)
# run: broadcasts(random(0), 1)
def broadcasts(x, n):
    y = turned(x, n)
    return y, y + x[0]


def chosen(x, n):
    """One path makes it read-only; a write there is an error when running."""
    if n == 0:
        return x if len(x) > 3 else np.broadcast_to(x[:1], (4,))
    y = chosen(x, n - 1)
    return y[:]


#numptx export written_by_path(float64[:], int)
# run: written_by_path(random(5), 2)
# run: written_by_path(random(3), 2)
# run: written_by_path(random(3), 0)
def written_by_path(x, n):
    y = chosen(x, n)
    y[0] = 7.0
    return x


def filled_in(x, n):
    if n < 0:
        return
    x[n] = n
    filled_in(x, n - 1)
    x[0] += 1


#numptx export written_in_a_routine(float64[:], bool)
# run: written_in_a_routine(random(4), False)
# run: written_in_a_routine(random(4), True)
def written_in_a_routine(x, b):
    y = np.broadcast_to(x[:1], (4,)) if b else x
    filled_in(y, 2)
    return y


def loops(x, n):
    """Calls in loops, whose arrays are carried from iteration to iteration."""
    total = np.zeros_like(x)
    if n == 0:
        return total + x
    for k in range(n):
        total = total + loops(x * (k + 1), k)
    return total


#numptx export nested(float64[:])
# run: nested(random(5))
# run: nested(random(0))
def nested(x):
    y = x
    for k in range(3):
        y = loops(y, k + 1)
    while len(y) > 1:
        y = tail(y, 1)
    return y


def swapped(a, b, n):
    """Both arguments come back, changed places."""
    return (a, b) if n == 0 else swapped_again(b, a, n - 1)


def swapped_again(a, b, n):
    c, d = swapped(a, b, n) if n > 0 else (a, b)
    c += 1
    return c, d


#numptx export exchanged(float64[:], float64[:], int)
# run: exchanged(random(3), random(3), 0)
# run: exchanged(random(3), random(3), 3)
# run: x = random(5); exchanged(x[1:], x[:-1], 4)
def exchanged(a, b, n):
    first, second = swapped(a, b, n)
    first *= 3
    second -= 1
    return first, second, a, b


def hanoi(n, a, b, c):
    if n == 0:
        return np.zeros((0, 2), dtype=np.int32)
    move = np.array([[a, c]], dtype=np.int32)
    return np.vstack((hanoi(n - 1, a, c, b), move, hanoi(n - 1, b, a, c)))


#numptx export moves(int)
# run: moves(0)
# run: moves(4)
def moves(n):
    return hanoi(n, 0, 1, 2)
