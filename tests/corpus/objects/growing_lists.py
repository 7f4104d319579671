"""Lists that grow and shrink while a loop runs."""

import numpy as np


#numptx export collatz(int)
# run: collatz(6)
# run: collatz(1)
# run: collatz(27)
def collatz(n):
    path = [n]
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        path.append(n)
    return path


#numptx export primes(int)
# run: primes(30)
# run: primes(0)
def primes(n):
    found = []
    k = 2
    while len(found) < n and k < 60:
        is_prime = True
        for p in found:
            if p * p > k:
                break
            if k % p == 0:
                is_prime = False
                break
        if is_prime:
            found.append(k)
        k += 1
    return found, len(found)


#numptx export shuffled(int list)
# run: shuffled([3, 1, 2, 5])
# run: shuffled([])
# run: shuffled([7])
def shuffled(xs):
    ys = []
    while xs:
        ys.append(xs.pop())
        if xs:
            ys.insert(0, xs.pop(0))
    xs.extend(ys)
    return ys


#numptx export removed(int list, int)
# run: removed([1, 2, 3, 2], 2)
# run: removed([1, 2, 3, 2], 5)
def removed(xs, x):
    n = xs.count(x)
    xs.remove(x)
    del xs[-1]
    return n, xs.index(x), x in xs


#numptx export through_array(float list)
# run: through_array([1.0, 2.0, -3.5])
# run: through_array([])
def through_array(xs):
    x = np.array(xs)
    y = x * 2.0
    ys = list(y)
    ys.append(y.sum())
    return np.array(ys), ys


#numptx export kept(float64[:])
# run: kept(array([1.0, -2.0, 3.0]))
# run: kept(array([]))
def kept(x):
    ys = []
    for v in x:
        if v > 0:
            ys.append(v)
    return np.array(ys)


#numptx export repeated_rows(int)
# run: repeated_rows(3)
# run: repeated_rows(0)
# run: repeated_rows(1)
def repeated_rows(n):
    found = []
    for i in range(n):
        for j in range(i):
            found.append(i)
    return found, len(found)
