"""Dynamic programming as people write it: tables of which each element needs others that come before it."""

import numpy as np


#numptx export running_sums(float64[:])
# run: running_sums(random(300))
# structure: launches=2 allocs=1 copies=0 syncs=0
# run: running_sums(random(1))
# run: running_sums(random(0))
def running_sums(x):
    s = np.zeros(x.shape[0] + 1)
    for i in range(x.shape[0]):
        s[i + 1] = s[i] + x[i]
    return s


#numptx export summed_areas(int32[:,:])
# run: summed_areas(integers(-9, 9, (17, 40), dtype=int32))
# structure: launches=2 allocs=1 copies=0 syncs=0
# run: summed_areas(integers(-9, 9, (1, 1), dtype=int32))
# run: summed_areas(integers(-9, 9, (0, 4), dtype=int32))
# run: summed_areas(integers(-9, 9, (4, 0), dtype=int32))
def summed_areas(image):
    height, width = image.shape
    table = np.zeros((height + 1, width + 1), dtype=np.int64)
    for y in range(1, height + 1):
        for x in range(1, width + 1):
            table[y, x] = image[y - 1, x - 1] + table[y - 1, x] + table[y, x - 1] - table[y - 1, x - 1]
    return table


#numptx export edit_distance(uint8[:], uint8[:])
# run: edit_distance(integers(0, 4, 40, dtype=uint8), integers(0, 4, 55, dtype=uint8))
# structure: launches=5 allocs=2 copies=0 syncs=0
# run: edit_distance(integers(0, 4, 1, dtype=uint8), integers(0, 4, 1, dtype=uint8))
# run: edit_distance(zeros(0, dtype=uint8), integers(0, 4, 7, dtype=uint8))
# run: edit_distance(integers(0, 4, 7, dtype=uint8), zeros(0, dtype=uint8))
def edit_distance(a, b):
    n, m = len(a), len(b)
    d = np.zeros((n + 1, m + 1), dtype=np.int64)
    for i in range(n + 1):
        d[i, 0] = i
    for j in range(m + 1):
        d[0, j] = j
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + cost)
    return d[n, m]


#numptx export edit_distance_by_rows(uint8[:], uint8[:])
# run: edit_distance_by_rows(integers(0, 4, 40, dtype=uint8), integers(0, 4, 55, dtype=uint8))
# run: edit_distance_by_rows(zeros(0, dtype=uint8), integers(0, 4, 7, dtype=uint8))
# run: edit_distance_by_rows(integers(0, 4, 7, dtype=uint8), zeros(0, dtype=uint8))
def edit_distance_by_rows(a, b):
    before = np.arange(len(b) + 1)
    row = np.zeros(len(b) + 1, dtype=np.int64)
    for i in range(len(a)):
        row[0] = i + 1
        for j in range(len(b)):
            change = before[j] + (a[i] != b[j])
            row[j + 1] = min(row[j] + 1, before[j + 1] + 1, change)
        before, row = row, before
    return before[-1]


#numptx export common_subsequence(int64[:], int64[:])
# run: common_subsequence(integers(0, 5, 60), integers(0, 5, 33))
# structure: launches=8 allocs=7 copies=0 syncs=2
# run: common_subsequence(integers(0, 5, 60), zeros(0, dtype=int64))
def common_subsequence(a, b):
    n, m = a.shape[0], b.shape[0]
    length = np.zeros((n + 1, m + 1), dtype=np.int32)
    for i in range(n - 1, -1, -1):
        for j in range(m - 1, -1, -1):
            if a[i] == b[j]:
                length[i, j] = 1 + length[i + 1, j + 1]
            else:
                length[i, j] = max(length[i + 1, j], length[i, j + 1])
    # The way back through the table.
    found = np.zeros(min(n, m), dtype=np.int64)
    i = j = k = 0
    while i < n and j < m:
        if a[i] == b[j]:
            found[k] = a[i]
            i, j, k = i + 1, j + 1, k + 1
        elif length[i + 1, j] >= length[i, j + 1]:
            i += 1
        else:
            j += 1
    return found[:k]


# `?` is one character of any kind, `*` any number of them.
#numptx export matches(uint8[:], uint8[:])
# run: matches(array([1, 2, 3, 1, 2], dtype=uint8), array([1, 42, 2], dtype=uint8))
# structure: launches=5 allocs=2 copies=0 syncs=0
# run: matches(array([1, 2, 3, 1, 2], dtype=uint8), array([1, 63, 3, 42], dtype=uint8))
# run: matches(array([1, 2, 3, 1, 2], dtype=uint8), array([1, 63, 63, 42, 1], dtype=uint8))
# run: matches(zeros(0, dtype=uint8), array([42, 42], dtype=uint8))
# run: matches(zeros(0, dtype=uint8), zeros(0, dtype=uint8))
def matches(text, pattern):
    n, m = len(text), len(pattern)
    fits = np.zeros((n + 1, m + 1), dtype=np.bool_)
    fits[0, 0] = True
    for j in range(1, m + 1):
        fits[0, j] = pattern[j - 1] == 42 and fits[0, j - 1]
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            if pattern[j - 1] == 42:
                fits[i, j] = fits[i - 1, j] or fits[i, j - 1]
            elif pattern[j - 1] == 63 or pattern[j - 1] == text[i - 1]:
                fits[i, j] = fits[i - 1, j - 1]
    return fits[n, m]


