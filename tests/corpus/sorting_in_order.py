"""NumPy's order of all dtypes, rows of any strides, and lengths that threads share."""

import numpy as np


#numptx export all_ways(bool[:])
#numptx export all_ways(int8[:])
#numptx export all_ways(int16[:])
#numptx export all_ways(int32[:])
#numptx export all_ways(int64[:])
#numptx export all_ways(uint8[:])
#numptx export all_ways(uint16[:])
#numptx export all_ways(uint32[:])
#numptx export all_ways(uint64[:])
#numptx export all_ways(float32[:])
#numptx export all_ways(float64[:])
#numptx export all_ways(complex64[:])
#numptx export all_ways(complex128[:])
# run: all_ways(random(300) > 0.3)
# run: all_ways(integers(-128, 127, 700, dtype=int8))
# run: all_ways(integers(-2**15, 2**15 - 1, 700, dtype=int16)[::-2])
# run: all_ways(integers(-2**31, 2**31 - 1, 700, dtype=int32))
# run: all_ways(integers(-100, 100, 700, dtype=int32))
# run: all_ways(integers(-2**62, 2**62, 700))
# run: all_ways(array([-2**63, 2**63 - 1, 0, -1, 1]))
# run: all_ways(integers(0, 255, 700, dtype=uint8))
# run: all_ways(integers(0, 2**16 - 1, 700, dtype=uint16))
# run: all_ways(integers(0, 2**32 - 1, 700, dtype=uint32))
# run: all_ways(integers(0, 2**62, 700).astype(uint64) * 4)
# run: all_ways(random(700, dtype=float32) - 0.5)
# run: all_ways(random(700) - 0.5)
# run: all_ways((random(60) * 3).astype(int64) + (random(60) * 3).astype(int64) * 1j)
# run: all_ways(((random(60) * 3).astype(int64) + (random(60) * 3).astype(int64) * 1j).astype(complex64))
def all_ways(x):
    return np.sort(x), np.argsort(x, kind="stable"), np.unique(x)


#numptx export signs(float64[:])
#numptx export signs(float32[:])
# run: signs(array([0.0, -0.0, nan, 1.0, -0.0, 0.0, -inf, -nan, -1.0, inf]))
# run: signs((integers(-2, 3, 400) * -0.5).astype(float32))
# run: signs(full(20, -0.0))
# run: signs(full(20, nan))
def signs(x):
    """Zeros of both signs are equal, and so are nans."""
    return np.sort(x, kind="stable"), np.argsort(x, kind="stable"), np.unique(x), np.median(x)


#numptx export complex_nans(complex128[:])
# run: complex_nans(array([complex(nan, 1), complex(1, nan), complex(nan, nan), 2 + 1j, complex(-1, nan), complex(nan, -inf), 2 - 1j, complex(inf, -inf)]))
# run: complex_nans(array([complex(1, nan)]))
def complex_nans(z):
    order = np.argsort(z, kind="stable")
    y = np.sort(z)
    return order, y.real, y.imag


#numptx export along_axes(int16[:,:,:])
# run: along_axes(integers(-9, 9, (3, 4, 5), dtype=int16))
# run: along_axes(integers(-9, 9, (5, 4, 30), dtype=int16).T[::-1, :, ::2])
# run: along_axes(integers(-9, 9, (3, 0, 5), dtype=int16))
# layout: any
def along_axes(x):
    return np.sort(x, axis=0), np.sort(x, axis=1), np.sort(x, axis=-1), np.argsort(x, axis=1, kind="stable"), np.median(x, axis=1)


#numptx export long(float64[:])
# run: long(random(70000))
# run: long(floor(random(70001) * 100))
# run: long(where(random(50000) > 0.9, nan, random(50000)))
# run: long(arange(40000.0)[::-1])
def long(x):
    return np.sort(x), np.argsort(x, kind="stable"), np.median(x), np.unique(x)


#numptx export long_and_narrow(int32[:])
# run: long_and_narrow(integers(-2**31, 2**31 - 1, 70000, dtype=int32))
# run: long_and_narrow(integers(-5, 5, 70000, dtype=int32))
def long_and_narrow(k):
    return np.sort(k), np.argsort(k, kind="stable"), np.median(k)


#numptx export many_rows(float32[:,:])
# run: many_rows(random((400, 9), dtype=float32))
# run: many_rows(random((2, 300), dtype=float32).T)
# run: many_rows(random((9, 300), dtype=float32))
def many_rows(x):
    return np.sort(x), np.sort(x, axis=0), np.argsort(x, axis=0, kind="stable"), np.median(x, axis=0), np.median(x, axis=1)


#numptx export medians_of(float64[:])
# run: medians_of(array([2.0, 1.0]))
# run: medians_of(array([2.0, 1.0, 3.0]))
# run: medians_of(array([2.0]))
# run: medians_of(array([inf, -inf]))
# run: medians_of(array([inf, inf, -inf, 4.0]))
# run: medians_of(array([1.0, nan]))
# run: medians_of(random(1000)[::-1])
def medians_of(x):
    return np.median(x)
