"""Sorts, merges and searches as textbooks have them: loops that exchange elements, and end where data say."""

import numpy as np


#numptx export bubble(float64[:])
# run: bubble(random(60))
# run: bubble(random(120)[::-2])
# run: bubble(array([2.0, nan, 1.0]))
# run: bubble(random(1))
# run: bubble(random(0))
def bubble(x):
    for end in range(len(x) - 1, 0, -1):
        swapped = False
        for i in range(end):
            if x[i] > x[i + 1]:
                x[i], x[i + 1] = x[i + 1], x[i]
                swapped = True
        if not swapped:
            break
    return x


#numptx export insertion(int32[:])
# run: insertion(integers(-9, 9, 70, dtype=int32))
# structure: launches=2 allocs=2 copies=0 syncs=1
# run: insertion(integers(-9, 9, 0, dtype=int32))
def insertion(x):
    for i in range(1, len(x)):
        v = x[i]
        j = i - 1
        while j >= 0 and x[j] > v:
            x[j + 1] = x[j]
            j -= 1
        x[j + 1] = v
    return x


#numptx export selection(float32[:])
# run: selection(random(70, dtype=float32))
# structure: launches=2 allocs=2 copies=0 syncs=1
# run: selection(random(1, dtype=float32))
# run: selection(random(0, dtype=float32))
def selection(x):
    for i in range(len(x)):
        least = i
        for j in range(i + 1, len(x)):
            if x[j] < x[least]:
                least = j
        x[i], x[least] = x[least], x[i]
    return x


#numptx export shell(float64[:])
# run: shell(random(150))
# run: shell(random(2))
# run: shell(random(0))
def shell(x):
    gap = len(x) // 2
    while gap > 0:
        for i in range(gap, len(x)):
            v = x[i]
            j = i
            while j >= gap and x[j - gap] > v:
                x[j] = x[j - gap]
                j -= gap
            x[j] = v
        gap //= 2


#numptx export odd_even(float64[:])
# run: odd_even(random(51))
# structure: launches=1 allocs=0 copies=0 syncs=0
# run: odd_even(random(0))
def odd_even(x):
    n = x.shape[0]
    for phase in range(n):
        for i in range(phase % 2, n - 1, 2):
            if x[i] > x[i + 1]:
                t = x[i]
                x[i] = x[i + 1]
                x[i + 1] = t


#numptx export by_counting(uint8[:])
# run: by_counting(integers(0, 256, 2000, dtype=uint8))
# structure: launches=8 allocs=7 copies=0 syncs=3
# run: by_counting(integers(0, 3, 5, dtype=uint8))
# run: by_counting(zeros(0, dtype=uint8))
def by_counting(x):
    counts = np.zeros(256, dtype=np.int64)
    for i in range(len(x)):
        counts[x[i]] += 1
    k = 0
    out = np.empty_like(x)
    for v in range(256):
        for _ in range(counts[v]):
            out[k] = v
            k += 1
    return out


#numptx export by_digits(int64[:])
# run: by_digits(integers(0, 99999, 300))
# run: by_digits(integers(0, 9, 1))
# run: by_digits(zeros(0, dtype=int64))
def by_digits(x):
    a = x.copy()
    out = np.empty_like(a)
    for shift in range(0, 20, 4):
        start = np.zeros(17, dtype=np.int64)
        for v in a:
            start[((v >> shift) & 15) + 1] += 1
        for d in range(16):
            start[d + 1] += start[d]
        for v in a:
            d = (v >> shift) & 15
            out[start[d]] = v
            start[d] += 1
        a, out = out, a
    return a


