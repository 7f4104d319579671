"""Loops that read and write no array: reductions where they have many iterations, else the host runs them."""

import numpy as np

import numptx


#numptx export integral(float, float, int)
# run: integral(-inf, 1.0, 70000)
# run: integral(0.0, 1.0, 65536)
# run: integral(0.0, 1.0, 65535)
# run: integral(1.0, -1.0, 7)
# run: integral(0.0, 1.0, 0)
# run: integral(0.0, 1.0, -100000)
# run: integral(0.0, 1.0, 100000)
# structure: launches=1 allocs<=3 copies=0
def integral(a, b, n):
    h = (b - a) / n
    s = 0.0
    for i in numptx.prange(n):
        x = a + (i + 0.5) * h
        s += 4.0 / (1.0 + x * x)
    return s * h


#numptx export inside_circle(int, int)
# run: inside_circle(100000, 42)
# run: inside_circle(65536, -7)
# run: inside_circle(1000, 1)
# run: inside_circle(0, 1)
# run: inside_circle(70000, 2**62)
def inside_circle(n, seed):
    inside = 0
    for i in range(n):
        h = (i * 2654435761 + seed) & 0xFFFFFFFF
        h = ((h ^ (h >> 16)) * 73244475) & 0xFFFFFFFF
        h = h ^ (h >> 16)
        g = ((h + 12345) * 73244475) & 0xFFFFFFFF
        g = g ^ (g >> 16)
        x = h / 4294967296
        y = g / 4294967296
        if x * x + y * y <= 1.0:
            inside += 1
    return 4.0 * inside / n


#numptx export inside_circle_u64(int, uint64)
# run: inside_circle_u64(1000, uint64(2**64 - 1))
# run: inside_circle_u64(100000, uint64(42))
# structure: launches=1 allocs<=2 copies=0
def inside_circle_u64(n, seed):
    inside = 0
    for i in range(n):
        z = np.uint64(i) * np.uint64(0x9E3779B97F4A7C15) + seed
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
        w = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (z >> np.uint64(11)) / 2**53
        y = (w >> np.uint64(11)) / 2**53
        if x * x + y * y <= 1.0:
            inside += 1
    return inside


#numptx export harmonic(int, int)
# run: harmonic(1, 100000)
# run: harmonic(-5, 100000)
# run: harmonic(-99999, 1)
# run: harmonic(-5, 3)
# run: harmonic(5, 3)
# run: harmonic(-100000, -1)
def harmonic(first, last):
    s = 0.0
    for i in range(first, last):
        s += 1.0 / i
    return s


#numptx export residues(int, int)
# run: residues(100000, 7)
# run: residues(100000, 1)
# run: residues(100000, -7)
# run: residues(100000, 0)
# run: residues(100, 0)
# run: residues(0, 0)
# run: residues(-70000, 0)
def residues(n, k):
    count = 0
    total = 0
    for i in range(n):
        if i * i % k == 2:
            count += 1
        total += (i // k) & 255
    return count, total


#numptx export squares(int, int, int)
# run: squares(0, 100000, 1)
# run: squares(100000, 0, -1)
# run: squares(5, 300000, 3)
# run: squares(3036900000, 3037000000, 1)
# run: squares(4, 2, 1)
# run: squares(4, 2, 0)
def squares(first, last, step):
    odd = 0
    for i in range(first, last, step):
        if i * i & 3 == 1:
            odd += 1
    return odd


#numptx export grid(int, int)
# run: grid(300, 400)
# run: grid(70000, 1)
# run: grid(1, 70000)
# run: grid(3, 4)
# run: grid(70000, 0)
# run: grid(0, 70000)
# run: grid(-3, -4)
def grid(n, m):
    inside = 0
    largest = -1
    for i in range(n):
        for j in range(m):
            r = (i * 31 + j * 17) % 1009
            if r < 500:
                inside += 1
            if r > largest:
                largest = r
    return inside, largest


#numptx export checked_in_branches(int, int)
# run: checked_in_branches(100000, 70000)
# run: checked_in_branches(100000, -1)
# run: checked_in_branches(100000, 100000)
# run: checked_in_branches(100, 50)
# run: checked_in_branches(100, -50)
def checked_in_branches(n, hole):
    s = 0
    for i in range(n):
        if i != hole:
            s += 1000000 // (i - hole) & 1023
    return s


#numptx export any_of(int, int)
# run: any_of(100000, 99999)
# run: any_of(100000, 100000)
# run: any_of(100000, 0)
# run: any_of(0, 0)
def any_of(n, k):
    found = False
    every = True
    for i in range(n):
        found = found or i % 1000003 == k
        every = every and i < k
    return found, every


#numptx export few_by_choice(bool)
# run: few_by_choice(True)
# structure: launches=0 copies=0
# run: few_by_choice(False)
def few_by_choice(is_asked):
    s = 0.0
    if not is_asked:
        return s
    for i in range(65535):
        s += 1.0 / (1.0 + i)
    return s


#numptx export many_known(bool)
# run: many_known(True)
# structure: launches=1 copies=0
# run: many_known(False)
def many_known(is_asked):
    s = 0.0
    if not is_asked:
        return s
    for i in range(0, 196608, 3):
        s += 1.0 / (1.0 + i)
    return s


#numptx export smallest_divisor(int)
# run: smallest_divisor(1000003)
# run: smallest_divisor(1000005)
# structure: launches=0 copies=0
def smallest_divisor(n):
    for d in range(2, n):
        if n % d == 0:
            return d
    return n


#numptx export in_turns(int)
# run: in_turns(70000)
# structure: launches=0 copies=0
def in_turns(n):
    s = 1.0
    for i in range(n):
        s = 4.0 / (1.0 + s * s)
    return s


#numptx export many_sums(int, int)
# run: many_sums(3, 70000)
# run: many_sums(3, 70)
# run: many_sums(0, 70000)
def many_sums(m, n):
    out = np.zeros(m)
    for k in range(m):
        s = 0.0
        for i in range(n):
            s += 1.0 / (i + k)
        out[k] = s
    return out
