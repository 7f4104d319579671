"""Integers, graphs and puzzles: sieves, walks along links, stacks and queues in arrays."""

import numpy as np


#numptx export primes(int)
# run: primes(400)
# structure: launches=4 allocs=5 copies=0 syncs=3
# run: primes(2)
# run: primes(1)
# run: primes(0)
def primes(n):
    composite = np.zeros(n + 1, dtype=np.bool_)
    for i in range(2, int(n**0.5) + 1):
        if not composite[i]:
            for j in range(i * i, n + 1, i):
                composite[j] = True
    count = 0
    for i in range(2, n + 1):
        if not composite[i]:
            count += 1
    return composite, count


#numptx export smallest_factors(int)
# run: smallest_factors(300)
# run: smallest_factors(0)
def smallest_factors(n):
    factor = np.arange(n + 1)
    i = 2
    while i * i <= n:
        if factor[i] == i:
            for j in range(i * i, n + 1, i):
                if factor[j] == j:
                    factor[j] = i
        i += 1
    return factor


#numptx export numbers_of_divisors(int)
# run: numbers_of_divisors(200)
# structure: launches=6 allocs=5 copies=0 syncs=2
# run: numbers_of_divisors(0)
def numbers_of_divisors(n):
    count = np.zeros(n + 1, dtype=np.int64)
    for d in range(1, n + 1):
        for m in range(d, n + 1, d):
            count[m] += 1
    return count


#numptx export totients(int)
# run: totients(150)
# structure: launches=3 allocs=4 copies=0 syncs=2
# run: totients(0)
def totients(n):
    phi = np.arange(n + 1)
    for p in range(2, n + 1):
        if phi[p] == p:
            for k in range(p, n + 1, p):
                phi[k] -= phi[k] // p
    return phi


#numptx export find_roots(int64[:], int64[:], int)
# run: find_roots(integers(0, 50, 40), integers(0, 50, 40), 50)
# structure: launches=5 allocs=5 copies=0 syncs=2
# run: find_roots(zeros(0, dtype=int64), zeros(0, dtype=int64), 3)
# run: find_roots(array([0, 7]), array([1, 2]), 3)
def find_roots(a, b, n):
    parent = np.arange(n)
    for k in range(len(a)):
        i, j = a[k], b[k]
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        while parent[j] != j:
            parent[j] = parent[parent[j]]
            j = parent[j]
        if i != j:
            parent[max(i, j)] = min(i, j)
    for i in range(n):
        root = i
        while parent[root] != root:
            root = parent[root]
        parent[i] = root
    return parent


#numptx export steps_from(int64[:], int64[:], int)
# run: steps_from(array([0, 2, 3, 5, 5, 6]), array([1, 2, 3, 0, 4, 3]), 0)
# run: steps_from(array([0, 2, 3, 5, 5, 6]), array([1, 2, 3, 0, 4, 3]), 4)
# run: steps_from(array([0, 0]), zeros(0, dtype=int64), 0)
# run: steps_from(array([0, 1]), array([3]), 0)
def steps_from(row, column, source):
    n = len(row) - 1
    steps = np.full(n, -1)
    queue = np.empty(n, dtype=np.int64)
    steps[source] = 0
    queue[0] = source
    head, tail = 0, 1
    while head < tail:
        v = queue[head]
        head += 1
        for k in range(row[v], row[v + 1]):
            w = column[k]
            if steps[w] < 0:
                steps[w] = steps[v] + 1
                queue[tail] = w
                tail += 1
    return steps


#numptx export shortest(int64[:], int64[:], float64[:], int)
# run: shortest(integers(0, 20, 90), integers(0, 20, 90), random(90), 20)
# run: shortest(zeros(0, dtype=int64), zeros(0, dtype=int64), random(0), 1)
def shortest(a, b, length, n):
    distance = np.full(n, np.inf)
    distance[0] = 0.0
    for _ in range(n - 1):
        changed = False
        for e in range(len(a)):
            through = distance[a[e]] + length[e]
            if through < distance[b[e]]:
                distance[b[e]] = through
                changed = True
        if not changed:
            break
    return distance


#numptx export nearest_first(float64[:,:], int)
# run: nearest_first(random((12, 12)) + 0.1, 3)
# structure: launches=5 allocs=4 copies=0 syncs=1
# run: nearest_first(random((1, 1)), 0)
def nearest_first(weights, source):
    n = weights.shape[0]
    distance = np.full(n, np.inf)
    done = np.zeros(n, dtype=np.bool_)
    distance[source] = 0.0
    for _ in range(n):
        nearest = -1
        for v in range(n):
            if not done[v] and (nearest < 0 or distance[v] < distance[nearest]):
                nearest = v
        done[nearest] = True
        for v in range(n):
            if not done[v] and distance[nearest] + weights[nearest, v] < distance[v]:
                distance[v] = distance[nearest] + weights[nearest, v]
    return distance


#numptx export survivor(int, int)
# run: survivor(41, 3)
# structure: launches=0 allocs=0 copies=0 syncs=0
# run: survivor(1, 3)
# run: survivor(0, 3)
def survivor(n, k):
    place = 0
    for people in range(2, n + 1):
        place = (place + k) % people
    return place


