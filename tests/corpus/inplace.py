"""In place operators and their casts."""

import numpy as np


#numptx export floats(float64[:], float64[:])
# run: floats(random(6), random(6))
# run: x = random(7); floats(x[1:], x[:-1])
# run: x = random(7); floats(x[:-1], x[1:])
# run: x = random(7); floats(x, x[::-1])
# run: x = random(12); floats(x[::2], x[6:])
# run: floats(random(1), random(1))
# run: floats(random(0), random(1))
# run: floats(random(6), random(1))
# run: floats(random(6), random(5))
# run: floats(random(1), random(6))
def floats(x, y):
    x += y
    x *= 2
    x -= y[::-1]
    x /= 3.0
    x //= 0.1
    x %= 0.7
    x **= 2
    return x


#numptx export ints(int32[:], int32[:])
# run: ints(integers(-9, 9, 6, dtype=int32), integers(1, 9, 6, dtype=int32))
def ints(x, y):
    x += y
    x -= 3
    x *= y
    x //= y
    x %= 5
    x <<= 2
    x >>= 1
    x &= 31
    x |= 8
    x ^= y
    return x


#numptx export widening(float64[:], float32[:], int64[:], complex128[:])
# run: widening(random(5), random(5, dtype=float32), integers(0, 9, 5), random(5) + 1j)
def widening(x, y, z, w):
    x += y
    y *= x
    w += x
    w *= z
    x -= z
    y += 1
    return x, y, w


#numptx export sliced(float64[:,:])
# run: sliced(random((5, 6)))
# run: sliced(random((6, 5)).T)
# run: sliced(random((2, 2)))
# run: sliced(random((10, 12))[::-2, ::2])
def sliced(x):
    x[1:] += x[:-1]
    x[:, 0] *= 2
    x[0] -= x[1]
    x[0, 0] += 1
    x[:, ::-1] += x
    x[1:, 1:] = x[:-1, :-1] * 0.5
    return x


#numptx export transposed(float64[:,:])
# run: transposed(random((4, 4)))
# run: transposed(random((4, 4)).T)
# run: transposed(random((1, 1)))
# run: transposed(random((4, 3)))
def transposed(x):
    x += x.T
    return x


#numptx export assigned_casts(int32[:], float32[:], bool[:], uint8[:])
# run: assigned_casts(zeros(4, dtype=int32), zeros(4, dtype=float32), zeros(4, dtype=bool), zeros(4, dtype=uint8))
def assigned_casts(a, b, c, d):
    a[:] = np.array([1.5, -1.5, 2.9, 0.0])
    b[:] = 1 / 3
    c[:] = a
    d[:] = a + 300
    a[1] = 7
    c[3] = 2.5
    b[2] = True
    return a


#numptx export local_augmented(float64[:], int)
# run: local_augmented(random(5), 3)
def local_augmented(x, n):
    y = x + 1
    z = y
    for i in range(n):
        y += i
    s = 0
    for i in range(n):
        s += y[i]
    return y, z, s


#numptx export rebinding(float64[:])
# run: rebinding(random(5))
def rebinding(x):
    y = x
    y = y + 1
    y += 1
    w = x
    w += 5
    return x, y


#numptx export swap(float64[:], float64[:])
# run: swap(random(5), random(5))
# run: x = random(6); swap(x[1:], x[:-1])
def swap(x, y):
    x, y = y, x
    x += 1
    return x, y


#numptx export masked(float64[:], bool[:])
# run: masked(random(5), random(5) < 0.5)
def masked(x, m):
    x[...] = np.where(m, x, -x)
    x *= m
    x += m
    return x


#numptx export scalar_inplace(float, int)
# run: scalar_inplace(1.5, 3)
def scalar_inplace(a, n):
    a += n
    a *= 2
    n -= 5
    n //= 2
    n **= 2
    return a, n
