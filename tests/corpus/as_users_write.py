"""Programs as users of other compilers write them: loops that end early, closures, comprehensions, defaults, checks with messages."""

import numpy as np

SCALE = 3
WEIGHTS = (0.25, 0.5, 0.25)


#numptx export primes(int)
# run: primes(60)
# run: primes(0)
def primes(n):
    count = 0
    for i in range(2, n):
        for j in range(2, i):
            if j * j > i:
                count += 1
                break
            if i % j == 0:
                break
        else:
            count += 1
    return count


#numptx export first_negative(float64[:,:])
# run: first_negative(random((6, 6)) - 0.9)
# run: first_negative(random((6, 6)))
# run: first_negative(zeros((0, 4)))
def first_negative(x):
    for i, row in enumerate(x):
        for j, v in enumerate(row):
            if v < 0:
                return i, j
    return -1, -1


#numptx export bisect(float64[:], float)
# run: bisect(sort(random(50)), 0.5)
# run: bisect(zeros(0), 0.5)
def bisect(x, v):
    lo, hi = 0, len(x)
    while lo < hi:
        mid = (lo + hi) // 2
        if x[mid] < v:
            lo = mid + 1
        else:
            hi = mid
    return lo


#numptx export smooth(float64[:], int?)
# run: smooth(random(50))
# run: smooth(random(50), 5)
# tolerance: 1e-12
def smooth(x, steps=None):
    if steps is None:
        steps = 2
    y = x.copy()
    for _ in range(steps):
        y[1:-1] = sum(w * y[k:len(y) - 2 + k] for k, w in enumerate(WEIGHTS))
    return y


#numptx export closure(float64[:], float)
# run: closure(random(50), 2.0)
# run: closure(zeros(1), 2.0)
def closure(x, a):
    def scaled(v, by=SCALE):
        return v * by + a
    return np.array([scaled(v) for v in x])


#numptx export checked(float64[:], int)
# run: checked(random(50), 3)
# run: checked(random(50), -3)
# run: checked(random(50), 50)
def checked(x, k):
    if not isinstance(k, int) or k < 0:
        raise ValueError(f"k must not be negative, is {k}")
    if k >= x.size:
        raise IndexError(f"k={k} of {x.shape}")
    return x[k]


#numptx export gcd(int, int)
# run: gcd(84, -36)
# run: gcd(0, 0)
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


#numptx export fib(int)
# run: fib(15)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


#numptx export runs(int64[:])
# run: runs(integers(0, 2, 40))
# run: runs(zeros(0, dtype=int64))
def runs(x):
    best = cur = 1 if len(x) else 0
    for i in range(1, len(x)):
        if x[i] == x[i - 1]:
            cur += 1
            best = max(best, cur)
        else:
            cur = 1
    return best


#numptx export pivots(float64[:,:])
# run: pivots(random((6, 6)))
# tolerance: 1e-12
def pivots(a):
    a = a.copy()
    n = a.shape[0]
    sign = 1
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[p, k]):
                p = i
        if p != k:
            for j in range(n):
                a[k, j], a[p, j] = a[p, j], a[k, j]
            sign = -sign
        if a[k, k] == 0:
            return 0.0
        for i in range(k + 1, n):
            f = a[i, k] / a[k, k]
            for j in range(k, n):
                a[i, j] -= f * a[k, j]
    d = float(sign)
    for k in range(n):
        d *= a[k, k]
    return d


#numptx export newton(float64[:], int)
# run: newton(random(3), 8)
# run: newton(zeros(0), 1)
# tolerance: 1e-12
def newton(x, n):
    out = np.empty(3)
    k = 0
    for v in (1.0, 2.0, 3.0):
        z = v
        for _ in range(n):
            z -= (z * z - x[0]) / (2 * z)
        out[k] = z
        k += 1
    return out


#numptx export select(float64[:])
# run: select(random(50))
def select(x):
    big = [v for v in x if v > 0.5]
    return len(big)


#numptx export classify(float64[:])
# run: classify(where(random(50) > 0.9, nan, random(50)))
def classify(x):
    out = np.empty(len(x), dtype=np.int8)
    for i, v in enumerate(x):
        if np.isnan(v):
            out[i] = -1
            continue
        elif v < 0.3:
            out[i] = 0
        elif 0.3 <= v < 0.6:
            out[i] = 1
        else:
            out[i] = 2
    return out


#numptx export edit(int64[:], int64[:])
# run: edit(integers(0, 3, 20), integers(0, 3, 15))
# run: edit(zeros(0, dtype=int64), arange(3))
def edit(a, b):
    prev = np.arange(len(b) + 1)
    for i in range(1, len(a) + 1):
        cur = np.empty_like(prev)
        cur[0] = i
        for j in range(1, len(b) + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            cur[j] = min(prev[j] + 1, cur[j - 1] + 1, prev[j - 1] + cost)
        prev = cur
    return prev[-1]


#numptx export walk(int64[:,:], int, int)
# run: walk(integers(0, 2, (8, 8)), 0, 0)
# run: walk(integers(0, 2, (8, 8)), -1, 0)
def walk(grid, y, x):
    steps = 0
    while 0 <= y < grid.shape[0] and 0 <= x < grid.shape[1] and steps < 1000:
        d = grid[y, x]
        dy, dx = ((0, 1), (1, 0), (0, -1), (-1, 0))[0] if d == 0 else (1, 0)
        y += dy
        x += dx
        steps += 1
    else:
        steps = -steps
    return steps, (y, x)


#numptx export moving(float64[:], int)
# run: moving(random(50), 5)
# tolerance: 1e-12
def moving(x, w):
    return np.array([x[i:i + w].mean() for i in range(len(x) - w + 1)])


#numptx export any_all(float64[:])
# run: any_all(random(50))
def any_all(x):
    return any(v > 0.9 for v in x), all(v >= 0 for v in x), sum(1 for v in x if v > 0.5), max(v * v for v in x)
