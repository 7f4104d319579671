"""Scatters of more work items than a device looks at in order: the last one wins, integers are combined, floats are summed so that their order does not show."""

import numpy as np


#numptx export placed(float64[:], int64[:], float64[:])
# run: placed(random(500), integers(-500, 500, 1500), random(1500))
# run: placed(random(1)[:], zeros(1200, int64), random(1200))
# run: placed(random(1000)[::-2], integers(-500, 500, 1500), random(3000)[::-2])
# run: placed(random(9)[3:6], integers(0, 3, 1100), random(1100))
# run: placed(random(2000), integers(700, 720, 1100), random(1100))
# run: placed(random(20000), integers(0, 20000, 1100), random(1100))
# run: placed(random(5), zeros(0, int64), random(0))
# run: placed(zeros(4), integers(0, 3, 1100), array([-0.0, nan, inf, -inf] * 275))
# run: placed(zeros(4), array([0, 4] * 600), random(1200))
# tolerance: 0
def placed(x, i, v):
    x[i] = v


#numptx export placed_in_rows(complex128[:,:], int32[:], int32[:], complex128[:])
# run: placed_in_rows(zeros((30, 20), complex128), integers(0, 30, 1500, dtype=int32), integers(-20, 20, 1500, dtype=int32), random(1500, complex128))
# run: placed_in_rows(zeros((30, 20), complex128).T[::-1, ::2], integers(0, 20, 1500, dtype=int32), integers(0, 15, 1500, dtype=int32), random(1500, complex128))
# tolerance: 0
def placed_in_rows(x, i, j, v):
    x[i, j] = v


#numptx export placed_small(bool[:], int16[:], float32[:], complex64[:], int64[:])
# run: placed_small(zeros(9, bool), zeros(9, int16), zeros(9, float32), zeros(9, complex64), integers(-9, 9, 1500))
# run: placed_small(zeros(19, bool)[1::2], zeros(18, int16)[::-2], zeros(9, float32)[::-1], zeros(90, complex64)[::10], integers(0, 9, 1500))
# tolerance: 0
def placed_small(a, b, c, d, i):
    n = np.arange(len(i))
    a[i] = n % 3 == 0
    b[i] = n.astype(np.int16)
    c[i] = n.astype(np.float32)
    d[i] = n * (1 + 2j)


#numptx export counted(int64[:], int64[:], int64[:])
# run: counted(zeros(7, int64), integers(-7, 7, 1500), integers(-2**62, 2**62, 1500))
# run: counted(zeros(16, int64)[::-2], integers(0, 8, 1500), integers(-5, 5, 1500))
# run: counted(zeros(5000, int64), integers(0, 5000, 1500), integers(-5, 5, 1500))
# run: counted(zeros(300, int64), integers(0, 300, 1500), integers(2**31, 2**33, 1500))
# run: counted(zeros(3, int64), array([0, 3] * 600), integers(0, 9, 1200))
def counted(x, i, v):
    np.add.at(x, i, v)
    np.subtract.at(x, i[::2], v[::2])


#numptx export extremes(int64[:], uint64[:], int32[:], uint8[:], int64[:], int64[:])
# run: extremes(zeros(5, int64), ones(5, uint64), zeros(5, int32), zeros(8, uint8), integers(0, 5, 700), integers(-2**63, 2**63 - 1, 700))
# run: extremes(full(5, 2**63 - 1), full(5, 2**64 - 1, uint64), zeros(5, int32), full(8, 255, uint8), zeros(300, int64), full(300, -2**63))
def extremes(a, b, c, d, i, v):
    np.minimum.at(a, i, v)
    np.maximum.at(a, i[::3] * 0 + 1, v[::3])
    np.maximum.at(b, i, v.astype(np.uint64))
    np.minimum.at(b, i[::3], v[::3].astype(np.uint64))
    np.maximum.at(c, i, v.astype(np.int32))
    np.add.at(d, i, v.astype(np.uint8))
    np.minimum.at(d, i[::5], v[::5].astype(np.uint8))
    np.bitwise_and.at(a, i, v | 7)
    np.bitwise_or.at(c, i, v.astype(np.int32))
    np.bitwise_xor.at(d, i, v.astype(np.uint8))


