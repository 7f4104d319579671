"""Ints in loops that come near the end of 64 bits though their parts are small: what does not fit raises."""


#numptx export counted(int64[:])
# run: counted(zeros(8, int64))
# run: counted(zeros(7, int64))
def counted(y):
    for i in range(len(y)):
        c = i * 1317624576693539401
        for j in range(i):
            c += 8
        y[i] = c


#numptx export counted_until(int64[:])
# run: counted_until(zeros(8, int64))
# run: counted_until(zeros(7, int64))
def counted_until(y):
    for i in range(len(y)):
        c = i * 1317624576693539401
        while c % 64 != 63:
            c += 1
        c += 16
        y[i] = c


#numptx export divided(int64[:], int)
# run: divided(zeros(8, int64), 6)
# run: divided(zeros(8, int64), 7)
# run: divided(zeros(4, int64), 3)
def divided(y, n):
    for i in range(len(y)):
        q = i * 1317624576693539401 // 3
        if i > n:
            y[i] = q + q + q + q


#numptx export remainders(int64[:], int)
# run: remainders(zeros(8, int64), 0)
# run: remainders(zeros(3, int64), 0)
def remainders(y, n):
    for i in range(len(y)):
        d = i * 1317624576693539401 % (1317624576693539401 * 6 + i)
        if i > 3:
            y[i] = d + d + d + d


#numptx export extremes(int64[:], int)
# run: extremes(zeros(8, int64), 5)
# run: extremes(zeros(4, int64), 3)
def extremes(y, n):
    for i in range(len(y)):
        q = min(i * 1317624576693539401, 1317624576693539401 * 5 + i)
        if i > n:
            y[i] = q + q + q


#numptx export chosen(int64[:], int)
# run: chosen(zeros(8, int64), 5)
# run: chosen(zeros(8, int64), 9)
# run: chosen(zeros(4, int64), 3)
def chosen(y, k):
    for i in range(len(y)):
        q = i * 1317624576693539401
        if i < k:
            q = i
        y[i] = q + q + q


#numptx export far_indices(int64[:])
# run: far_indices(zeros(8, int64))
# run: far_indices(zeros(3, int64))
def far_indices(y):
    for i in range(len(y)):
        for j in range(i * 1317624576693539401, i * 1317624576693539401 + 1):
            y[i] = j + j + j


#numptx export few_far_turns(float64[:], float64[:])
# run: few_far_turns(random(4), random(4))
def few_far_turns(x, y):
    a = x.copy()
    b = y.copy()
    for i in range(0, 9223372036854775807, 3074457345618258603):
        b[1:] = a[:-1] + a[1:] * 0.5
        a, b = b, a
    return a, b
