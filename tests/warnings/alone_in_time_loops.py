# One thread runs a loop while those that share the others wait: that is told of, and not called a front.


#numptx export filtered(float64[:], float64[:], int)
def filtered(x, y, t):
    for k in range(t):
        s = 0.0
        for i in range(len(x)):  #! NPX0601
            s = s * 0.5 + x[i]
            y[i] = s
        for i in range(len(x)):
            x[i] = y[i] * 0.9


#numptx export from_the_first(float64[:], float64[:], int)
def from_the_first(x, y, t):
    for k in range(t):
        y[0] = x[0]
        for i in range(1, len(x)):  #! NPX0601
            y[i] = y[i - 1] * 0.5 + x[i]
        for i in range(len(x)):
            x[i] = y[i] * 0.9


#numptx export placed(float64[:], int64[:], int)
def placed(y, k, t):
    for q in range(t):
        for i in range(len(k)):  #! NPX0601 if no two of them do, `#numptx parallel` above `for i in range(len(k)):`
            y[k[i]] = i + q
        for i in range(len(y)):
            y[i] *= 0.5


# Each step of this one has many points.
#numptx export relaxed(float64[:,:], int)
def relaxed(a, t):
    for k in range(t):
        for i in range(1, a.shape[0] - 1):
            for j in range(1, a.shape[1] - 1):
                a[i, j] = 0.25 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])


# Few iterations are.
#numptx export few(float64[:], float64[:], int)
def few(x, y, t):
    for k in range(t):
        for i in range(1, 8):
            y[i] = y[i - 1] * 0.5 + x[i]
        for i in range(len(x)):
            x[i] = x[i] * 0.9 + y[0]


# Columns are shared, and so is the norm of one.
#numptx export orthonormal(float64[:,:], float64[:,:], float64[:])
def orthonormal(a, q, r):
    m, n = a.shape
    for k in range(n):
        norm = 0.0
        for i in range(m):
            norm += a[i, k] * a[i, k]
        r[k] = norm**0.5
        for i in range(m):
            q[i, k] = a[i, k] / r[k]
        for j in range(k + 1, n):
            for i in range(m):
                a[i, j] = a[i, j] - q[i, k] * r[k]


# The search for a row is: rows are added by all threads.
#numptx export row_added(float64[:,:])
def row_added(a):
    for k in range(a.shape[0]):
        last = k
        for i in range(k + 1, a.shape[0]):  #! NPX0601
            if abs(a[i, k]) > abs(a[last, k]):
                last = i
        for i in range(k + 1, a.shape[0]):
            for j in range(a.shape[1]):
                a[i, j] -= 0.5 * a[last, j] * a[k, k]
