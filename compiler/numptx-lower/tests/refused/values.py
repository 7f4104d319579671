"""Operators, constants, casts and assignments that Python, NumPy or numptx refuse."""
import numpy as np

TABLE = np.array([1.0, 2.0])
HUGE = 2 ** 62


#numptx export operators(float64[:], str, float)
def operators(x, s, y):
    a = x + s  #! NPX0206
    b = x + None  #! NPX0206
    c = (1, 2) - (3, 4)  #! NPX0206
    d = y & 1.0  #! NPX0206
    e = ~y  #! NPX0206
    f = 1j < y  #! NPX0206
    g = x == "sum"  #! NPX0206
    h = x[0] * [1, 2]  #! NPX0206
    return a, b, c, d, e, f, g, h


#numptx export array_operators(bool[:], float64[:])
def array_operators(m, x):
    a = m - m  #! NPX0206
    b = x & x  #! NPX0206
    c = -m  #! NPX0206
    d = ~x  #! NPX0206
    return a, b, c, d


#numptx export constants(int8[:])
def constants(x):
    x[0] = 300  #! NPX0210
    x[1:] = -129  #! NPX0210
    a = HUGE * 4 + x[0]  #! NPX0210
    b = np.int8(128)  #! NPX0210
    c = 9223372036854775808
    d = int(1e30)  #! NPX0210
    return a, b, c, d  #! NPX0210


#numptx export casts(float64[:], complex128[:], int32[:])
def casts(x, z, k):
    x[:] = z  #! NPX0207
    x[0] = 1j  #! NPX0207
    k += 0.5  #! NPX0207
    k /= 2  #! NPX0207
    a = int(z[0])  #! NPX0207
    b = float(x)  #! NPX0505
    return a, b


#numptx export writes(float64[:], float64[:, :])
def writes(x, y):
    w = np.broadcast_to(x, (3, 3))
    w[0, 0] = 1  #! NPX0306
    w += 1  #! NPX0306
    TABLE[0] = 2  #! NPX0306
    x[0] = y  #! NPX0203
    x[0] = "a"  #! NPX0203
    x += y  #! NPX0301
    x.shape = (3, 1)  #! NPX0401


#numptx export fixed(float64[3], float64[4, 2])
def fixed(x, y):
    a = x[3]  #! NPX0303
    b = x[-4]  #! NPX0303
    c, d = y.shape[0], x.shape[1]  #! NPX0303
    x[:] = y[:, 0]  #! NPX0301
    p, q = 1, 2, 3  #! NPX0203
    return a, b, c, d, p, q


#numptx export indices(float64[:], float64[:, :], int64[:], float)
def indices(x, y, k, s):
    a = x[0, 1]  #! NPX0302
    b = x[1.5]  #! NPX0406
    c = x[y]  #! NPX0406
    e = s[0]  #! NPX0406
    f = x[::0]  #! NPX0406
    g = y[..., ...]  #! NPX0406
    h = (1, 2)[s]  #! NPX0406
    i = x[True]  #! NPX0406
    return a, b, c, e, f, g, h, i


#numptx export messages(int)
def messages(n):
    if n > 2:
        raise OSError("no")  #! NPX0401
    assert n > 0, n


#numptx export result(float64[:])
def result(x):  #! NPX0407
    return [x, x.dtype]


#numptx export many(float64[:])
def many(x):  #! NPX0407
    return (x,) * 60 + (x,) * 60 + (x,) * 60 + (x,) * 60 + (x,) * 60


#numptx export attributes(float64[:], float64)
def attributes(x, s):
    x.imag = 1.0  #! NPX0203
    s.real = 2.0  #! NPX0401
    x.T += 1.0  #! NPX0401
    parts = np.split(x, 2)
    parts[0] = x  #! NPX0406
    parts[2] += 1.0  #! NPX0303
    x.shape = (2, 3)  #! NPX0401
    x[0, 0] = "nothing is said of what x is now"


#numptx export read_only(float64[:,:], float64[:])
def read_only(a, x):
    a.diagonal()[0] = 1.0  #! NPX0306
    np.lib.stride_tricks.sliding_window_view(x, 2)[0] += 1.0  #! NPX0306
    np.broadcast_to(x, a.shape)[0, 0] = 2.0  #! NPX0306
    x.imag += 1.0  #! NPX0203
    for row in np.broadcast_to(x, a.shape):
        row *= 2.0  #! NPX0306


#numptx export parts(float64[:,:], int)
def parts(a, n):
    b = np.split(a, 2, n)  #! NPX0505
    c = np.split(a, 0)  #! NPX0505
    d = np.split(a, a)  #! NPX0505
    e = np.dsplit(a, 2)  #! NPX0505
    f = np.unstack(a)[0]  #! NPX0406
    g = np.diagonal(a[0])  #! NPX0305
    h = np.diagonal(a, 0, 1, 1)  #! NPX0304
    i = np.rot90(a, n)  #! NPX0505
    j = np.rot90(a, 1, (0, 0))  #! NPX0505
    k = np.lib.stride_tricks.sliding_window_view(a, 2)  #! NPX0505
    m = np.lib.stride_tricks.sliding_window_view(a, 2, 0, writeable=True)  #! NPX0505
    o = np.subtract.at(a, n)  #! NPX0505
    p = a.ctypes  #! NPX0205


#numptx export listed(float64 list)
def listed(x):
    return x


#numptx export GROUP  #! NPX0407
GROUP = (1, 2)
