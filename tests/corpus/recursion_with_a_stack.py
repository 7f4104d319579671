"""Functions that call themselves in ways that need a stack: the host calls them."""

import numpy as np


#numptx export fib(int)
# run: fib(0)
# run: fib(1)
# run: fib(15)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


#numptx export fact(int)
# run: fact(1)
# run: fact(20)
def fact(n):
    if n < 2:
        return 1
    return n * fact(n - 1)


#numptx export deep(int)
# run: deep(800)
# run: deep(100000)
# run: deep(-1)
def deep(n):
    if n == 0:
        return 0.0
    return 0.5 * n + deep(n - 1)


def endless(x):
    return endless(x + 1.0) * 2.0


#numptx export endless_if_positive(float)
# run: endless_if_positive(1.0)
# run: endless_if_positive(-1.0)
def endless_if_positive(x):
    return endless(x) if x > 0.0 else x


def even(n):
    return True if n == 0 else not odd_or(n - 1, False)


def odd_or(n, otherwise):
    return otherwise if n == 0 else not (even(n - 1) and True)


#numptx export parities(int64)
# run: parities(np.int64(12))
# run: parities(np.int64(7))
def parities(n):
    return even(int(n)), odd_or(int(n), False)


#numptx export ackermann(int, int)
# run: ackermann(2, 3)
# run: ackermann(0, 5)
def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def square(x):
    return x * x


def simpson(f, a, b, fa, fm, fb, tolerance):
    """Adaptive: a function, floats and several results of a call."""
    m = 0.5 * (a + b)
    fl, fr = f(0.5 * (a + m)), f(0.5 * (m + b))
    whole = (b - a) / 6 * (fa + 4 * fm + fb)
    left, right = (m - a) / 6 * (fa + 4 * fl + fm), (b - m) / 6 * (fm + 4 * fr + fb)
    if abs(left + right - whole) < tolerance or b - a < 1e-3:
        return left + right, 2
    x, nx = simpson(f, a, m, fa, fl, fm, 0.5 * tolerance)
    y, ny = simpson(f, m, b, fm, fr, fb, 0.5 * tolerance)
    return x + y, nx + ny + 2


def peak(x):
    return 1.0 / (1e-2 + x * x)


#numptx export integrals(float, float)
# run: integrals(-1.0, 2.0)
def integrals(a, b):
    m = 0.5 * (a + b)
    shifted = lambda x: peak(x - 0.25 * a)
    return (
        simpson(peak, a, b, peak(a), peak(m), peak(b), 1e-8),
        simpson(square, a, b, a * a, m * m, b * b, 1e-8),
        simpson(shifted, a, b, shifted(a), shifted(m), shifted(b), 1e-8),
    )


def sort(a, low, high):
    """Writes an array, and returns nothing."""
    if high - low < 2:
        return
    pivot = a[(low + high) // 2]
    i, j = low, high - 1
    while i <= j:
        while a[i] < pivot:
            i += 1
        while a[j] > pivot:
            j -= 1
        if i <= j:
            a[i], a[j] = a[j], a[i]
            i += 1
            j -= 1
    sort(a, low, j + 1)
    sort(a, i, high)


#numptx export quicksort(float64[:])
# run: x = random(60); quicksort(x)
# run: x = random(60); quicksort(x[::-2])
# run: quicksort(array([]))
# run: quicksort(arange(30.0))
def quicksort(a):
    sort(a, 0, len(a))


def merge(a, spare):
    """Views of both halves, and whole-array statements."""
    n = len(a)
    if n < 2:
        return
    merge(a[:n // 2], spare[:n // 2])
    merge(a[n // 2:], spare[n // 2:])
    spare[:] = a
    i, j = 0, n // 2
    for k in range(n):
        if j == n or (i < n // 2 and spare[i] <= spare[j]):
            a[k] = spare[i]
            i += 1
        else:
            a[k] = spare[j]
            j += 1


#numptx export mergesort(int64[:])
# run: mergesort(integers(0, 50, 40))
# run: mergesort(integers(0, 50, 40)[::3])
def mergesort(a):
    sorted_one = a.copy()
    merge(sorted_one, np.empty_like(a))
    return sorted_one


def queens(row, columns, n):
    if row == n:
        return 1
    count = 0
    for c in range(n):
        free = True
        for r in range(row):
            if columns[r] == c or abs(columns[r] - c) == row - r:
                free = False
        if free:
            columns[row] = c
            count += queens(row + 1, columns, n)
    return count


#numptx export placements(int)
# run: placements(5)
# run: placements(1)
# run: placements(0)
def placements(n):
    return queens(0, np.zeros(n, dtype=np.int64), n)


def fill(grid, i, j):
    """Beyond the border an index is an error, as in Python."""
    if i < 0 or i == grid.shape[0] or j < 0 or j == grid.shape[1] or grid[i, j] != 0:
        return 0
    grid[i, j] = 2
    return 1 + fill(grid, i + 1, j) + fill(grid, i - 1, j) + fill(grid, i, j + 1) + fill(grid, i, j - 1)


#numptx export flood(int64[:,:], int, int)
# run: flood(integers(0, 3, (8, 9)), 2, 3)
# run: flood(zeros((5, 6), dtype=int64)[:, ::2], 2, 1)
# run: flood(zeros((5, 6), dtype=int64), 9, 1)
def flood(grid, i, j):
    grid[2, 2] = 0
    return fill(grid, i, j), grid.sum()


def total(x, low, high):
    """Reads an array: one that cannot be written will do."""
    if high - low == 1:
        return x[low]
    m = (low + high) // 2
    return total(x, low, m) + total(x, m, high)


#numptx export totals(float32[:], float64[:])
# run: x = random(9); x.flags.writeable = False; totals(random(7, float32), x)
# run: totals(random(1, float32), random(2))
# run: totals(random(0, float32), random(2))
def totals(x, y):
    if len(x) == 0:
        raise ValueError("nothing to add up")
    return total(x, 0, len(x)), total(y, 0, len(y))


def copied(x, y, n):
    """Arguments that overlap: what is written is seen through the other one."""
    if n == 0:
        return 0.0
    y[n] = x[n - 1] + 1.0
    before = copied(y, x, n - 1)
    y[:n] += x[:n] * 0.5
    return before + y[n]


#numptx export overlapping(float64[:])
# run: overlapping(random(9))
def overlapping(x):
    s = copied(x, x, len(x) - 1)
    t = copied(x[1:], x[:-1], len(x) - 2)
    return s, t, x


#numptx export per_element(int64[:])
# run: per_element(arange(9))
# run: per_element(array([3, 5000, 1]))
def per_element(x):
    out = np.zeros(len(x), dtype=np.int64)
    for i in range(len(x)):
        out[i] = fib_or_fail(x[i])
    return out


def fib_or_fail(n):
    if n > 100:
        return fib_or_fail(n + 1) + 1
    return n if n < 2 else fib_or_fail(n - 1) + fib_or_fail(n - 2)


#numptx export constant()
# run: constant()
def constant():
    return fact(12), fib(8), deep(25)
