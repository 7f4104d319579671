import numpy as np


#numptx export sign(float)
# run: sign(2.0)
# run: sign(-2.0)
# run: sign(0.0)
def sign(x):
    if x > 0:
        return 1
    elif x < 0:
        return -1
    return 0


#numptx export early(float64[:], int)
# run: early(arange(4.0), 0)
# run: early(arange(4.0), 1)
# run: early(arange(4.0), 2)
# run: early(arange(4.0), 3)
def early(x, n):
    if n > 0:
        if n > 1:
            if n > 2:
                return x * 3
            x = x * 2
        else:
            return x[1:]
        x = x + 1
    x = x - 1
    return x


#numptx export search(float64[:], float)
# run: search(array([1.0, 5.0, 3.0]), 3.0)
# run: search(array([1.0, 5.0, 3.0]), 4.0)
def search(x, value):
    for i in range(len(x)):
        if x[i] == value:
            return i
    return -1


#numptx export search_else(float64[:], float)
# run: search_else(array([1.0, 5.0, 3.0]), 3.0)
# run: search_else(array([1.0, 5.0, 3.0]), 4.0)
# run: search_else(zeros(0), 4.0)
def search_else(x, value):
    found = -1
    for i in range(len(x)):
        if x[i] == value:
            found = i
            break
    else:
        found = 100
    return found


#numptx export skips(int)
# run: skips(10)
# run: skips(0)
def skips(n):
    total = 0
    for i in range(n):
        if i % 2 == 0:
            continue
        if i > 7:
            break
        for j in range(i):
            if j == 3:
                continue
            if j == 5:
                break
            total += j * i
        total += 100
    return total


#numptx export both_ways(int, int)
# run: both_ways(3, 2)
# run: both_ways(3, 20)
# run: both_ways(-1, 2)
# run: both_ways(50, 49)
def both_ways(n, k):
    s = 0
    i = 0
    while i < n:
        i += 1
        if i == k:
            if k > 30:
                return -1.5
            break
        if i % 5 == 0:
            continue
        s += i
    else:
        return s + 0.25
    return s + 0.5


#numptx export forever(float)
# run: forever(1.0)
# run: forever(1000.0)
def forever(x):
    while True:
        half = x / 2
        x = half
        if x < 1:
            break
    return half


#numptx export forever_return(int)
# run: forever_return(5)
def forever_return(n):
    i = 0
    while True:
        i += 3
        if i > n:
            return i


#numptx export sums(float32[:], float64[:], int32[:])
# run: sums(arange(3, dtype='f4'), arange(3.0), arange(3, dtype='i4'))
def sums(x, y, k):
    s = 0.0
    t = 0.0
    u = 0
    v = 0
    for i in range(3):
        s += x[i]
        t += y[i]
        u += k[i]
        v += y[i] * x[i]
    return s, t, u, v


#numptx export carried_array(float64[:], int)
# run: carried_array(arange(4.0), 3)
# run: carried_array(arange(4.0), 0)
def carried_array(x, n):
    y = x
    for _ in range(n):
        y = y[::-1] + 1
    return y


