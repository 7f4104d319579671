"""`reduce`, `accumulate`, `reduceat`, `outer` and `at` of ufuncs that no reducer computes, and of those that one does, with their keywords."""

import numpy as np


#numptx export in_line(float64[:])
# run: in_line(array([7.0, -0.5, 3.0, 2.0]))
# run: in_line(array([7.0]))
# run: in_line(array([-0.0, 0.0, nan, inf]))
# run: in_line(array([inf, inf]))
# run: in_line(empty(0))
def in_line(x):
    return np.subtract.reduce(x), np.divide.reduce(x, axis=0), np.floor_divide.reduce(x), np.remainder.reduce(x), np.fmod.reduce(x)


#numptx export in_order(float64[:,:], int)
#numptx export in_order(float32[:,:], int)
#numptx export in_order(int64[:,:], int)
# run: in_order(random((4, 3)), 0)
# run: in_order(random((4, 3)), 1)
# run: in_order(random((3, 0)), 0)
# run: in_order(random((0, 3)), 1)
# run: in_order(random((4, 3)).T, 1)
# run: in_order(random((5, 2), float32), 1)
# run: in_order(integers(1, 9, (3, 4)), 0)
def in_order(x, axis):
    if axis == 0:
        return np.subtract.reduce(x), np.divide.reduce(x, axis=0), np.floor_divide.reduce(x), np.remainder.reduce(x), np.arctan2.reduce(x)
    return np.subtract.reduce(x, axis=-1), np.divide.reduce(x, axis=1), np.floor_divide.reduce(x, 1), np.fmod.reduce(x, 1), np.copysign.reduce(x, 1)


#numptx export powers(float64[:])
#numptx export powers(int64[:])
# run: powers(array([1.5, 0.5]))
# run: powers(array([2, 3, 2]))
# run: powers(array([2, -1]))
def powers(x):
    # Of three floats and more NumPy 2.4 gives `x[0] ** x[-1]` where the processor has AVX-512.
    return np.power.reduce(x), np.power.accumulate(x)


#numptx export of_bits(uint8[:,:])
#numptx export of_bits(int32[:,:])
#numptx export of_bits(bool[:,:])
# run: of_bits(array([[12, 10], [6, 255]], uint8))
# run: of_bits(array([[-12, 10], [6, 2147483647]], int32))
# run: of_bits(array([[True, False], [True, True]]))
# run: of_bits(zeros((0, 3), int32))
def of_bits(x):
    every = np.bitwise_and.reduce(x), np.bitwise_or.reduce(x, axis=1), np.bitwise_xor.reduce(x, axis=None)
    kept = np.bitwise_or.reduce(x, axis=(0, 1), keepdims=True), np.bitwise_and.reduce(x, axis=1, initial=7)
    return every, kept, np.logical_xor.reduce(x), np.logical_xor.reduce(x, axis=1, keepdims=True)


#numptx export of_truth(float64[:,:], bool[:,:])
# run: of_truth(array([[0.0, 1.0], [nan, -2.0]]), array([[True, False], [True, True]]))
# run: of_truth(empty((0, 2)), empty((0, 2), bool))
def of_truth(x, mask):
    every = np.logical_and.reduce(x), np.logical_or.reduce(x, axis=1), np.logical_xor.reduce(x, where=mask)
    return every, np.logical_and.reduce(x, initial=False), np.equal.reduce(mask, axis=1, initial=True), np.less.accumulate(mask, axis=1)


#numptx export divisors(int64[:])
#numptx export divisors(uint8[:])
#numptx export divisors(int64[:,:])
# run: divisors(array([12, -18, 30]))
# run: divisors(array([-4]))
# run: divisors(array([0, 0, 7, 14, 21]))
# run: divisors(array([], int64))
# run: divisors(array([200, 120, 80], uint8))
# run: divisors(integers(-60, 60, (4, 5)))
def divisors(x):
    return np.gcd.reduce(x), np.gcd.accumulate(x), np.gcd.reduce(x, axis=None), np.gcd.reduce(x, keepdims=True, initial=6)


#numptx export multiples(int64[:])
# run: multiples(array([4, -6, 10]))
# run: multiples(array([-4]))
# run: multiples(array([0, 5]))
# run: multiples(array([], int64))
def multiples(x):
    return np.lcm.accumulate(x), np.lcm.reduce(x)


#numptx export lengths(float64[:,:])
#numptx export lengths(float32[:,:])
# run: lengths(random((3, 4)))
# run: lengths(array([[inf, nan], [nan, 1.0]]))
# run: lengths(array([[1e200, 1e-200], [1e200, 1e-200], [0.0, 3e-310]]))
# run: lengths(zeros((2, 3)))
# run: lengths(zeros((0, 3)))
# run: lengths(array([[-3.0]]))
# run: lengths(random((5, 2), float32))
def lengths(x):
    return np.hypot.reduce(x), np.hypot.reduce(x, axis=None), np.hypot.reduce(x, axis=1, keepdims=True), np.hypot.reduce(x, initial=2.0), np.hypot.accumulate(x, axis=1)


# tolerance: 1e-13
#numptx export logarithms(float64[:,:])
# run: logarithms(random((3, 4)) * 100.0)
# run: logarithms(array([[inf, -inf], [-inf, -inf]]))
# run: logarithms(array([[1000.0, nan], [-1000.0, 0.0]]))
# run: logarithms(zeros((0, 2)))
def logarithms(x):
    return np.logaddexp.reduce(x), np.logaddexp.reduce(x, axis=1), np.logaddexp.reduce(x, axis=None), np.logaddexp2.reduce(x, initial=1.0), np.logaddexp.accumulate(x, axis=1)


