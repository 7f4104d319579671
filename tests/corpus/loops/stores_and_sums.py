"""Loops that store elements and accumulate besides: their iterations are independent, and what they accumulate is a reduction of what they leave."""

import numpy as np


#numptx export relabelled(float64[:,:], float64[:,:], int64[:])
# run: relabelled(random((200, 3)), random((7, 3)), zeros(200, int64))
# structure: launches=2 copies=0 syncs=1
# run: relabelled(random((0, 3)), random((7, 3)), zeros(0, int64))
# run: relabelled(random((20, 3)), random((7, 3)), zeros(19, int64))
# run: relabelled(random((20, 3)), random((7, 2)), zeros(20, int64))
def relabelled(points, centres, label):
    changed = 0
    for i in range(points.shape[0]):
        best = 0
        least = np.inf
        for c in range(centres.shape[0]):
            distance = 0.0
            for d in range(points.shape[1]):
                distance += (points[i, d] - centres[c, d]) ** 2
            if distance < least:
                least = distance
                best = c
        if label[i] != best:
            changed += 1
            label[i] = best
    return changed


#numptx export until_settled(float64[:,:], float64[:,:], int64[:], int)
# run: until_settled(random((100, 2)), random((5, 2)), zeros(100, int64), 20)
# run: until_settled(random((3, 2)), random((5, 2)), zeros(3, int64), 20)
# run: until_settled(random((0, 2)), random((5, 2)), zeros(0, int64), 20)
def until_settled(points, centres, label, most):
    changed = True
    steps = 0
    while changed and steps < most:
        changed = False
        for i in range(len(points)):
            best = 0
            least = np.inf
            for c in range(len(centres)):
                distance = 0.0
                for d in range(points.shape[1]):
                    distance += (points[i, d] - centres[c, d]) ** 2
                if distance < least:
                    least = distance
                    best = c
            if label[i] != best:
                changed = True
            label[i] = best
        for c in range(len(centres)):
            centres[c] = centres[c] * 0.5 + 0.25
        steps += 1
    return steps, centres


#numptx export jacobi_sum(float64[:,:], float64[:,:])
# run: jacobi_sum(random((40, 50)), zeros((40, 50)))
# structure: launches=2 allocs=2 copies=0 syncs=1
# run: jacobi_sum(random((2, 50)), zeros((2, 50)))
# run: jacobi_sum(random((40, 2)), zeros((40, 2)))
# run: jacobi_sum(random((40, 50)), zeros((30, 50)))
# run: x = random((40, 50)); jacobi_sum(x, x)
def jacobi_sum(x, y):
    difference = 0.0
    for i in range(1, x.shape[0] - 1):
        for j in range(1, x.shape[1] - 1):
            y[i, j] = 0.25 * (x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1])
            difference += abs(y[i, j] - x[i, j])
    return float(difference)


#numptx export jacobi_until(float64[:,:], float64)
# run: jacobi_until(random((12, 9)), 0.01)
# run: jacobi_until(random((2, 2)), 0.01)
# run: x = random((12, 9)); x[4, 4] = nan; jacobi_until(x, 0.01)
def jacobi_until(x, tolerance):
    y = x.copy()
    difference = tolerance + 1.0
    steps = 0
    while difference > tolerance and steps < 100:
        difference = 0.0
        for i in range(1, x.shape[0] - 1):
            for j in range(1, x.shape[1] - 1):
                new = 0.25 * (x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1])
                change = abs(new - x[i, j])
                if change > difference:
                    difference = change
                y[i, j] = new
        for i in range(1, x.shape[0] - 1):
            for j in range(1, x.shape[1] - 1):
                x[i, j] = y[i, j]
        steps += 1
    return steps


#numptx export largest_row(float64[:,:], float64[:])
# run: largest_row(random((30, 40)), zeros(30))
# structure: launches=2 copies=0 syncs=1
# run: largest_row(random((0, 40)), zeros(0))
# run: largest_row(zeros((4, 4)), zeros(4))
# run: largest_row(full((4, 4), nan), zeros(4))
def largest_row(a, norms):
    largest = -1.0
    where = -1
    for i in range(a.shape[0]):
        s = 0.0
        for j in range(a.shape[1]):
            s += a[i, j] * a[i, j]
        norms[i] = np.sqrt(s)
        if norms[i] > largest:
            largest = norms[i]
            where = i
    return where