#numptx export added(float64[:], int64[:], float64[:])
# run: added(random(300), integers(-300, 300, 2000), random(2000))
# run: added(random(3), integers(0, 3, 2000), random(2000) - 0.5)
# run: added(random(600)[::-2], integers(0, 300, 2000), random(4000)[::-2])
# run: added(random(9)[3:6], integers(0, 3, 1100), random(1100))
# run: added(random(10000), integers(0, 10000, 1100), random(1100))
# run: added(random(40000), integers(0, 40000, 1100), random(1100))
# run: added(zeros(50), integers(0, 50, 1500), random(1500) * 10.0 ** integers(-300, 290, 1500))
# run: added(zeros(50), integers(0, 50, 1500), random(1500) * 2.0 ** integers(-1074, -1040, 1500))
# run: added(zeros(500), integers(0, 500, 1500), random(1500) * 2.0 ** integers(1000, 1010, 1500))
# run: added(random(5), zeros(0, int64), random(0))
# run: added(zeros(4), array([0, 4] * 600), random(1200))
# tolerance: 1e-12
def added(x, i, v):
    np.add.at(x, i, v)


#numptx export added_exactly(float64[:], int64[:], float64[:])
# run: added_exactly(array([0.0, -0.0, 1.0, -0.0, 5.0]), arange(1500) % 4, zeros(1500))
# run: added_exactly(array([0.0, -0.0, 1.0, -0.0, 5.0]), arange(1500) % 4, -zeros(1500))
# run: added_exactly(array([0.0, -0.0, 1.0, -0.0]), arange(1500) % 4, array([-0.0, -0.0, 0.0] * 500))
# run: added_exactly(array([0.0, -0.0, 1.0, 7.0, inf]), arange(1500) % 5, array([inf, 1.0, 2.0, 1e308, -1.0] * 300))
# run: added_exactly(array([0.0, -0.0, 1.0, 7.0, inf]), arange(1500) % 5, array([inf, -inf, nan, 1.0, -inf] * 300))
# run: added_exactly(array([nan, inf, -inf, 7.0, 0.0]), arange(1500) % 5, array([1.0, 1.0, 1.0, -inf, 5e-324] * 300))
# run: added_exactly(zeros(5), arange(1500) % 5, array([1e308, 1e308, 5e-324, 2.0**-1022, -1e308] * 300))
# run: added_exactly(array([1.7976931348623157e308, 1.0]), arange(1500) % 2, zeros(1500) + 2.0**980)
# run: added_exactly(array([2.0**1023, -(2.0**1023)]), arange(1500) % 2, array([-(2.0**1013), 2.0**1013] * 750))
# run: added_exactly(arange(64.0)[::-1], arange(2048) % 64, (arange(2048) // 64 % 2 * 2 - 1) * 2.0 ** (arange(2048) % 64 % 48))
# tolerance: 0
def added_exactly(x, i, v):
    np.add.at(x, i, v)


#numptx export taken_away(float32[:], int32[:], float32[:])
# run: taken_away(random(300, float32), integers(-300, 300, 2000, dtype=int32), random(2000, float32))
# run: taken_away(random(2, float32), integers(0, 2, 2000, dtype=int32), random(2000, float32) - float32(0.5))
# run: taken_away(array([0.0, -0.0, inf, nan], float32), (arange(1500) % 4).astype(int32), array([0.0, -0.0, inf, 1e38], float32)[arange(1500) % 4])
# tolerance: 1e-4
def taken_away(x, i, v):
    np.subtract.at(x, i, v)


#numptx export added_to_rows(float64[:,:], int64[:], float64[:,:])
# run: added_to_rows(random((40, 3)), integers(-40, 40, 1500), random((1500, 3)))
# run: added_to_rows(random((3, 40)).T[::-1], integers(-40, 40, 1500), random((1500, 3)))
# tolerance: 1e-14
def added_to_rows(x, i, v):
    np.add.at(x, i, v)


#numptx export weighted(int64[:], float64[:])
# run: weighted(integers(0, 60, 3000), random(3000))
# tolerance: 1e-14
def weighted(i, w):
    return np.bincount(i, w, 60), np.bincount(i, minlength=70)
