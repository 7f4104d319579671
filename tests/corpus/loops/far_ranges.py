"""Ranges whose bounds are far apart: what Python's own ints would hold."""


#numptx export first_five(int, int, int)
# run: first_five(-2**63, 2**63 - 1, 1)
# run: first_five(0, -2**63, 2)
# run: first_five(0, -2**63, -1)
# run: first_five(0, -3, -2**63)
# run: first_five(-2**63, 2**63 - 1, 2**63 - 1)
# run: first_five(2**63 - 1, -2**63, -2**63)
# run: first_five(2**63 - 1 - 2, 2**63 - 1, 1)
# run: first_five(-2**63 + 2, -2**63, -1)
# run: first_five(3, 3, -2**63)
# run: first_five(1, 2, 0)
def first_five(low, high, step):
    n = last = 0
    for i in range(low, high, step):
        n += 1
        last = i
        if n == 5:
            break
    else:
        n = -n
    return n, last


#numptx export by_two(int, int)
# run: by_two(-2**63, 2**63 - 1)
# run: by_two(2**63 - 1, -2**63)
# run: by_two(-2**63, -2**63 + 1)
def by_two(low, high):
    n = last = 0
    for i in range(low, high, 2):
        n, last = n + 1, i
        if n == 3:
            break
    for i in range(high, low, -3):
        n, last = n + 1, last // 2 + i // 2
        if n > 6:
            break
    return n, last


#numptx export last_ones(int, int, int)
# run: last_ones(-2**63, 2**63 - 1, 1)
# run: last_ones(2**63 - 1, -2**63, -7)
# run: last_ones(-2**63, 2**63 - 1, 2**63 - 1)
# run: last_ones(4, -4, 3)
def last_ones(low, high, step):
    n = last = 0
    for i in reversed(range(low, high, step)):
        n += 1
        last = i
        if n == 4:
            break
    return n, last


#numptx export lengths(int, int, int)
# run: lengths(-2**63, 2**63 - 1, 1)
# run: lengths(-2**63, 2**63 - 1, 2)
# run: lengths(0, 2**63 - 1, 1)
# run: lengths(2**63 - 1, -2**63, -2**63)
# run: lengths(5, -2**63 + 1, -1)
def lengths(low, high, step):
    return len(range(low, high, step))


#numptx export found(int64[:], int, int)
# run: found(arange(7), -2**63, 2**63 - 1)
# run: found(arange(7), 2**63 - 1, -2**63)
# run: found(arange(7), -3, 9)
def found(x, low, high):
    for i in range(low, high):
        if x[i % 7] == 5:
            return i
    return 0


#numptx export stored(float64[:], int, int, int)
# run: stored(zeros(6), -3, 2**63 - 1, 2**63 - 1)
# run: stored(zeros(6), 5, -2**63, -2**63)
# run: stored(zeros(6), 0, -2**63, 2)
# run: stored(zeros(6), -7, 2**63 - 1, 2)
# run: stored(zeros(6), 2, 2**63 - 1, 1)
def stored(x, low, high, step):
    for i in range(low, high, step):
        if i > 4:
            break
        x[i] = i
    return x


#numptx export numbered(float64[:], int)
# run: numbered(random(3), 2**63 - 3)
# run: numbered(random(3), -2**63)
# run: numbered(random(0), 2**63 - 1)
def numbered(x, start):
    last = 0
    for i, v in enumerate(x, start):
        x[i - start] = v * 2
        last = i
    return last