#numptx export clipped(float64[:], float64, float64)
# run: clipped(random(1000), 0.25, 0.5)
# structure: launches=2 copies=0 syncs=1
# run: clipped(random(0), 0.25, 0.5)
# run: clipped(array([nan, 0.0, 1.0, inf, -inf]), 0.25, 0.5)
def clipped(x, low, high):
    n = 0
    for i in range(len(x)):
        if x[i] < low:
            x[i] = low
            n += 1
        elif x[i] > high:
            x[i] = high
            n += 1
    return n


#numptx export stepped(float64[:], float64[:])
# run: stepped(random(101), zeros(101))
# run: stepped(random(6), zeros(6))
# run: stepped(random(5), zeros(3))
def stepped(x, y):
    total = 1.0
    last = -1.0
    for i in range(len(x) - 1, 2, -3):
        y[i] = x[i] * 2.0
        total *= 1.0 + 0.01 * y[i]
        last = y[i] - x[i - 1]
        y[i] = total_of(y[i])
    return total, last


def total_of(x):
    return x * x + 1.0


#numptx export overwritten(float64[:])
# run: overwritten(random(300))
# structure: launches=2 copies=0
# run: overwritten(random(1))
def overwritten(x):
    energy = 0.0
    for i in range(len(x)):
        before = x[i]
        x[i] = 0.5 * before
        energy += before * before - x[i]
        x[i] = x[i] + 1.0
    return energy


#numptx export row_sums(float64[:,:], float64[:])
# run: row_sums(random((20, 30)), zeros(20))
# run: row_sums(random((20, 30)), zeros(19))
def row_sums(a, y):
    total = 0.0
    for i in range(a.shape[0]):
        y[i] = 0.0
        for j in range(i, a.shape[1]):
            y[i] += a[i, j]
        total += y[i]
    return total


#numptx export too_large(int64[:], int)
# run: too_large(zeros(10, int64), 2**63 - 11)
# run: too_large(zeros(4, int64), 2**63 - 5)
def too_large(x, n):
    for i in range(len(x)):
        x[i] = i
        n += 1
    return n


#numptx export narrow(int8[:])
# run: narrow(integers(-128, 127, 500, int8))
# run: narrow(zeros(0, int8))
def narrow(x):
    s = np.int8(3)
    odd = 0
    for i in range(len(x)):
        s += x[i]
        if x[i] % 2 != 0:
            odd += 1
        x[i] = -x[i]
    return s, odd


#numptx export halved(float64[:], float64[:])
# run: halved(random(500), zeros(500))
# structure: launches=2 copies=0 syncs=1
# run: halved(full(5, 9.0), zeros(5))
# run: halved(random(5), zeros(4))
# run: halved(random(0), zeros(0))
def halved(x, y):
    is_large = False
    are_small = True
    for i in range(len(x)):
        v = x[i] * 0.5
        is_large = is_large or v > 1.0
        are_small = are_small and v < 0.5
        y[i] = v
    return bool(is_large), bool(are_small)


#numptx export are_ordered(float64[:])
# run: are_ordered(arange(100.0))
# structure: launches=2 copies=0 syncs=1
# run: are_ordered(random(100))
# run: are_ordered(random(0))
def are_ordered(x):
    ordered = True
    for i in range(1, len(x)):
        ordered = ordered and x[i - 1] <= x[i]
    return bool(ordered)


#numptx export least_of_each_step(float64[:,:], float64[:,:], int)
# run: least_of_each_step(random((9, 9)), random((9, 9)), 9)
# run: least_of_each_step(random((9, 9)), random((9, 9)), 0)
def least_of_each_step(a, b, n):
    where = -1
    for t in range(3):
        least = np.inf
        where = -1
        for i in range(n - 1):
            for j in range(n):
                b[i, j] = a[i, j] * b[j, i] * 0.25
                if a[i, j] <= least:
                    least = a[i, j]
                    where = j
    return where
