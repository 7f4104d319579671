"""Functions of `math` on several numbers, and on what floats are made of."""

import math

import numpy as np


#numptx export products(int list, float list, float64[:])
# run: products([2, 3, 7], [0.5, 4.0], array([2.0, 0.25]))
# run: products([2, 3, 7], [0.0, inf], array([nan]))
def products(whole, reals, x):
    return math.prod(whole), math.prod(reals), math.prod(x), math.prod((2, 3)), math.prod([1.5, 2.0], start=2), math.prod(whole, start=-1), math.prod(())


#numptx export sums(float list, float64[:])
# run: sums([0.1] * 10, array([1e16, 1.0, -1e16]))
# run: sums([1e308, 1e308, -1e308], array([0.0]))
# run: sums([inf, 1.0], array([-0.0]))
# run: sums([inf, -inf], array([1.0]))
# run: sums([nan, 1.0], array([1.0, 2.0**-53, 2.0**-106]))
# run: sums([], array([1.0, 2.0**-53, -(2.0**-106)]))
# tolerance: 0
def sums(xs, x):
    return math.fsum(xs), math.fsum(x), math.fsum((0.1, 0.2, 0.3)), math.fsum(v * v for v in xs)


#numptx export lengths(float, float, float)
# run: lengths(3.0, 4.0, 12.0)
# run: lengths(-1e200, 1e200, 1e-200)
# run: lengths(1.7e308, 1.7e308, 1.0)
# run: lengths(inf, nan, 1.0)
# run: lengths(nan, 1.0, 1.0)
# run: lengths(0.0, -0.0, 0.0)
# run: lengths(5e-324, 0.0, 3e-310)
def lengths(x, y, z):
    return math.hypot(x, y), math.hypot(x, y, z), math.hypot(x), math.hypot(), math.hypot(x, 1, y, z, 2.5)


#numptx export distances(float list, float list, float64[:], float64[:], (float, float), (int, int))
# run: distances([1.0, 2.0, 2.0], [0.0, 0.0, 0.0], array([1.0, 5.0]), array([4.0, 1.0]), (1.0, 2.0), (1, 2))
# run: distances([1.0], [1e300], array([1.0, inf]), array([4.0, 1.0]), (1.0, 2.0), (-1, 2))
# run: distances([1.0], [1.0, 2.0], array([1.0]), array([4.0]), (1.0, 2.0), (1, 2))
# run: distances([], [], array([nan]), array([4.0]), (1.0, 2.0), (1, 2))
def distances(p, q, x, y, a, b):
    return math.dist(p, q), math.dist(x, y), math.dist(a, b), math.dist(a, (0.5, 0.5)), math.dist(p, p)


#numptx export orders(int, int)
# run: orders(7, 3)
# run: orders(5, 0)
# run: orders(3, 5)
# run: orders(20, 15)
# run: orders(-1, 2)
# run: orders(3, -1)
def orders(n, k):
    return math.perm(n, k), math.perm(n % 10), math.perm(n, None)


#numptx export anatomy(float, int)
# run: anatomy(6.25, 3)
# run: anatomy(-0.0, 5)
# run: anatomy(inf, 5)
# run: anatomy(-inf, -5)
# run: anatomy(nan, 0)
# run: anatomy(5e-324, 100)
# run: anatomy(1.5, -1080)
# run: anatomy(-1.5, -100000000000)
# run: anatomy(1e308, -2)
# run: anatomy(1.0, 1024)
# run: anatomy(1.7976931348623157e308, 0)
# tolerance: 0
def anatomy(x, n):
    return math.frexp(x), math.modf(x), math.ulp(x), math.nextafter(x, math.inf), math.nextafter(x, 0), math.ldexp(x, n)


#numptx export remainders(float, float)
# run: remainders(5.0, 3.0)
# run: remainders(4.0, 3.0)
# run: remainders(2.5, 1.0)
# run: remainders(3.5, 1.0)
# run: remainders(-2.5, 1.0)
# run: remainders(-3.0, 3.0)
# run: remainders(0.0, -3.0)
# run: remainders(1e308, 3e-308)
# run: remainders(5.0, inf)
# run: remainders(-5.0, -inf)
# run: remainders(nan, 1.0)
# run: remainders(1.0, nan)
# run: remainders(inf, 2.0)
# run: remainders(1.0, 0.0)
# tolerance: 0
def remainders(x, y):
    return math.remainder(x, y)


#numptx export of_numpy(float32, int8, bool)
# run: of_numpy(float32(2.5), int8(3), True)
def of_numpy(x, n, flag):
    return math.hypot(x, n, flag), math.ldexp(x, 2), math.modf(x), math.frexp(n), math.prod((x, n)), math.remainder(n, x)


#numptx export in_loops(float64[:,:])
# run: in_loops(random((5, 3)))
# run: in_loops(random((0, 3)))
def in_loops(points):
    lengths = np.empty(len(points))
    for i in range(len(points)):
        x, y, z = points[i]
        lengths[i] = math.hypot(x, y, z) + math.dist((x, y), (z, 1.0)) + math.ulp(x)
    return lengths
