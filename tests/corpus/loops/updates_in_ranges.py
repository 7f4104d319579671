"""Loops that update elements in ranges of the program's ints: each has its own where no index counts from the end, else several iterations may update one."""


#numptx export doubled(float64[:], int, int)
# run: doubled(random(1000), 0, 1000)
# structure: launches=1 allocs=0 copies=0
# run: doubled(random(1000), 3, 900)
# run: doubled(random(1000), -1000, 1000)
# run: doubled(random(1000), -1, 1000)
# run: doubled(random(1000), -1000, 0)
# run: doubled(random(1000), -1001, 0)
# run: doubled(random(1000), 5, 1001)
# run: doubled(random(1000), 5, 5)
# run: doubled(random(1000), 9, 5)
# run: doubled(random(1000)[::-3], -7, 100)
# run: doubled(zeros(0), 0, 0)
# run: doubled(zeros(0), -1, 0)
# run: doubled(zeros(0), -1, -1)
# run: doubled(ones(3), -1, 3)
def doubled(x, first, last):
    for i in range(first, last):
        x[i] = x[i] * 2


#numptx export raised(int64[:], int64[:], int)
# run: raised(arange(500), integers(-9, 9, 500), 0)
# structure: launches=2 allocs=0 copies=0
# run: raised(arange(500), integers(-9, 9, 500), 10)
# run: raised(arange(500), integers(-9, 9, 500), -10)
# run: raised(arange(500), integers(-9, 9, 500), 500)
# run: raised(arange(500), integers(-9, 9, 500), 501)
# run: raised(arange(500), integers(-9, 9, 400), 100)
# run: raised(arange(500), integers(-9, 9, 400), -100)
# run: x = arange(500); raised(x, x, 4)
# run: x = arange(500); raised(x[1:], x[:-1], 4)
# run: x = arange(500); raised(x, x[::-1], 0)
def raised(x, y, r):
    for i in range(y.shape[0]):
        x[i - r] += y[i]


#numptx export column_raised(float64[:,:], float64[:], int, int)
# run: column_raised(random((30, 40)), random(30), 3, 0)
# run: column_raised(random((30, 40)), random(30), -3, 0)
# run: column_raised(random((30, 40)), random(30), 39, -30)
# run: column_raised(random((30, 40)), random(30), 40, -30)
# run: column_raised(random((30, 40)).T, random(40), 2, -1)
# run: a = random((30, 40)); column_raised(a, a[:, 2], 2, -3)
# run: a = random((30, 40)); column_raised(a, a[:, 2], 3, 3)
# run: column_raised(zeros((0, 3)), zeros(0), 0, 0)
def column_raised(a, x, j, first):
    for i in range(first, a.shape[0]):
        a[i, j] += x[i]


# Many iterations for few elements, all of the same one.
#numptx export totals(int64[:], int64[:], int)
# run: totals(zeros(3, dtype=int64), integers(0, 99, 5000), 1)
# run: totals(zeros(3, dtype=int64), integers(0, 99, 5000), -1)
# run: totals(zeros(3, dtype=int64), integers(0, 99, 5000), 3)
# run: totals(zeros(3, dtype=int64), integers(0, 99, 0), 3)
def totals(x, y, k):
    for i in range(y.shape[0]):
        x[k] += y[i]