#numptx export masked(float64[:,:], bool[:], bool[:,:])
# run: masked(random((3, 2)), array([True, False]), array([[True, False], [False, False], [True, True]]))
# run: masked(zeros((0, 2)), array([True, False]), zeros((0, 2), bool))
def masked(x, columns, mask):
    first = np.subtract.reduce(x, where=columns, initial=1.0), np.divide.reduce(x, where=mask, initial=2.0)
    return first, np.hypot.reduce(x, axis=1, where=mask), np.fmax.reduce(x, axis=0, where=mask, initial=-1.0), np.fmin.reduce(x, axis=1, initial=0.25, where=columns)


#numptx export largest_numbers(float64[:,:])
# run: largest_numbers(array([[nan, 1.0, nan], [2.0, nan, nan]]))
# run: largest_numbers(random((2, 3)))
def largest_numbers(x):
    reduced = np.fmax.reduce(x), np.fmin.reduce(x, axis=1), np.fmax.reduce(x, axis=None)
    return reduced, np.fmax.accumulate(x), np.fmin.accumulate(x, axis=1)


#numptx export largest_ints(int32[:])
# run: largest_ints(array([3, -5, 7], int32))
def largest_ints(x):
    return np.fmax.reduce(x), np.fmin.reduce(x), np.fmax.accumulate(x), np.maximum.reduce(x, dtype=np.float32), np.minimum.reduce(x, dtype=np.int64)


#numptx export running(float64[:])
#numptx export running(float64[:,:])
#numptx export running(int32[:])
# run: running(array([8.0, 2.0, -4.0]))
# run: running(array([8.0]))
# run: running(empty(0))
# run: running(random((3, 4)))
# run: running(random((3, 4)).T)
# run: running(array([2147483647, -2147483648, 3], int32))
def running(x):
    return np.subtract.accumulate(x), np.divide.accumulate(x), np.subtract.accumulate(x, -1), np.arctan2.accumulate(x, axis=0)


#numptx export of_other_dtypes(float64[:], int32[:])
# run: of_other_dtypes(array([7.9, 2.5, 1.0]), array([7, 2, 1], int32))
def of_other_dtypes(x, n):
    return np.subtract.reduce(x, dtype=np.int32), np.subtract.accumulate(x, dtype=np.float32), np.divide.reduce(n), np.hypot.reduce(n), np.subtract.reduceat(n, [0, 2], dtype=np.float64)


#numptx export into(float64[:,:], float64[:], float64[:,:])
# run: into(random((3, 2)), zeros(2), zeros((3, 2)))
# run: into(random((3, 2)), zeros(3), zeros((3, 2)))
# message: any
def into(x, out, steps):
    a = np.subtract.reduce(x, out=out)
    b = np.divide.accumulate(x, out=steps)
    np.divide.accumulate(x, out=x)
    return a, b, x


#numptx export parts(float64[:], int64[:])
#numptx export parts(int32[:], int64[:])
#numptx export parts(bool[:], int64[:])
# run: parts(array([1.0, 2.0, 3.0, 4.0, 5.0]), array([0, 2, 1, 4, 4]))
# run: parts(array([1.0, 2.0]), array([], int64))
# run: parts(array([1.0, 2.0]), array([0, 2]))
# run: parts(array([1.0, 2.0]), array([-1]))
# run: parts(empty(0), array([0]))
# run: parts(array([3, -1, 7], int32), array([1, 0]))
# run: parts(array([True, False, True, True]), array([0, 1, 3]))
def parts(x, at):
    return np.add.reduceat(x, at), np.maximum.reduceat(x, at), np.logical_or.reduceat(x, at), np.multiply.reduceat(x, at, axis=0)


#numptx export parts_in_order(float64[:,:], int64[:])
# run: parts_in_order(random((5, 4)), array([0, 2, 1, 3]))
# run: parts_in_order(random((4, 5)).T, array([3, 0]))
# layout: any
def parts_in_order(x, at):
    return np.subtract.reduceat(x, at), np.divide.reduceat(x, at, axis=1), np.hypot.reduceat(x, [0, 1], axis=-1), np.add.reduceat(x, at, axis=1)


#numptx export divisors_of_parts(int64[:])
# run: divisors_of_parts(array([-4, 6, 8, -12]))
def divisors_of_parts(x):
    return np.gcd.reduceat(x, [0, 1]), np.gcd.reduceat(x, [1, 3]), np.lcm.outer(x, x[:2]), np.gcd.outer(x, x)


#numptx export outer_where(float64[:], float64[:,:], bool[:])
# run: outer_where(array([1.0, 2.0]), zeros((2, 2)), array([True, False]))
def outer_where(x, out, mask):
    np.subtract.outer(x, x, out=out, where=mask)
    return out, np.add.outer(x, x, dtype=np.float32)


#numptx export changed(float64[:], int64[:], float64[:])
# run: changed(array([2.0, 3.0, 4.0]), array([0, 2, 2]), array([2.0, 3.0, 0.5]))
def changed(x, at, y):
    np.subtract.at(x, at, y)
    np.power.at(x, at, y)
    np.hypot.at(x, at, 1.0)
    return x
