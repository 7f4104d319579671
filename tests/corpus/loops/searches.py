"""Loops that end at the first element of which something holds: a reduction finds it."""


#numptx export any_above(float64[:], float)
# run: any_above(random(10), 0.5)
# run: any_above(random(10), 1.5)
# run: any_above(ones(0), 1.5)
# run: any_above(array([nan, 2.0]), 1.5)
def any_above(x, a):
    found = False
    for i in range(x.shape[0]):
        if x[i] > a:
            found = True
            break
    return found


#numptx export position(int64[:], int64[:], int)
# run: position(arange(9), arange(9), 4)
# run: position(arange(9), arange(5), 4)
# run: position(arange(9), arange(5), 5)
# run: position(arange(9), arange(9), 40)
# run: position(arange(0), arange(9), 40)
def position(x, y, wanted):
    for i in range(x.shape[0]):
        if x[i] == wanted and y[i] == wanted:
            return i
    return -1


#numptx export from_the_third(float64[:], float, int)
# run: from_the_third(random(100), 0.9, 2)
# run: from_the_third(random(100), 2.0, 2)
# run: from_the_third(random(100), 2.0, 200)
# run: from_the_third(random(100), 0.5, -5)
# run: from_the_third(random(100), 0.5, -500)
def from_the_third(x, a, k):
    for i in range(k, x.shape[0]):
        if x[i] > a:
            return i
    return -1


# The second array ends before anything is found, or after.
#numptx export until_the_end_of_another(int64[:], int64[:], int64)
# run: until_the_end_of_another(arange(2000), arange(1000), 700)
# run: until_the_end_of_another(arange(2000), arange(1000), 1700)
# run: until_the_end_of_another(arange(2000), arange(1000)[::-1], 100)
def until_the_end_of_another(x, y, a):
    for i in range(x.shape[0]):
        if y[i] == a:
            return x[i] * 2
    return x[0]


#numptx export first_of_two(int64[:], int64, int64)
# run: first_of_two(arange(50), 3, 30)
# run: first_of_two(arange(50), 30, 3)
# run: first_of_two(arange(50), 300, 30)
# run: first_of_two(arange(50), 300, 300)
def first_of_two(x, a, b):
    for i in range(len(x)):
        if x[i] == a:
            return i, 1.5
        if x[i] == b:
            return -i, 2.5
    else:
        return 0, 0.0


#numptx export in_a_table(int64[:,:], int64)
# run: in_a_table(arange(30).reshape(5, 6), 17)
# run: in_a_table(arange(30).reshape(5, 6), 170)
# run: in_a_table(zeros((0, 6), dtype=int64), 0)
def in_a_table(x, wanted):
    for i, row in enumerate(x):
        for j in range(len(row) - 1, -1, -1):
            if row[j] == wanted:
                break
        else:
            continue
        return i, j
    return -1, -1


#numptx export index_after(float64[:], float)
# run: index_after(random(20), 0.8)
# run: index_after(random(20), 1.8)
# run: index_after(ones(1), 1.8)
def index_after(x, a):
    i = -1
    for i in range(len(x)):
        if x[i] > a:
            break
    return i


# What is carried until the end is no search: one thread runs it.
#numptx export sum_until(float64[:], float)
# run: sum_until(random(100), 5.0)
# run: sum_until(random(100), 500.0)
def sum_until(x, a):
    s = 0.0
    n = 0
    for v in x:
        s += v
        n += 1
        if s > a:
            break
    else:
        n = -1
    return s, n


#numptx export runs(int64[:], int64[:], int64[:])
# run: runs(integers(0, 2, 50), zeros(50, dtype=int64), zeros(50, dtype=int64))
# run: runs(integers(0, 2, 50), zeros(5, dtype=int64), zeros(50, dtype=int64))
# run: runs(zeros(50, dtype=int64), zeros(5, dtype=int64), zeros(50, dtype=int64))
# run: runs(zeros(0, dtype=int64), zeros(5, dtype=int64), zeros(50, dtype=int64))
# run: x = integers(0, 2, 60); runs(x[:50], x[10:], zeros(50, dtype=int64))
def runs(x, values, lengths):
    n = len(x)
    i = 0
    k = 0
    while i < n:
        j = i
        while j < n and x[j] == x[i]:
            j += 1
        values[k] = x[i]
        lengths[k] = j - i
        k += 1
        i = j
    return k


#numptx export bisected(float64[:], float64)
# run: bisected(arange(100.0), 40.5)
# run: bisected(arange(100.0), -4.5)
# run: bisected(arange(100.0), 100.5)
# run: bisected(arange(0.0), 100.5)
def bisected(x, a):
    low, high = 0, len(x)
    while low < high:
        middle = (low + high) // 2
        if x[middle] < a:
            low = middle + 1
        else:
            high = middle
    return low


#numptx export threshold(int64[:], int)
# run: threshold(integers(0, 50, 256), 256)
# run: threshold(zeros(256, dtype=int64), 256)
# run: threshold(integers(0, 50, 256), 300)
def threshold(counts, n):
    total = 0
    for t in range(len(counts)):
        total += counts[t]
    below, best, found = 0, 0.0, -1
    for t in range(n):
        below += counts[t]
        if below == 0:
            continue
        above = total - below
        if above == 0:
            break
        between = float(below) * float(above)
        if between > best:
            best = between
            found = t
    return found, best


#numptx export halved_until(float64[:], float64)
# run: halved_until(random(5) + 1, 0.01)
# run: halved_until(random(5) - 1, 0.01)
# run: halved_until(random(0), 0.01)
def halved_until(x, a):
    n = 0
    while x[0] > a:
        x[0] /= 2
        n += 1
    return n