#numptx export longest_borders(uint8[:])
# run: longest_borders(integers(0, 2, 70, dtype=uint8))
# structure: launches=4 allocs=4 copies=0 syncs=2
# run: longest_borders(zeros(5, dtype=uint8))
# run: longest_borders(zeros(1, dtype=uint8))
# run: longest_borders(zeros(0, dtype=uint8))
def longest_borders(pattern):
    borders = np.zeros(len(pattern), dtype=np.int64)
    k = 0
    for i in range(1, len(pattern)):
        while k > 0 and pattern[k] != pattern[i]:
            k = borders[k - 1]
        if pattern[k] == pattern[i]:
            k += 1
        borders[i] = k
    return borders


#numptx export longest_rise(float64[:])
# run: longest_rise(random(90))
# structure: launches=3 allocs=2 copies=0 syncs=1
# run: longest_rise(zeros(4))
# run: longest_rise(random(1))
# run: longest_rise(random(0))
def longest_rise(x):
    n = len(x)
    if n == 0:
        return 0
    length = np.ones(n, dtype=np.int64)
    for i in range(1, n):
        for j in range(i):
            if x[j] < x[i]:
                length[i] = max(length[i], length[j] + 1)
    return int(length.max())


#numptx export longest_rise_by_piles(float64[:])
# run: longest_rise_by_piles(random(90))
# structure: launches=3 allocs=4 copies=0 syncs=2
# run: longest_rise_by_piles(arange(9.0))
# run: longest_rise_by_piles(random(0))
def longest_rise_by_piles(x):
    tops = np.empty(len(x))
    n_piles = 0
    for v in x:
        low, high = 0, n_piles
        while low < high:
            middle = (low + high) // 2
            if tops[middle] < v:
                low = middle + 1
            else:
                high = middle
        tops[low] = v
        if low == n_piles:
            n_piles += 1
    return n_piles


#numptx export largest_run(float64[:])
# run: largest_run(random(100) - 0.5)
# structure: launches=7 allocs=6 copies=0 syncs=1
# run: largest_run(-ones(3))
# run: largest_run(random(1))
# run: largest_run(random(0))
def largest_run(x):
    best = current = x[0]
    start = first = last = 0
    for i in range(1, len(x)):
        if current < 0:
            current = x[i]
            start = i
        else:
            current += x[i]
        if current > best:
            best, first, last = current, start, i
    return best, first, last


# Ways to change an amount, where each coin may be taken any number of times.
#numptx export ways_to_change(int64[:], int)
# run: ways_to_change(array([1, 2, 5, 10, 20, 50]), 137)
# structure: launches=4 allocs=3 copies=0 syncs=1
# run: ways_to_change(array([7, 300]), 137)
# run: ways_to_change(array([3]), 0)
# run: ways_to_change(zeros(0, dtype=int64), 5)
# run: ways_to_change(array([0, 2]), 9)
# run: ways_to_change(array([-1, 2]), 9)
# run: ways_to_change(array([-12, 2]), 9)
# run: ways_to_change(array([1]), -1)
def ways_to_change(coins, amount):
    ways = np.zeros(amount + 1, dtype=np.int64)
    ways[0] = 1
    for c in coins:
        for j in range(c, amount + 1):
            ways[j] += ways[j - c]
    return ways


#numptx export fewest_coins(int32[:], int)
# run: fewest_coins(array([1, 7, 10], dtype=int32), 138)
# structure: launches=6 allocs=5 copies=0 syncs=3
# run: fewest_coins(array([5, 9], dtype=int32), 4)
# run: fewest_coins(zeros(0, dtype=int32), 4)
def fewest_coins(coins, amount):
    fewest = np.full(amount + 1, amount + 1)
    fewest[0] = 0
    for a in range(1, amount + 1):
        for k in range(len(coins)):
            if coins[k] <= a and fewest[a - coins[k]] + 1 < fewest[a]:
                fewest[a] = fewest[a - coins[k]] + 1
    return int(fewest[amount]) if fewest[amount] <= amount else -1


