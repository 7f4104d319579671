"""Generators that are gone through where they are called."""

import numpy as np


def squares(n):
    for i in range(n):
        yield i * i


def pairs(x):
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            yield x[i], x[j]


def naturals(first):
    n = first
    while True:
        yield n
        n += 1


def windows(x, size=2):
    if size <= 0:
        return
    for i in range(len(x) - size + 1):
        yield x[i : i + size]


def both_ways(n):
    yield -1
    yield from range(n)
    for i in squares(n):
        if i > 10:
            return
        yield i
    yield -2


def told(n):
    for i in range(n):
        print("gives", i)
        yield i
        print("went on after", i)
    print("ends")


#numptx export summed(int)
# run: summed(5)
# run: summed(0)
# run: summed(1)
def summed(n):
    total = 0
    for v in squares(n):
        total += v
    return total, sum(squares(n)), max(squares(n + 1)), list(squares(n)), sorted(squares(n), reverse=True)


#numptx export distances(float64[:])
# run: distances(array([1.0, 4.0, -2.0]))
# run: distances(array([]))
# run: distances(array([3.0]))
def distances(x):
    i = 0
    out = []
    for a, b in pairs(x):
        out.append(abs(a - b))
        i += 1
    return np.array(out), i


#numptx export first_divisible(int, int)
# run: first_divisible(10, 7)
# run: first_divisible(0, 3)
# run: first_divisible(-5, 2)
def first_divisible(first, divisor):
    for n in naturals(first):
        if n % 2 == 0 and divisor > 2:
            continue
        if n % divisor == 0:
            break
    return n


#numptx export returned_early(int, int)
# run: returned_early(3, 40)
# run: returned_early(1, 1)
# run: returned_early(2, 0)
def returned_early(first, limit):
    for n in naturals(first):
        if n * n > limit:
            return n, limit


#numptx export means(float64[:], int)
# run: means(array([1.0, 2.0, 3.0, 5.0]), 2)
# run: means(array([1.0, 2.0]), 3)
# run: means(array([1.0, 2.0]), 0)
def means(x, size):
    n = len(x)
    out = np.zeros(n)
    k = 0
    for w in windows(x, size=size):
        out[k] = w.mean()
        k += 1
    else:
        k += 100
    return out, k, n


#numptx export in_turn(int)
# run: in_turn(6)
# run: in_turn(0)
# run: in_turn(2)
def in_turn(n):
    seen = []
    for v in both_ways(n):
        seen.append(v)
    return seen, list(both_ways(n)), any(v > 3 for v in both_ways(n))


#numptx export interleaved(int, int)
# run: interleaved(3, 5)
# run: interleaved(4, 1)
# run: interleaved(0, 0)
def interleaved(n, stop):
    for i in told(n):
        if i == stop:
            print("stops")
            break
        print("takes", i)
    else:
        print("exhausted")


#numptx export nested(int)
# run: nested(4)
# run: nested(0)
# run: nested(1)
def nested(n):
    total = 0
    for i in squares(n):
        for j in squares(n):
            if j > i:
                break
            total += i * j
    return total


#numptx export local_generator(int)
# run: local_generator(5)
# run: local_generator(0)
# run: local_generator(1)
def local_generator(n):
    calls = 0

    def halves(m):
        while m > 0:
            yield m
            m //= 2

    for h in halves(n):
        calls += h
    return calls, list(halves(n)), "-".join(str(h) for h in halves(n))


#numptx export enumerated(int)
# run: enumerated(3)
# run: enumerated(0)
# run: enumerated(1)
def enumerated(n):
    out = {}
    for k, v in enumerate(squares(n)):
        out[k] = v
    return out, dict(zip(squares(n), squares(n))), [v + 1 for v in squares(n)]


#numptx export stepped(float64[:], float)
# run: stepped(array([1.0, 2.0, 3.0]), 0.5)
# run: stepped(array([]), 0.5)
# run: stepped(array([9.0]), 2.0)
def stepped(x, factor):
    y = np.empty_like(x)
    for i, v in scaled(x, factor):
        y[i] = v + 1.0
    return y


def scaled(x, factor):
    for i in range(len(x)):
        yield i, x[i] * factor