#numptx export jacobi(float64[:, :], int)
# run: jacobi(arange(16.0).reshape(4, 4) ** 2, 3)
def jacobi(u, steps):
    v = u.copy()
    for _ in range(steps):
        v[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
        u, v = v, u
    return u


#numptx export converge(float64[:], float)
# run: converge(arange(5.0), 1e-3)
# run: converge(arange(5.0), 1e3)
def converge(x, tol):
    err = np.max(x)
    steps = 0
    while err > tol:
        x = x * 0.5
        err = np.max(x)
        steps += 1
    return x, steps, err


#numptx export temporaries(float64[:], int)
# run: temporaries(arange(4.0), 3)
def temporaries(x, n):
    for i in range(n):
        t = i * 2.0
        x += t
    for i in range(n):
        t = x * 2
        x[i] = t[i]
    t = 1
    return t


#numptx export ternary(float, float64[:], int)
# run: ternary(2.0, arange(3.0), 2)
# run: ternary(-2.0, arange(3.0), 5)
def ternary(x, a, n):
    y = x if x > 0 else -x
    z = a if x > 0 else a * 2
    w = a[n] if n < len(a) else np.float64(0.0)
    return y, z, w


#numptx export logic(int, int, float64[:])
# run: logic(0, 1, arange(3.0))
# run: logic(2, 3, arange(3.0))
# run: logic(5, 0, arange(3.0))
def logic(i, j, x):
    safe = bool(i < len(x) and x[i] > 1)
    other = bool(i >= len(x) or x[i] > 1)
    chain = 0 < i < j <= 3
    return i and j, i or j, not i, safe, other, chain, i in (1, 2), j not in (1, 2), (i, j) == (2, 3)


#numptx export last(int)
# run: last(3)
def last(n):
    for i in range(3):
        y = i * n
    return i, y


#numptx export countdown(int64[:], int)
# run: countdown(arange(5), 1)
# run: countdown(arange(5), 2)
def countdown(x, step):
    total = 0
    for i in range(len(x) - 1, -1, -1):
        total = total * 2 + x[i]
    for i in range(0, len(x), step):
        total += x[i]
    for i in reversed(range(1, 4)):
        total = total * 3 + x[i]
    return total


#numptx export unrolled(float64[:])
# run: unrolled(arange(5.0))
# run: unrolled(ones(5))
def unrolled(x):
    s = 0.0
    for i, w in enumerate((0.5, 0.25, 0.125)):
        if x[i] == 2.0:
            continue
        if x[i + 1] == 1.0:
            s += 7
            break
        s += w * x[i]
    else:
        s += 100
    for name in ('a', 'b'):
        if name == 'b':
            s += 1000
    return float(s)


#numptx export guard(int)
# run: guard(3)
# run: guard(-3)
# run: guard(0)
# run: guard(50)
def guard(n):
    if n < 0:
        raise ValueError("n must not be negative")
    elif n == 0:
        raise KeyError
    assert n < 10, "n is too large"
    return n


#numptx export optional(float64[:], float?, int?)
# run: optional(arange(3.0))
# run: optional(arange(3.0), 2.0)
# run: optional(arange(3.0), 2.0, 3)
def optional(x, scale=None, shift=1):
    if scale is None:
        scale = 10.0
    return x * scale + shift


def helper(x, k=2):
    if k == 0:
        return x
    for i in range(k):
        if i == 5:
            return x * 100
        x = x + i
    return x


#numptx export calls(float64[:], int)
# run: calls(arange(3.0), 3)
# run: calls(arange(3.0), 0)
# run: calls(arange(3.0), 9)
def calls(x, n):
    return helper(x) + helper(x, k=n) + helper(1.0, 3)


#numptx export python_errors(int, int, float)
# run: python_errors(1, 0, 0.0)
# run: python_errors(7, -2, 2.5)
# run: python_errors(-7, 2, 2.5)
# run: python_errors(2**62, 4, 2.5)
# run: python_errors(3, 70, 0.5)
def python_errors(a, b, x):
    return a // b, a % b, a / b, a * b, a + b, a - b, a ** 3, a << 1, a >> 1, a & b, a | b, a ^ b, ~a, x ** 2, x // 0.7, x % 0.7


#numptx export divisions(float, float)
# run: divisions(1.0, 0.0)
# run: divisions(-7.5, 2.0)
def divisions(x, y):
    return x / y, x // y, x % y, min(x, y), max(x, y), min(x, 3), x ** 3


#numptx export powers(float, float)
# run: powers(2.0, 0.5)
# run: powers(0.0, -1.0)
# run: powers(10.0, 400.0)
# run: powers(-2.0, 3.0)
def powers(x, y):
    return x ** y


#numptx export nans(float)
# run: nans(nan)
# run: nans(1.0)
def nans(x):
    return max(x, 0.0), max(0.0, x), min(x, 0.0), x == x, x < 1


#numptx export limits(int64[:])
# run: limits(arange(4))
def limits(x):
    big = max(x[0], x[1], 5)
    return int(big), int(min(x[2], 1)), abs(x[3] - 9), sum((1, 2, 3)), divmod(7, 2), pow(2, 5)
