"""Loops over scalars alone with loops in them, as random walks and sums of divisors, as one reduction where they have many iterations."""

import math


#numptx export walks(int, int)
# run: walks(70000, 3)
# structure: launches==3 allocs=4 copies=0
# run: walks(70000, 0)
# run: walks(65536, 1)
# run: walks(100, 20)
# run: walks(0, 20)
# run: walks(-5, 20)
def walks(n, steps):
    total = 0.0
    for p in range(n):
        s = p * 2654435761 % 4294967296
        v = 0.0
        for t in range(steps):
            s = (s * 1664525 + 1013904223) % 4294967296
            v += s / 4294967296 - 0.5
        total += max(v, 0.0)
    return total


#numptx export series(int)
# run: series(66000)
# run: series(20)
# run: series(1)
# run: series(0)
def series(n):
    total = 0.0
    for i in range(1, n):
        t = 0.0
        for k in range(1, 5):
            t += math.sin(k * i * 0.001) / k
        total += t * t
    return total


#numptx export collatz(int)
# run: collatz(66000)
# run: collatz(30)
# run: collatz(0)
def collatz(n):
    most = 0
    for i in range(1, n):
        k = i
        steps = 0
        while k != 1 and steps < 20:
            if k % 2 == 0:
                k = k // 2
            else:
                k = 3 * k + 1
            steps += 1
        most = max(most, steps)
    return most


#numptx export divides(int, int)
# run: divides(66000, 3)
# run: divides(66000, 70000)
# run: divides(100, 3)
# run: divides(100, 50)
def divides(n, zero):
    total = 0
    for i in range(n):
        t = 0
        for k in range(1, 4):
            t += 7 // (i - zero + 66001 * (k - 1))
        total += t
    return total


#numptx export large_products(int, int)
# run: large_products(66000, 1)
# run: large_products(10, 2)
def large_products(n, times):
    total = 0
    for i in range(n):
        t = i
        for k in range(times):
            t = t * 65536
        total += t
    return total


#numptx export once_more(int, int)
# run: once_more(3, 66000)
# run: once_more(3, 5)
def once_more(rounds, n):
    most = 0
    for r in range(rounds):
        total = 0
        for i in range(n):
            s = i + r
            for k in range(3):
                s = (s * 1664525 + 1013904223) % 4294967296
            total += s % 7
        most = max(most, total)
    return most
