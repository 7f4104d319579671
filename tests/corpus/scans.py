"""Running totals: cumsum and its like, accumulate of ufuncs, along every axis, with every dtype, layout and output."""

import numpy as np


#numptx export sums(float64[::])
#numptx export sums(float32[::])
#numptx export sums(int8[::])
#numptx export sums(uint8[::])
#numptx export sums(bool[::])
#numptx export sums(complex128[::])
# run: sums(arange(10.0))
# structure: launches==1 allocs==1 copies==0
# run: sums(float64([]))
# run: sums(array([-0.0, -0.0, 1.0, inf, -inf, 2.0]))
# run: sums(array([1.0, nan, 2.0]))
# run: sums(arange(100.0)[::-3])
# run: sums(ones(100, float32)[3::7])
# run: sums(full(9, 100, int8))
# run: sums(full(9, 200, uint8))
# run: sums(array([True, False, True, True]))
# run: sums(array([1 + 2j, -3j, 4.0]))
# run: sums(integers(-9, 9, 70000).astype(float64))
# run: sums(integers(-9, 9, 200001).astype(float64))
# run: sums(broadcast_to(float64(3), (5,)))
def sums(x):
    return np.cumsum(x)


#numptx export along(float64[::,::,::])
# run: along(random((3, 4, 5)))
# run: along(random((3, 4, 5)).T)
# run: along(random((6, 4, 5))[::-2, 1:, ::-1])
# run: along(random((5, 3, 4)).transpose(1, 2, 0))
# run: along(broadcast_to(random((4, 1)), (3, 4, 5)))
# run: along(zeros((0, 4, 5)))
# run: along(zeros((3, 4, 0)))
# run: along(random((1, 1, 1)))
# run: along(random((40, 50, 60)))
def along(x):
    return np.cumsum(x, axis=0), np.cumsum(x, axis=1), np.cumsum(x, -1), x.cumsum(), np.cumprod(x, 1)


#numptx export rows(float64[:,:])
#numptx export rows(int64[:,:])
# run: rows(integers(-9, 9, (3, 140000)).astype(float64))
# run: rows(integers(-9, 9, (140000, 9)).T.astype(float64))
# run: rows(integers(-9, 9, (2, 140001)))
# run: rows(integers(-2**62, 2**62, (40, 33)))
# run: rows(random((300, 5)))
# structure: launches==1 allocs==1 copies==0
def rows(x):
    return np.cumsum(x, axis=1)


#numptx export columns(float64[:,:])
#numptx export columns(float32[:,:])
# run: columns(integers(-9, 9, (140000, 9)).astype(float64))
# run: columns(integers(-9, 9, (9, 140000)).T.astype(float64))
# run: columns(random((5, 3000)))
# structure: launches==1 allocs==1 copies==0
# run: columns(random((300, 40), float32))
# run: columns(random((300, 7), float32)[:, ::-1])
# run: columns(asfortranarray(random((30, 7))))
def columns(x):
    return x.cumsum(axis=0)


#numptx export typed(int8[:], float64[:])
# run: typed(full(20, 100, int8), arange(20.0) / 3)
# run: typed(array([], int8), array([]))
def typed(i, x):
    return (
        np.cumsum(i, dtype=np.int8),
        np.cumsum(i, dtype=np.float32),
        np.cumsum(x, dtype=np.int64),
        np.cumsum(i, dtype=bool),
        np.cumprod(i, dtype=np.int16),
        np.cumprod(i > 0, dtype=bool),
        i.cumprod(),
        x.cumsum(dtype=np.float32),
    )


#numptx export single(float64, float64[:])
# run: single(5.0, array([7.0, 8.0]))
def single(s, x):
    return np.cumsum(s), x[0].cumsum(), np.cumsum(x.sum()), np.cumsum(x[0], axis=0), np.nancumsum(s), np.cumsum([1, 2, 3])


#numptx export products(float64[::])
#numptx export products(int32[::])
#numptx export products(uint16[::])
#numptx export products(complex64[::])
# run: products(array([1.5, -2.0, 0.0, inf, 1.0]))
# run: products(array([2.0, inf, -1.0, nan, 1.0]))
# run: products(arange(1, 40, dtype=int32))
# run: products(arange(1, 40, dtype=uint16)[::-1])
# run: products(array([1 + 2j, -3j, 4.0], complex64))
def products(x):
    return np.cumprod(x)


#numptx export without_nans(float64[:,:])
#numptx export without_nans(float32[:,:])
# run: without_nans(array([[1.0, nan, 2.0], [nan, nan, 3.0]]))
# run: without_nans(array([[1.0, nan, 2.0], [nan, inf, 3.0]], float32))
def without_nans(x):
    return np.nancumsum(x), np.nancumprod(x, axis=0), np.nancumsum(x, axis=1)


