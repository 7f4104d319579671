"""where, clip and other choices."""

import numpy as np


#numptx export wheres(bool[:], float64[:], float32[:], int64[:])
# run: wheres(random(5) < 0.5, random(5), random(5, dtype=float32), integers(-9, 9, 5))
# run: wheres((random(10) < 0.5)[::-2], random(1), random(5, dtype=float32), integers(-9, 9, 1))
# run: wheres(random(0) < 0.5, random(0), random(0, dtype=float32), integers(-9, 9, 0))
def wheres(c, x, y, z):
    return (
        np.where(c, x, y),
        np.where(c, y, 1),
        np.where(c, 1, 2),
        np.where(c, y, 0.1),
        np.where(x > 0.5, z, y),
        np.where(z, x, -x),
        np.where(c, True, z),
        np.where(True, x, y),
        np.where(c, z, 2.5),
    )


#numptx export clips(float64[:] or float32[:] or int32[:], float, int)
# run: clips(array([-1.0, 0.2, 0.9, nan, inf, -0.0]), 0.5, 0)
# run: clips(array([-1.0, 0.2, 0.9, nan, inf, -0.0], dtype=float32), 0.5, 0)
# run: clips(array([-5, 0, 5], dtype=int32), 0.5, 0)
def clips(x, a, n):
    return (
        np.clip(x, 0, a),
        x.clip(-1, 1),
        np.clip(x, n, 3),
        np.clip(x, None, a),
        np.clip(x, a, -a),
        np.clip(x, x, 1),
        np.minimum(x, n),
        np.maximum(a, x),
    )


#numptx export masks(float64[:])
# run: masks(array([1.0, nan, -inf, 0.0, -0.0]))
def masks(x):
    return (
        np.isnan(x),
        np.isinf(x),
        np.isfinite(x),
        np.signbit(x),
        np.sign(x),
        x == x,
        np.nan_to_num(x),
        np.copysign(1.0, x),
        np.heaviside(x, 0.5),
        np.fmax(x, 0),
        np.fmin(x, 0),
        np.maximum(x, 0),
    )


#numptx export rounding(float64[:] or float32[:])
# run: rounding(array([0.5, 1.5, -0.5, 2.5, -2.7, 1e20, nan]))
# run: rounding(array([0.5, 1.5, -0.5, 2.5, -2.7, 1e20, nan], dtype=float32))
def rounding(x):
    return (
        np.floor(x),
        np.ceil(x),
        np.rint(x),
        np.trunc(x),
        np.round(x),
        x.round(),
        np.fix(x),
        np.around(x, 1),
        np.modf(x)[0],
    )


#numptx export boolean_index(float64[:], bool[:])
# run: boolean_index(random(5), array([True, False, True, False, True]))
# run: boolean_index(random(5), zeros(5, dtype=bool))
def boolean_index(x, m):
    x[m] = 0.0
    x[~m] += 1
    return x


#numptx export boolean_compare(float64[:])
# run: boolean_compare(random(5))
def boolean_compare(x):
    x[x > 0.5] = 0.5
    x[(x < 0.2) | (x == 0.5)] *= 2
    return x


#numptx export where_wraps(bool[:], uint8[:], float32[:], int)
# run: where_wraps(array([True, False]), array([1, 2], dtype=uint8), random(2, dtype=float32), -1)
# numpy: 2.4
# run: where_wraps(array([True, False]), array([1, 2], dtype=uint8), random(2, dtype=float32), 300)
# numpy: 2.4
def where_wraps(c, x, y, n):
    return np.where(c, x, n), np.where(c, n, x[0]), np.where(c, x, -1), np.where(c, y, 1e300)
