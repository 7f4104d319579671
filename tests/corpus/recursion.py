"""Functions that call themselves: as loops where the call is what they return, else as often as is known when compiling."""

import numpy as np


#numptx export gcd(int, int)
# run: gcd(12, 18)
# run: gcd(17, 5)
# run: gcd(0, 0)
# run: gcd(5, 0)
# run: gcd(-12, 18)
def gcd(a, b):
    if b == 0:
        return a
    return gcd(b, a % b)


def power_of(x, n, result=1):
    """By squaring; the last argument may be left out outside."""
    if n == 0:
        return result
    if n % 2:
        return power_of(x * x, n // 2, result * x)
    return power_of(x * x, n // 2, result=result)


#numptx export powers(int, int)
# run: powers(3, 13)
# run: powers(-2, 5)
# run: powers(7, 0)
def powers(x, n):
    return power_of(x, n), power_of(x, 3)


def search(a, x, low, high):
    if low >= high:
        return low
    middle = (low + high) // 2
    return search(a, x, middle + 1, high) if a[middle] < x else search(a, x, low, middle)


#numptx export searched(float64[:], float)
# run: searched(arange(10.0), 3.5)
# run: searched(arange(10.0), -1.0)
# run: searched(arange(10.0), 99.0)
# run: searched(array([]), 0.0)
# run: searched(arange(10.0)[::-1][::-1], 9.0)
def searched(a, x):
    return search(a, x, 0, len(a))


def halve(a, n):
    if len(a) <= n:
        return a
    return halve(a[:len(a) // 2], n)


#numptx export halved(float64[:], int)
# run: halved(arange(17.0), 3)
# run: halved(arange(17.0), 20)
# run: halved(arange(16.0)[::-2], 1)
def halved(a, n):
    b = halve(a, n)
    b[0] = -1.0
    return b


def fact(n):
    return 1 if n < 2 else n * fact(n - 1)


def nested_sum(values):
    first, *rest = values
    if len(rest) == 0:
        return first
    return first + nested_sum(rest)


def binomial(n, k):
    if k == 0 or k == n:
        return 1
    return binomial(n - 1, k - 1) + binomial(n - 1, k)


def smooth(x, depth):
    if depth == 0:
        return x
    y = smooth(x, depth - 1)
    return 0.5 * (y[1:] + y[:-1])


#numptx export known(float64[:], float)
# run: known(arange(6.0), 2.0)
# run: known(random(5), -0.0)
def known(x, a):
    def total(depth):
        return a if depth == 0 else total(depth - 1) + depth

    return fact(10), nested_sum((a, 2, x, 4.0)), binomial(6, 3), smooth(x, 3), total(4)


#numptx export collatz(int)
# run: collatz(27)
# run: collatz(1)
# run: collatz(0)
def collatz(n):
    def steps(k, count):
        if k < 1:
            raise ValueError(f"{k} is not positive")
        if k == 1:
            return count
        elif k % 2 == 0:
            return steps(k // 2, count + 1)
        else:
            return steps(3 * k + 1, count=count + 1)

    return steps(n, 0)