#numptx export without_nans_of_integers(int8[:], bool[:])
# run: without_nans_of_integers(integers(-9, 9, 10).astype(int8), array([True, False, True]))
def without_nans_of_integers(i, b):
    return np.nancumsum(i), np.nancumprod(b)


#numptx export from_initial(float64[:,:], int8[:])
# run: from_initial(random((3, 4)), integers(0, 9, 5).astype(int8))
# run: from_initial(asfortranarray(random((3, 4))), array([], int8))
# run: from_initial(zeros((0, 4)), ones(1, int8))
def from_initial(x, i):
    return (
        np.cumulative_sum(i),
        np.cumulative_sum(i, include_initial=True),
        np.cumulative_prod(i, include_initial=True, dtype=np.float32),
        np.cumulative_sum(x, axis=0, include_initial=True),
        np.cumulative_prod(x, axis=-1, include_initial=True),
        np.cumulative_sum(x, axis=1),
    )


#numptx export extremes(float64[:,:])
#numptx export extremes(int8[:,:])
#numptx export extremes(uint64[:,:])
#numptx export extremes(bool[:,:])
# run: extremes(random((5, 6)))
# run: extremes(array([[1.0, nan, 2.0], [inf, -inf, 0.0], [3.0, 1.0, -1.0]]))
# run: extremes(integers(-128, 127, (7, 9)).astype(int8)[::-1])
# run: extremes(array([[2**64 - 1, 0, 5], [1, 2, 2**63]], uint64))
# run: extremes(array([[True, False], [False, True]]))
# run: extremes(zeros((0, 3)))
# run: extremes(zeros((3, 0)))
def extremes(x):
    return (
        np.maximum.accumulate(x),
        np.maximum.accumulate(x, axis=1),
        np.minimum.accumulate(x, -1),
        np.minimum.accumulate(x.T, axis=1),
    )


#numptx export arithmetic(float32[:,:])
#numptx export arithmetic(int16[:,:])
#numptx export arithmetic(bool[:,:])
# run: arithmetic(random((5, 6), float32))
# run: arithmetic(integers(-9, 9, (5, 6)).astype(int16))
# run: arithmetic(random((3, 4)) > 0.5)
def arithmetic(x):
    return np.add.accumulate(x), np.multiply.accumulate(x, axis=1), np.add.accumulate(x, 1, np.float64)


#numptx export truth(float64[:])
#numptx export truth(int8[:])
#numptx export truth(bool[:])
# run: truth(array([2.5, nan, 0.0, 1.0]))
# run: truth(array([0, 3, 0, 7], int8))
# run: truth(array([True, True, False]))
def truth(x):
    return np.logical_and.accumulate(x), np.logical_or.accumulate(x), np.logical_xor.accumulate(x)


#numptx export bits(int8[:,:])
#numptx export bits(uint32[:,:])
#numptx export bits(bool[:,:])
# run: bits(integers(-128, 127, (4, 5)).astype(int8))
# run: bits(integers(0, 2**32, (4, 5)).astype(uint32))
# run: bits(random((4, 5)) > 0.3)
def bits(x):
    return np.bitwise_and.accumulate(x), np.bitwise_or.accumulate(x, axis=1), np.bitwise_xor.accumulate(x, axis=-1)


#numptx export fused(float64[:], float64[:], float64)
# run: fused(arange(1000.0), ones(1000), 3.0)
# structure: launches==1 allocs==1 copies==0
# run: fused(arange(10.0)[::-1], ones(1), 3.0)
def fused(x, y, a):
    return np.cumsum((a * x + y)[::-1] > 4)


#numptx export used(float64[:], float64[:,:])
# run: used(random(50), random((50, 50)))
# run: used(random(0), random((0, 0)))
def used(x, y):
    c = np.cumsum(x)
    d = np.cumsum(np.cumsum(y, axis=0), axis=1)
    return c[1:] - c[:-1], c / (1.0 + c.size), (d + x).sum(axis=0), d[::2, 1:]


#numptx export averages(float64[:], int)
# run: averages(random(100), 7)
# run: averages(random(7), 7)
def averages(x, n):
    c = np.cumsum(x)
    c[n:] = c[n:] - c[:-n]
    return c[n - 1 :] / n


#numptx export in_a_loop(float64[:,:], int)
# run: in_a_loop(ones((4, 5)), 6)
# run: in_a_loop(ones((4, 5)), 0)
def in_a_loop(x, n):
    for _ in range(n):
        x = np.cumsum(x, axis=0) / 2
    return x


#numptx export differences(float64[:,:], int32[:])
# run: differences(random((4, 5)), integers(0, 9, 6).astype(int32))
# run: differences(zeros((0, 5)), ones(1, int32))
def differences(x, i):
    return np.diff(x), np.diff(x, axis=0), np.diff(i, n=2), np.diff(np.cumsum(i)), np.ediff1d(x), np.ediff1d(i)
