import numpy as np

G = 9.81
PAIR = (1.0, 2.0)
DOUBLE = 2 * G


#numptx export axpy(float64, float64[:], float64[:])
#numptx export axpy(float32, float32[:], float32[:])
# run: axpy(np.float64(2.0), arange(5.0), ones(5))
# run: axpy(np.float32(2.0), arange(5, dtype='f4'), ones(5, 'f4'))
# run: axpy(np.float64(2.0), arange(5.0), ones(1))
# run: axpy(np.float64(2.0), arange(5.0), ones(4))
def axpy(a, x, y):
    return a * x + y


#numptx export constants(float, int)
# run: constants(1.5, 3)
def constants(x, n):
    first, second = PAIR
    return x * G + DOUBLE, n + 1, first + second, np.pi, -n, n / 2, n // 2, n % 2, n ** 2


#numptx export pick(float64[:, :], int, int)
# run: pick(arange(6.0).reshape(2, 3), 1, 2)
# run: pick(arange(6.0).reshape(2, 3), -1, -3)
# run: pick(arange(6.0).reshape(2, 3), 2, 0)
# run: pick(arange(6.0).reshape(2, 3), 0, -4)
def pick(x, i, j):
    return x[i, j], x[i], x[:, j], x[-1, 0], x[..., j], x[i, ...]


