# Loops of one thread that end soon are not told of: searches that halve what is left, and few iterations that are known.


#numptx export positions(float64[:], float64[:], int64[:])
def positions(x, y, out):
    for i in range(len(y)):
        lo = 0
        hi = len(x)
        while lo < hi:
            mid = (lo + hi) // 2
            if x[mid] < y[i]:
                lo = mid + 1
            else:
                hi = mid
        out[i] = lo


#numptx export position(float64[:], float)
def position(x, v):
    lo = 0
    hi = len(x)
    while lo < hi:
        mid = (lo + hi) // 2
        if x[mid] < v:
            lo = mid + 1
        else:
            hi = mid
    return lo


#numptx export found(float64[:], float)
def found(x, v):
    lo = 0
    hi = len(x) - 1
    while lo <= hi:
        mid = lo + (hi - lo) // 2
        if x[mid] == v:
            return mid
        if x[mid] < v:
            lo = mid + 1
        else:
            hi = mid - 1
    return -1


#numptx export root(float64[:], float)
def root(x, least):
    lo, hi = x[0], x[1]
    while hi - lo > least:
        mid = 0.5 * (lo + hi)
        if x[2] * mid < 1.0:
            lo = mid
        else:
            hi = mid
    return lo


#numptx export bits(int64[:])
def bits(x):
    n = x[0]
    count = 0
    while n > 0:
        count += n & 1
        n >>= 1
    return count


#numptx export divisor(int64[:])
def divisor(x):
    a, b = x[0], x[1]
    while b != 0:
        a, b = b, a % b
    return a


#numptx export few(float64[:])
def few(x):
    for i in range(1, 10):
        x[i] = x[i - 1] * 0.5 + x[i]


#numptx export many(float64[:])
def many(x):
    for i in range(1, 5000):  #! NPX0601
        x[i] = x[i - 1] * 0.5 + x[i]


# Nobody knows where the middle is.
#numptx export guessed(float64[:], float)
def guessed(x, v):
    lo = 0
    hi = len(x)
    while lo < hi:  #! NPX0601
        mid = int(x[lo] + x[hi - 1])
        if x[mid] < v:
            lo = mid + 1
        else:
            hi = mid
    return lo


# One end goes on by one.
#numptx export one_by_one(float64[:], float)
def one_by_one(x, v):
    lo = 0
    hi = len(x)
    while lo < hi:  #! NPX0601
        mid = (lo + hi) // 2
        if x[mid] < v:
            lo = lo + 1
        else:
            hi = mid
    return lo


#numptx export counted(int64[:])
def counted(x):
    n = x[0]
    while n > 0:  #! NPX0601
        n -= x[n]
    return n
