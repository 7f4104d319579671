"""Control flow: early returns, nested loops with break, continue and else, while, functions calling each other."""

import math

import numpy as np

LIMIT = 10
RATE = 0.5
WEIGHTS = (0.25, 0.5, 0.25)


#numptx export early(float64[:], int)
# run: early(random(5), 1)
# run: early(random(5), -1)
# run: early(random(0), 0)
# run: early(random(5), 7)
def early(x, n):
    if n < 0:
        return x * 0
    if len(x) == 0:
        return x
    for i in range(n):
        if i == 5:
            return x[::-1]
        x = x + 1
    return x


#numptx export primes(int)
# run: primes(50)
# run: primes(2)
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


#numptx export while_else(int)
# run: while_else(5)
# run: while_else(100)
def while_else(n):
    i = 0
    while i < n:
        i += 3
        if i > 50:
            break
    else:
        i = -i
    return i


#numptx export nested(float64[:,:])
# run: nested(random((4, 5)))
# run: nested(random((0, 5)))
def nested(x):
    y = np.zeros_like(x)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if (i + j) % 2:
                y[i, j] = x[i, j]
            elif i > j:
                y[i, j] = -x[i, j]
            else:
                y[i, j] += 1
    return y


#numptx export stepped(int, int, int)
# run: stepped(0, 10, 3)
# run: stepped(10, 0, -3)
# run: stepped(10, 0, 3)
# run: stepped(0, 10, 0)
def stepped(a, b, s):
    total = 0
    for i in range(a, b, s):
        total = total * 2 + i
    return total


#numptx export after_loop(int)
# run: after_loop(5)
# run: after_loop(1)
def after_loop(n):
    i = -1
    for i in range(n):
        pass
    return i


#numptx export modified_counter(int)
# run: modified_counter(6)
def modified_counter(n):
    total = 0
    for i in range(n):
        i *= 2
        total += i
    return total


def square(x):
    return x * x


def hypotenuse(a, b=2.0):
    return np.sqrt(square(a) + square(b))


#numptx export calls(float64[:], float)
# run: calls(random(5), 2.0)
def calls(x, a):
    return hypotenuse(x), hypotenuse(x, a), hypotenuse(b=x, a=a), square(a), square(3)


def both(x):
    return x.min(), x.max()


#numptx export unpacks(float64[:])
# run: unpacks(random(5))
def unpacks(x):
    low, high = both(x)
    (a, b), c = (low, high), 3
    return high - low, a, b, c


#numptx export constants(float64[:])
# run: constants(random(5))
def constants(x):
    return (
        x * RATE + LIMIT,
        WEIGHTS[0] * x[:-2] + WEIGHTS[1] * x[1:-1] + WEIGHTS[2] * x[2:],
        math.pi * x,
        math.sqrt(2.0),
        math.floor(2.5),
        math.exp(RATE),
    )


#numptx export ternary(float, int)
# run: ternary(1.5, 2)
# run: ternary(-1.5, 0)
def ternary(a, n):
    b = a if a > 0 else -a
    c = 1 if n else 0
    return b, c, (n and 5), (n or 7), not n, a > 0 and n > 0, 0 < a < 2, 0 < n <= 2 < 5


#numptx export asserts(float64[:], int)
# run: asserts(ones(3), 3)
# run: asserts(ones(3), 2)
# run: asserts(ones(3), -2)
def asserts(x, n):
    assert n > 0, "n must be positive"
    assert x.shape[0] == n
    return x.sum()


#numptx export raises(int)
# run: raises(0)
# run: raises(1)
# run: raises(2)
# run: raises(3)
# run: raises(4)
# run: raises(5)
def raises(n):
    if n == 1:
        raise ValueError("one")
    elif n == 2:
        raise IndexError("two")
    elif n == 3:
        raise ZeroDivisionError("three")
    elif n == 4:
        raise TypeError("four")
    elif n == 5:
        raise RuntimeError
    return n


#numptx export views_in_loop(float64[:], int)
# run: views_in_loop(random(8), 3)
# run: views_in_loop(random(8), 0)
# run: views_in_loop(random(8), 20)
def views_in_loop(x, n):
    y = x
    for _ in range(n):
        y = y[1:]
    y += 1
    return y


#numptx export swap_loop(float64[:], int)
# run: swap_loop(random(8), 3)
# run: swap_loop(random(8), 4)
# run: swap_loop(random(8), 0)
def swap_loop(x, n):
    a = x
    b = np.zeros_like(x)
    for i in range(n):
        b[:] = a * 2 + i
        a, b = b, a
    return a, b


#numptx export branch_types(float64[:], bool)
# run: branch_types(random(4), True)
# run: branch_types(random(4), False)
def branch_types(x, flag):
    if flag:
        y = x[1:]
    else:
        y = x * 2
    y[0] = 5
    return y, x


#numptx export nothing(float64[:])
# run: nothing(random(4))
# run: nothing(random(0))
def nothing(x):
    x += 1


#numptx export fibonacci(int)
# run: fibonacci(10)
# run: fibonacci(0)
def fibonacci(n):
    a, b = 0, 1
    while n > 0:
        a, b = b, a + b
        n -= 1
    return a


#numptx export walk(float64[:,:])
# run: walk(random((4, 5)))
def walk(x):
    total = 0.0
    for row in x:
        for v in row:
            total += v
    return total


#numptx export enumerated(float64[:])
# run: enumerated(random(5))
def enumerated(x):
    total = 0.0
    for i, v in enumerate(x):
        total += i * v
    return total


#numptx export mean_of_squares(float64[:])
# run: mean_of_squares(random(50))
# run: mean_of_squares(random(1))
def mean_of_squares(x):
    total = 0.0
    n = len(x)
    for i in range(n):
        total += x[i] ** 2
    return total / n


#numptx export prefix(float64[:])
# run: prefix(random(50))
# run: prefix(random(100)[::-2])
# run: prefix(random(0))
def prefix(x):
    for i in range(1, len(x)):
        x[i] += x[i - 1]
    return x


#numptx export wave(float64[:,:])
# run: wave(random((6, 7)))
# run: wave(random((7, 6)).T)
def wave(x):
    n, m = x.shape
    for i in range(1, n):
        for j in range(1, m):
            x[i, j] = 0.5 * (x[i - 1, j] + x[i, j - 1])
    return x


#numptx export histogram(int[:], int)
# run: histogram(integers(0, 5, 100), 5)
# run: histogram(integers(0, 5, 100), 3)
# run: histogram(integers(-3, 3, 100), 3)
def histogram(x, n):
    counts = np.zeros(n, dtype=int)
    for v in x:
        counts[v] += 1
    return counts