#numptx export by_partitions(float64[:])
# run: by_partitions(random(300))
# structure: launches=6 allocs=4 copies=0 syncs=2
# run: by_partitions(arange(70.0))
# run: by_partitions(zeros(40))
# run: by_partitions(random(1))
# run: by_partitions(random(0))
def by_partitions(x):
    stack = np.zeros((2 * len(x) + 2, 2), dtype=np.int64)
    stack[0, 0], stack[0, 1] = 0, len(x) - 1
    top = 1
    while top > 0:
        top -= 1
        low, high = stack[top, 0], stack[top, 1]
        if low >= high:
            continue
        pivot = x[(low + high) // 2]
        i, j = low, high
        while i <= j:
            while x[i] < pivot:
                i += 1
            while x[j] > pivot:
                j -= 1
            if i <= j:
                x[i], x[j] = x[j], x[i]
                i += 1
                j -= 1
        stack[top, 0], stack[top, 1] = low, j
        stack[top + 1, 0], stack[top + 1, 1] = i, high
        top += 2
    return x


def sift_down(x, start, end):
    root = start
    while 2 * root + 1 < end:
        child = 2 * root + 1
        if child + 1 < end and x[child] < x[child + 1]:
            child += 1
        if x[root] >= x[child]:
            return
        x[root], x[child] = x[child], x[root]
        root = child


#numptx export by_a_heap(float64[:])
# run: by_a_heap(random(200))
# structure: launches=4 allocs=4 copies=0 syncs=2
# run: by_a_heap(random(2))
# run: by_a_heap(random(0))
def by_a_heap(x):
    n = len(x)
    for start in range(n // 2 - 1, -1, -1):
        sift_down(x, start, n)
    for end in range(n - 1, 0, -1):
        x[0], x[end] = x[end], x[0]
        sift_down(x, 0, end)


#numptx export merged(float64[:], float64[:])
# run: merged(sort(random(60)), sort(random(45)))
# structure: launches=4 allocs=5 copies=0 syncs=2
# run: merged(sort(random(60)), random(0))
# run: merged(random(0), sort(random(6)))
# run: merged(random(0), random(0))
def merged(a, b):
    out = np.empty(len(a) + len(b))
    i = j = 0
    for k in range(len(out)):
        if j >= len(b) or (i < len(a) and a[i] <= b[j]):
            out[k] = a[i]
            i += 1
        else:
            out[k] = b[j]
            j += 1
    return out


#numptx export by_merging(float64[:])
# run: by_merging(random(100))
# run: by_merging(random(7))
# run: by_merging(random(1))
# run: by_merging(random(0))
def by_merging(x):
    n = len(x)
    a, b = x.copy(), np.empty(n)
    width = 1
    while width < n:
        for left in range(0, n, 2 * width):
            middle, right = min(left + width, n), min(left + 2 * width, n)
            i, j = left, middle
            for k in range(left, right):
                if i < middle and (j >= right or a[i] <= a[j]):
                    b[k] = a[i]
                    i += 1
                else:
                    b[k] = a[j]
                    j += 1
        a, b = b, a
        width *= 2
    return a


#numptx export places(float64[:], float64[:])
# run: places(sort(random(80)), random(50))
# structure: launches=2 allocs=2 copies=0 syncs=1
# run: places(sort(random(80)), array([-1.0, 2.0, nan]))
# run: places(random(0), random(5))
# run: places(random(5), random(0))
def places(x, wanted):
    found = np.empty(len(wanted), dtype=np.int64)
    for k in range(len(wanted)):
        low, high = 0, len(x)
        while low < high:
            middle = (low + high) // 2
            if x[middle] < wanted[k]:
                low = middle + 1
            else:
                high = middle
        found[k] = low
    return found


#numptx export pair_with_sum(int64[:], int)
# run: pair_with_sum(sort(integers(0, 500, 60)), 400)
# structure: launches=7 allocs=7 copies=0 syncs=2
# run: pair_with_sum(sort(integers(0, 500, 60)), 4000)
# run: pair_with_sum(zeros(1, dtype=int64), 0)
# run: pair_with_sum(zeros(0, dtype=int64), 0)
def pair_with_sum(x, wanted):
    i, j = 0, len(x) - 1
    while i < j:
        s = x[i] + x[j]
        if s == wanted:
            return i, j
        if s < wanted:
            i += 1
        else:
            j -= 1
    return -1, -1


#numptx export without_repetitions(int64[:])
# run: without_repetitions(sort(integers(0, 30, 100)))
# structure: launches=3 allocs=3 copies=0 syncs=2
# run: without_repetitions(zeros(4, dtype=int64))
# run: without_repetitions(zeros(0, dtype=int64))
def without_repetitions(x):
    if len(x) == 0:
        return 0
    k = 1
    for i in range(1, len(x)):
        if x[i] != x[k - 1]:
            x[k] = x[i]
            k += 1
    return k


#numptx export kth_least(float64[:], int)
# run: kth_least(random(90), 30)
# structure: launches=5 allocs=5 copies=0 syncs=2
# run: kth_least(random(90), 0)
# run: kth_least(random(1), 0)
# run: kth_least(random(3), 3)
# run: kth_least(random(0), 0)
def kth_least(x, k):
    low, high = 0, len(x) - 1
    while low < high:
        pivot = x[k]
        i, j = low, high
        while i <= j:
            while x[i] < pivot:
                i += 1
            while pivot < x[j]:
                j -= 1
            if i <= j:
                x[i], x[j] = x[j], x[i]
                i, j = i + 1, j - 1
        if j < k:
            low = i
        if k < i:
            high = j
    return x[k]


#numptx export inversions(int64[:])
# run: inversions(integers(0, 50, 60))
# structure: launches=2 allocs=1 copies=0 syncs=1
# run: inversions(zeros(0, dtype=int64))
def inversions(x):
    n = 0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            if x[i] > x[j]:
                n += 1
    return n


#numptx export ranks(float64[:])
# run: ranks(random(60))
# structure: launches=2 allocs=1 copies=0 syncs=0
# run: ranks(zeros(5))
# run: ranks(random(0))
def ranks(x):
    rank = np.zeros(len(x), dtype=np.int64)
    for i in range(len(x)):
        for j in range(len(x)):
            if x[j] < x[i] or (x[j] == x[i] and j < i):
                rank[i] += 1
    return rank
