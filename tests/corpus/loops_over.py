"""What `for` runs over, steps of any sign, `else`, and leaving loops early in every place."""

import numpy as np


#numptx export steps(int, int, int)
# run: steps(0, 10, 3)
# run: steps(10, 0, -3)
# run: steps(10, 0, 3)
# run: steps(0, 10, -1)
# run: steps(3, 4, 0)
# run: steps(-5, 5, 2)
# run: steps(2**62, -2**62, -2**61)
def steps(a, b, s):
    values, count, last = 0, 0, -1
    for i in range(a, b, s):
        values += i % 97
        count += 1
        last = i
    return values, count, last, len(range(a, b, s))


#numptx export stepped_stores(int, int)
# run: stepped_stores(7, 2)
# run: stepped_stores(7, -2)
# run: stepped_stores(0, 1)
# run: stepped_stores(3, 0)
def stepped_stores(n, s):
    y = np.zeros((n, n))
    for i in range(n - 1, -1, -2):
        for j in range(0 if s > 0 else n - 1, n if s > 0 else -1, s):
            y[i, j] = 10 * i + j
    return y


#numptx export zipped(float64[:], float64[:,:], int)
# run: zipped(arange(4.0), ones((3, 2)), 9)
# run: zipped(arange(2.0), ones((3, 2)), 2)
# run: zipped(arange(2.0), ones((0, 2)), 1)
# run: zipped(arange(2.0)[::-1], arange(6.0).reshape(3, 2).T, 0)
def zipped(x, y, n):
    total, count = 0.0, 0
    for v, row, k in zip(x, y, range(5, 5 + n)):
        total += v * row.sum() * k
        row[0] = total
        count += 1
    for k, (v, w) in enumerate(zip(x, reversed(x)), start=n):
        total += k * v - w
    for v, (k, w) in zip(reversed(range(n)), enumerate(x)):
        total -= v * k + w
    return total, count, y


#numptx export backwards(float64[:,:])
# run: backwards(arange(6.0).reshape(3, 2))
# run: backwards(ones((0, 2)))
# run: backwards(arange(6.0).reshape(2, 3).T[::-1])
def backwards(x):
    y = np.zeros(x.shape[1])
    for row in reversed(x):
        y = y * 2 + row
        row[...] = y
    for i, j in zip(range(3), reversed((10, 20, 30))) if False else ((0, 1), (1, 0)):
        y = y + i - j
    return y, x


#numptx export over_tuples(float64[:], float64[:], int)
# run: over_tuples(arange(3.0), ones(3), 0)
# run: over_tuples(arange(3.0), ones(3), 1)
# run: over_tuples(arange(3.0), ones(3), 2)
# run: over_tuples(arange(3.0), ones(3), 3)
def over_tuples(x, y, n):
    total = 0.0
    for k, (a, b) in enumerate(((x, 1.0), (y, 2.0), (x * y, 3.0))):
        if k == n:
            if n == 1:
                continue
            break
        total += float((a * b).sum())
        a[0] = total
    else:
        total = -total
    return total, k, x, y


#numptx export found(float64[:,:], float)
# run: found(arange(6.0).reshape(2, 3), 4.0)
# run: found(arange(6.0).reshape(2, 3), 9.0)
# run: found(ones((0, 3)), 9.0)
# run: found(ones((3, 0)), 9.0)
# run: found(array([[nan]]), nan)
def found(x, wanted):
    visits = 0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            visits += 1
            if x[i, j] == wanted:
                break
        else:
            continue
        return i, j, visits
    return -1, -1, visits


#numptx export nested_exits(int, int)
# run: nested_exits(5, 5)
# run: nested_exits(5, 1)
# run: nested_exits(0, 3)
# run: nested_exits(20, 20)
def nested_exits(n, m):
    total = 0
    for i in range(n):
        j = 0
        while True:
            if j >= m:
                break
            for k in range(j):
                if k == 3:
                    break
                if k * j == i:
                    continue
                total += k
                if total > 500:
                    return total, i, j
            else:
                total += 1
            j += 1
            if j % 4 == 3:
                continue
            total += j
        else:
            total = -1000
        if i == 7:
            break
    else:
        return total, -1, -1
    return total, i, -2


def first_above(x, limit):
    for i, v in enumerate(x):
        if v > limit:
            return i, float(v)
    return -1, 0.0


def clamp(v, low, high):
    while v < low:
        v += 1.0
        if v > high:
            return high
    else:
        return min(v, high)


#numptx export calls_that_return_early(float64[:], float)
# run: calls_that_return_early(arange(5.0), 2.5)
# run: calls_that_return_early(arange(5.0), 25.0)
# run: calls_that_return_early(array([]), 0.0)
def calls_that_return_early(x, limit):
    total = 0.0
    for k in range(3):
        i, v = first_above(x, limit + k)
        if i < 0:
            break
        total += clamp(v * i, 3.5, 9.0)
    else:
        return total, -1
    return total, k


#numptx export while_exits(int)
# run: while_exits(0)
# run: while_exits(7)
# run: while_exits(30)
def while_exits(n):
    i = total = 0
    while i < n:
        i += 1
        if i % 3 == 0:
            continue
        if i == 20:
            total += 1000
            break
        total += i
    else:
        total = -total
    return i, total


#numptx export zero_steps(int)
# run: zero_steps(0)
# run: zero_steps(2)
def zero_steps(s):
    y = np.zeros(3)
    y[0] = 1.0
    for i in range(0, 3, s):
        y[i] += 1.0
    return y
