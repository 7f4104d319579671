"""Elementwise steps that follow each other over the same points, each of which reads what the one before gave: one kernel."""
import numpy as np


#numptx export in_place(float64[:])
# run: in_place(random(50))
# structure: launches==1 allocs==0 copies=0 syncs=0
# run: in_place(random(50)[::-3])
# run: in_place(array([nan, inf, -0.0, 5e-324]))
# run: in_place(zeros(0))
def in_place(x):
    x *= 2.0
    x += 1.0
    x /= 3.0


#numptx export checked_between(float64[:], float64[:])
# run: checked_between(random(50), random(50))
# structure: launches==2 allocs==0 copies=0 syncs=0
# run: checked_between(random(50), random(1))
# run: checked_between(random(50), random(49))
# run: checked_between(random(1), random(49))
# run: x = random(50); checked_between(x, x)
# run: x = random(51); checked_between(x[1:], x[:-1])
# run: x = random(50); checked_between(x, x[::-1])
def checked_between(x, y):
    """The caller sees what was done before the check that fails."""
    x *= 2.0
    x += y


#numptx export own(float64[:], float64[:])
# run: own(random(50), random(50))
# structure: launches=1 copies=0 syncs=0
# run: own(random(50), random(1))
# run: own(random(50), random(49))
# run: own(random(1), random(49))
# run: own(zeros(0), zeros(0))
def own(x, y):
    """Nobody sees an array of the function's own after a check that fails."""
    z = np.empty(x.shape)
    z[:] = x
    z *= 2.0
    z += y
    return z


#numptx export flags(complex128[:], complex128[:], float)
# run: flags(random(50) * 1j, random(50) + 0.5j, 0.7)
# structure: launches==1 copies=0 syncs=0
# run: flags(random(50)[::-1] * 1j, (random(100) + 0.5j)[::2], 0.7)
# run: z = random(50) * 1j; flags(z, z, 0.7)
# run: z = random(51) * 1j; flags(z[1:], z[:-1], 0.7)
# run: flags(zeros(0) * 1j, zeros(0) * 1j, 0.7)
def flags(z, c, limit):
    np.multiply(z, z, z)
    large = abs(z) > limit
    small = np.logical_not(large)
    return large, small, c


#numptx export shifted(float64[:])
# run: shifted(random(50))
# run: shifted(random(1))
# run: shifted(random(0))
def shifted(x):
    """The second step reads other elements than its own."""
    x *= 2.0
    y = x[::-1] + x
    x[1:] += x[:-1]
    z = x + 1.0
    x[:] = y
    x += z
    return y, z


#numptx export read_between(float64[:], float64[:])
# run: read_between(random(50), random(50))
# run: x = random(50); read_between(x, x)
# run: x = random(51); read_between(x[1:], x[:-1])
def read_between(x, y):
    """The array between the steps is used as it was then."""
    x *= 2.0
    s = x.sum()
    t = np.cumsum(x)
    x += 1.0
    y[:] = x
    x -= y[::-1]
    return s, t, x[3]


#numptx export written_between(float64[:], float64[:])
# run: written_between(random(50), random(50))
# run: x = random(50); written_between(x, x)
# run: x = random(51); written_between(x[1:], x[:-1])
def written_between(x, y):
    x *= 2.0
    y -= 1.0
    x += y
    y *= x
    x[7] = 9.0
    y -= x


#numptx export of_two_axes(float32[:,:], float64[:])
# run: of_two_axes(random((5, 7), dtype=float32), random(7))
# run: of_two_axes(random((7, 5), dtype=float32).T, random(7))
# run: of_two_axes(random((5, 7), dtype=float32)[::-1, ::-1], random(7))
# run: of_two_axes(random((0, 7), dtype=float32), random(7))
def of_two_axes(a, v):
    """Each step rounds as its array does."""
    a *= a.dtype.type(1.1)
    a += 3
    b = a * a
    c = b + v
    b -= 1
    c *= 2.0
    return b, c, a.T + b.T


#numptx export in_a_loop(float64[:], int, float)
# run: in_a_loop(random(50), 5, 0.5)
# run: in_a_loop(random(50), 0, 0.5)
# run: in_a_loop(random(0), 5, 0.5)
# run: in_a_loop(random(50) * 9.0, 9, 3.0)
def in_a_loop(x, n, limit):
    for k in range(n):
        x *= 0.9
        x += 0.01 * k
        m = x > limit
        if m.any():
            x[m] = 0.0
            x -= 0.125
    return x


#numptx export small(int8[:], uint8[:])
# run: small(arange(-100, 100, dtype=int8), arange(200, dtype=uint8))
# structure: launches==2 allocs==0 copies=0 syncs=0
# run: small(zeros(0, dtype=int8), zeros(0, dtype=uint8))
def small(a, b):
    a *= 3
    a += 100
    b -= 250
    b //= 3