#numptx export stencil(float64[:, :])
# run: stencil(arange(12.0).reshape(3, 4) ** 2)
# run: stencil(ones((2, 2)))
# run: stencil(ones((1, 5)))
def stencil(u):
    v = u.copy()
    v[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
    return v


#numptx export window(float64[:], int)
# run: window(arange(5.0), 0)
# run: window(arange(5.0), 2)
# run: window(arange(5.0), 4)
# run: window(arange(5.0), 9)
# run: window(arange(5.0), -2)
def window(x, i):
    return x[i - 1:i + 2], x[i:], x[:i], x[::-1], x[::2], x[i::-1], x[-3:-1], x[5:2], x[None, 1:, None]


#numptx export windows(float64[:])
# run: windows(arange(6.0))
def windows(x):
    total = np.zeros(3)
    for i in range(1, len(x) - 1):
        total += x[i - 1:i + 2] * i
    return total


#numptx export views(float64[:])
# run: views(arange(6.0))
# run: views(ones(0))
def views(a):
    b = a
    b += 1
    a[1:] = a[:-1]
    c = a[::2]
    c *= 2
    return b, c


#numptx export not_a_swap(float64[:, :])
# run: not_a_swap(arange(4.0).reshape(2, 2))
def not_a_swap(a):
    a[0], a[1] = a[1], a[0]


#numptx export swap(float64[:])
# run: swap(arange(4.0))
def swap(a):
    a[0], a[1] = a[1], a[0]
    x, y = 1, 2
    x, y = y, x
    return x, y


#numptx export rows(float64[:, :])
# run: rows(arange(6.0).reshape(3, 2))
def rows(a):
    total = 0.0
    for row in a:
        row += 10
        total += row[0]
    for i, x in enumerate(a[:, 1]):
        total += i * x
    for x, y in zip(a[0], a[1]):
        total += x * y
    return total


#numptx export setitem(int32[:, :], float64[:])
# run: setitem(zeros((2, 3), 'i4'), array([1.5, -2.5, 3.0]))
def setitem(a, x):
    a[...] = 7
    a[0] = x
    a[1, 1:] = x[None, None, 1:]
    a[1, 0] = 2.9
    a[0, 0] += 1.5


#numptx export setitem_range(int8[:], int)
# run: setitem_range(zeros(3, 'i1'), 100)
# run: setitem_range(zeros(3, 'i1'), 200)
# run: setitem_range(zeros(3, 'i1'), -129)
def setitem_range(a, n):
    a[1:] = n


#numptx export setitem_float(int8[:], float)
# run: setitem_float(zeros(3, 'i1'), 100.7)
# run: setitem_float(zeros(3, 'i1'), 300.5)
# run: setitem_float(zeros(3, 'i1'), nan)
# run: setitem_float(zeros(3, 'i1'), inf)
# run: setitem_float(zeros(3, 'i1'), 1e300)
def setitem_float(a, x):
    a[1:] = x


#numptx export masks(float64[:, :])
# run: masks(arange(-3.0, 3.0).reshape(2, 3))
def masks(a):
    a[a < 0] = 0
    a[a[:, 0] > 0] += 5


#numptx export masks_shape(float64[:], bool[:])
# run: masks_shape(arange(3.0), array([True, False, True]))
# run: masks_shape(arange(3.0), array([True, False]))
def masks_shape(a, m):
    a[m] = -1.0


#numptx export properties(float32[:, :], complex128[:])
# run: properties(zeros((2, 3), 'f4'), array([1 + 2j, 3 - 4j]))
def properties(x, z):
    n, m = x.shape
    z.real[:] += 1
    z.imag[0] = 9
    return n, m, x.ndim, x.size, x.nbytes, x.itemsize, len(x), x.T, z.real, z.imag, x.dtype == np.float32, x.dtype == 'f8', x.shape == (2, 3)


#numptx export unpack(float64[:])
# run: unpack(arange(3.0))
# run: unpack(arange(2.0))
# run: unpack(arange(4.0))
def unpack(x):
    a, b, c = x
    return a + b * c


#numptx export casts(float, int, float64[:])
# run: casts(2.5, 3, arange(3.0))
# run: casts(-2.5, -3, arange(3.0))
def casts(x, n, a):
    return int(x), float(n), bool(n), complex(x, n), np.float32(x), np.int8(n), round(x), abs(x), abs(n), np.float32(a), int(a[1]), float(a[2]), complex(x).imag


#numptx export int_of(float)
# run: int_of(nan)
# run: int_of(inf)
# run: int_of(1e300)
# run: int_of(-1.5)
def int_of(x):
    return int(x)


#numptx export chained(float64[:])
# run: chained(arange(4.0))
def chained(y):
    x = y[1:] = y[:-1] + 1
    return x


#numptx export modes(float64[:])
# run: modes(arange(4.0))
def modes(x):
    return reduced(x, "sum"), reduced(x, "max"), reduced(x, mode="none")


def reduced(x, mode):
    if mode == "sum":
        return x.sum()
    if mode in ("max", "maximum"):
        return np.max(x)
    return x


#numptx export fixed(float64[3], float64[2, 3])
# run: fixed(arange(3.0), arange(6.0).reshape(2, 3))
def fixed(x, y):
    y[:] = x
    return x[2] + y[-1, -3], x[5:], x[-2:]


#numptx export steps(float64[:], int, int, int)
# run: steps(arange(6.0), 1, 5, 2)
# run: steps(arange(6.0), 5, 0, -2)
# run: steps(arange(6.0), -1, -9, -1)
# run: steps(arange(6.0), 9, 2, -3)
# run: steps(arange(6.0), 0, 3, 0)
def steps(x, i, j, k):
    y = x[i:j:k]
    y += 1
    return y, x[i:j], x[:j], x[:-3][1:]


#numptx export rank0(float64[:, :])
# run: rank0(arange(4.0).reshape(2, 2))
def rank0(x):
    a = x[0, 1, ...]
    b = x[0, 1]
    x[0, 1] = 9
    a += 1
    b += 1
    return a, b


#numptx export exact(int, int)
# run: exact(2**53, 1)
# run: exact(2**62, 2**62)
# run: exact(-2**63, -1)
# run: exact(2**31, 2**32)
# run: exact(-2**31, 2**32)
def exact(a, b):
    return a + b, a - b, a * b, a // b, -b, abs(b)


#numptx export matrices(float64[:, :], float64[:, :])
# run: matrices(arange(4.0).reshape(2, 2), ones((2, 2)))
def matrices(a, b):
    a @= b
    c = a.T @ a
    c[...] = c.T
    return c, a[:, None] * b[None], np.add(a, b, out=a)
