"""Functions inside functions that call themselves: what they read of the functions around them travels along."""

import numpy as np

BASE = 10


#numptx export halves(float64[:])
# run: halves(random(9))
# run: halves(random(1))
def halves(x):
    def go(lo, hi):
        if hi - lo == 1:
            return x[lo]
        m = (lo + hi) // 2
        return go(lo, m) + go(m, hi)

    return go(0, len(x))


#numptx export factorial(int)
# run: factorial(6)
def factorial(n):
    fact = lambda k: 1 if k <= 1 else k * fact(k - 1)
    return fact(n)


#numptx export read_when_called(int, float)
# run: read_when_called(6, 1.5)
def read_when_called(n, a):
    k = 2

    def go(d, s=a * 2):
        if d == 0:
            return s + k * BASE
        return go(d - 1) + go(d - 1, s * a)

    first = go(n)
    k = 3
    return first, go(n), go(2, 1.0)


#numptx export sorted_in_place(float64[:])
# run: sorted_in_place(random(20))
# run: sorted_in_place(random(0))
# run: sorted_in_place(random(20)[::-2])
def sorted_in_place(x):
    def qs(lo, hi):
        if lo >= hi:
            return
        p = x[(lo + hi) // 2]
        i, j = lo, hi
        while i <= j:
            while x[i] < p:
                i += 1
            while x[j] > p:
                j -= 1
            if i <= j:
                x[i], x[j] = x[j], x[i]
                i += 1
                j -= 1
        qs(lo, j)
        qs(i, hi)

    qs(0, len(x) - 1)
    return x


#numptx export permutations(int)
# run: permutations(4)
def permutations(n):
    out = np.zeros((24, 4), dtype=np.int64)
    count = np.zeros(1, dtype=np.int64)
    used = np.zeros(n, dtype=bool)
    cur = np.zeros(n, dtype=np.int64)

    def rec(d):
        if d == n:
            out[count[0]] = cur
            count[0] += 1
            return
        for i in range(n):
            if not used[i]:
                used[i] = True
                cur[d] = i
                rec(d + 1)
                used[i] = False

    rec(0)
    return out


#numptx export queens(int)
# run: queens(6)
def queens(n):
    cols = np.zeros(n, dtype=np.int64)

    def ok(r, c):
        for i in range(r):
            if cols[i] == c or abs(cols[i] - c) == r - i:
                return False
        return True

    def place(r):
        if r == n:
            return 1
        total = 0
        for c in range(n):
            if ok(r, c):
                cols[r] = c
                total += place(r + 1)
        return total

    return place(0)


#numptx export quadrature(float64[:], int)
# run: quadrature(random(4), 3)
def quadrature(x, n):
    def adapt(f, a, b, d):
        m = 0.5 * (a + b)
        if d == 0:
            return f(m) * (b - a)
        return adapt(f, a, m, d - 1) + adapt(f, m, b, d - 1)

    c = x[0]
    return adapt(lambda v: v * v + c, 0.0, 1.0, n), adapt(np.sin, 0.0, 1.0, n)


#numptx export made_by_calls(int)
# run: made_by_calls(5)
def maker(a):
    def go(k):
        if k <= 0:
            return a
        return go(k - 1) + go(k - 2)

    return go
def made_by_calls(n):
    f = maker(1)
    g = maker(2.5)
    return f(n), g(n)


#numptx export depths(int)
# run: depths(5)
# run: depths(2000)
def depths(n):
    def d(k):
        if k == 0:
            return 0
        return d(k - 1) + 1

    return d(n)


#numptx export in_a_loop(float64[:])
# run: in_a_loop(random(4))
def in_a_loop(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        def go(k):
            if k <= 0:
                return x[i]
            return go(k - 1) * 0.5 + go(k - 2)

        out[i] = go(i)
    return out


#numptx export one_in_another(int)
# run: one_in_another(5)
def one_in_another(n):
    def outer(k):
        def inner(j):
            if j <= 0:
                return k
            return inner(j - 1) + inner(j - 2)

        if k == 0:
            return 0
        return inner(k) + outer(k - 1)
    return outer(n)