#numptx export order_of_leaving(int, int)
# run: order_of_leaving(17, 3)
# structure: launches=5 allocs=6 copies=0 syncs=3
# run: order_of_leaving(1, 1)
def order_of_leaving(n, k):
    after = np.empty(n, dtype=np.int64)
    for i in range(n):
        after[i] = (i + 1) % n
    order = np.zeros(n, dtype=np.int64)
    at = n - 1
    for step in range(n):
        for _ in range(k - 1):
            at = after[at]
        order[step] = after[at]
        after[at] = after[after[at]]
    return order


#numptx export collatz(int)
# run: collatz(100)
# structure: launches=4 allocs=4 copies=0 syncs=2
# run: collatz(0)
def collatz(n):
    lengths = np.zeros(n, dtype=np.int64)
    for i in range(n):
        v = i + 1
        while v != 1:
            v = v // 2 if v % 2 == 0 else 3 * v + 1
            lengths[i] += 1
    return lengths


#numptx export divisors(int64[:], int64[:])
# run: divisors(integers(-60, 60, 50), integers(-60, 60, 50))
# structure: launches=1 allocs=1 copies=0 syncs=0
# run: divisors(zeros(3, dtype=int64), zeros(3, dtype=int64))
def divisors(a, b):
    out = np.empty_like(a)
    for i in range(len(a)):
        x, y = a[i], b[i]
        while y != 0:
            x, y = y, x % y
        out[i] = abs(x)
    return out


#numptx export ones_in(uint32[:])
# run: ones_in(integers(0, 2**32 - 1, 60, dtype=uint32))
# structure: launches=2 allocs=1 copies=0 syncs=0
# run: ones_in(array([0, 2**32 - 1], dtype=uint32))
def ones_in(x):
    counts = np.zeros(x.shape[0], dtype=np.int32)
    for i, v in enumerate(x):
        while v:
            v &= v - np.uint32(1)
            counts[i] += 1
    return counts


#numptx export bits_reversed(int)
# run: bits_reversed(6)
# structure: launches=3 allocs=3 copies=0 syncs=2
# run: bits_reversed(0)
def bits_reversed(bits):
    n = 1 << bits
    order = np.zeros(n, dtype=np.int64)
    for i in range(n):
        r = 0
        v = i
        for _ in range(bits):
            r = (r << 1) | (v & 1)
            v >>= 1
        order[i] = r
    return order


#numptx export queens(int)
# run: queens(6)
# structure: launches=8 allocs=8 copies=0 syncs=2
# run: queens(1)
# run: queens(0)
def queens(n):
    column = np.full(n + 1, -1)
    used = np.zeros(n + 1, dtype=np.bool_)
    up = np.zeros(2 * n + 1, dtype=np.bool_)
    down = np.zeros(2 * n + 1, dtype=np.bool_)
    count = 0
    row = 0
    while row >= 0:
        if row == n:
            count += 1
            row -= 1
            continue
        c = column[row]
        if c >= 0:
            used[c] = up[row + c] = down[row - c + n] = False
        c += 1
        while c < n and (used[c] or up[row + c] or down[row - c + n]):
            c += 1
        if c < n:
            column[row] = c
            used[c] = up[row + c] = down[row - c + n] = True
            row += 1
            column[row] = -1
        else:
            column[row] = -1
            row -= 1
    return count


#numptx export walk(int, uint64)
# run: walk(200, uint64(7))
# structure: launches=3 allocs=3 copies=0 syncs=2
# run: walk(0, uint64(7))
def walk(n, seed):
    state = seed
    x = np.zeros(n + 1)
    for i in range(n):
        state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        x[i + 1] = x[i] + (1.0 if (state >> np.uint64(33)) & np.uint64(1) else -1.0)
    return x


#numptx export fibonacci(int)
# run: fibonacci(90)
# structure: launches=3 allocs=2 copies=0 syncs=1
# run: fibonacci(1)
def fibonacci(n):
    f = np.zeros(n + 1, dtype=np.int64)
    f[1] = 1
    for i in range(2, n + 1):
        f[i] = f[i - 1] + f[i - 2]
    return f


#numptx export power(int64[:], int, int)
# run: power(integers(0, 1000, 40), 77, 1009)
# structure: launches=2 allocs=1 copies=0 syncs=0
# run: power(integers(0, 1000, 40), 0, 1)
def power(base, exponent, modulus):
    out = np.ones_like(base)
    for i in range(len(base)):
        b, e, r = base[i] % modulus, exponent, 1 % modulus
        while e > 0:
            if e & 1:
                r = r * b % modulus
            b = b * b % modulus
            e >>= 1
        out[i] = r
    return out


#numptx export topological(int64[:], int64[:])
# run: topological(array([0, 2, 3, 4, 4]), array([1, 2, 3, 3]))
# run: topological(array([0, 1, 2]), array([1, 0]))
# run: topological(array([0]), zeros(0, dtype=int64))
def topological(row, column):
    n = len(row) - 1
    before = np.zeros(n, dtype=np.int64)
    for c in column:
        before[c] += 1
    order = np.empty(n, dtype=np.int64)
    tail = 0
    for v in range(n):
        if before[v] == 0:
            order[tail] = v
            tail += 1
    head = 0
    while head < tail:
        v = order[head]
        head += 1
        for k in range(row[v], row[v + 1]):
            before[column[k]] -= 1
            if before[column[k]] == 0:
                order[tail] = column[k]
                tail += 1
    return order[:tail]