#numptx export best_value(int32[:], float64[:], int)
# run: best_value(integers(1, 9, 12, dtype=int32), random(12), 40)
# structure: launches=3 allocs=4 copies=0 syncs=1
# run: best_value(integers(50, 90, 12, dtype=int32), random(12), 40)
# run: best_value(array([0, -3, 4], dtype=int32), random(3), 40)
# run: best_value(zeros(0, dtype=int32), random(0), 4)
def best_value(weights, values, capacity):
    best = np.zeros(capacity + 1)
    for i in range(len(weights)):
        for w in range(capacity, weights[i] - 1, -1):
            best[w] = max(best[w], best[w - weights[i]] + values[i])
    return best


#numptx export can_be_split(uint8[:])
# run: can_be_split(integers(1, 30, 14, dtype=uint8))
# structure: launches=6 allocs=6 copies=0 syncs=3
# run: can_be_split(array([1, 2], dtype=uint8))
# run: can_be_split(zeros(0, dtype=uint8))
def can_be_split(numbers):
    total = 0
    for v in numbers:
        total += int(v)
    if total % 2:
        return False
    half = total // 2
    reached = np.zeros(half + 1, dtype=np.bool_)
    reached[0] = True
    for i in range(numbers.shape[0]):
        v = int(numbers[i])
        for s in range(half, v - 1, -1):
            if reached[s - v]:
                reached[s] = True
    return bool(reached[half])


#numptx export pascal(int)
# run: pascal(30)
# structure: launches=2 allocs=2 copies=0 syncs=1
# run: pascal(1)
# run: pascal(0)
def pascal(n):
    c = np.zeros((n, n), dtype=np.int64)
    for i in range(n):
        c[i, 0] = 1
        for j in range(1, i + 1):
            c[i, j] = c[i - 1, j - 1] + c[i - 1, j]
    return c


#numptx export pascal_s_row(int)
# run: pascal_s_row(30)
# structure: launches=3 allocs=2 copies=0 syncs=1
# run: pascal_s_row(0)
def pascal_s_row(n):
    row = np.zeros(n + 1, dtype=np.int64)
    row[0] = 1
    for i in range(1, n + 1):
        for j in range(i, 0, -1):
            row[j] += row[j - 1]
    return row


#numptx export catalan(int)
# run: catalan(30)
# structure: launches=3 allocs=2 copies=0 syncs=1
# run: catalan(0)
def catalan(n):
    c = np.zeros(n + 1, dtype=np.int64)
    c[0] = 1
    for i in range(1, n + 1):
        for j in range(i):
            c[i] += c[j] * c[i - 1 - j]
    return c


#numptx export matrix_chain(int64[:])
# run: matrix_chain(integers(1, 50, 20))
# structure: launches=3 allocs=2 copies=0 syncs=0
# run: matrix_chain(integers(1, 50, 2))
# run: matrix_chain(integers(1, 50, 1))
def matrix_chain(sizes):
    n = len(sizes) - 1
    cost = np.zeros((n, n), dtype=np.int64)
    split = np.zeros((n, n), dtype=np.int64)
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            cost[i, j] = 2**62
            for k in range(i, j):
                q = cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1]
                if q < cost[i, j]:
                    cost[i, j] = q
                    split[i, j] = k
    return cost, split


#numptx export rod(float64[:])
# run: rod(random(40))
# structure: launches=2 allocs=1 copies=0 syncs=0
# run: rod(random(0))
def rod(prices):
    n = len(prices)
    best = np.zeros(n + 1)
    for length in range(1, n + 1):
        value = -np.inf
        for cut in range(length):
            value = max(value, prices[cut] + best[length - cut - 1])
        best[length] = value
    return best


#numptx export largest_square(uint8[:,:])
# run: largest_square((random((30, 23)) < 0.8).astype(uint8))
# structure: launches=3 allocs=2 copies=0 syncs=1
# run: largest_square(ones((3, 3), dtype=uint8))
# run: largest_square(zeros((0, 3), dtype=uint8))
def largest_square(grid):
    n, m = grid.shape
    size = np.zeros((n, m), dtype=np.int64)
    best = 0
    for i in range(n):
        for j in range(m):
            if grid[i, j] == 0:
                continue
            if i == 0 or j == 0:
                size[i, j] = 1
            else:
                size[i, j] = min(size[i - 1, j], size[i, j - 1], size[i - 1, j - 1]) + 1
            best = max(best, int(size[i, j]))
    return best


#numptx export cheapest_path(float64[:,:])
# run: cheapest_path(random((12, 31)))
# structure: launches=2 allocs=1 copies=0 syncs=0
# run: cheapest_path(random((1, 1)))
def cheapest_path(cost):
    n, m = cost.shape
    total = cost.copy()
    for i in range(n):
        for j in range(m):
            if i > 0 and j > 0:
                total[i, j] += min(total[i - 1, j], total[i, j - 1])
            elif i > 0:
                total[i, j] += total[i - 1, j]
            elif j > 0:
                total[i, j] += total[i, j - 1]
    return total
