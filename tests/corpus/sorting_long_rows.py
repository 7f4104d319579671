"""Rows that several blocks of a GPU sort together: lengths beyond one tile, special values, equal elements, and digits that all elements share."""
import numpy as np

#numptx export floats(float64[:])
#numptx export floats(float32[:])
# run: floats(random(12_000) - 0.5)
# run: floats(random(5633, dtype=float32) - 0.5)
# run: floats(zeros(4000))
def floats(x):
    y = x.copy()
    y[::7] = 0.0
    y[1::7] = -0.0
    y[::13] = np.nan
    y[::17] = np.inf
    y[3::17] = -np.inf
    y[::19] = -y[::19]
    return np.sort(y, kind="stable"), np.argsort(y, kind="stable"), np.median(x)


#numptx export halves(float16[:])
# run: halves((random(21_000, dtype=float32) - 0.5).astype(float16))
def halves(x):
    y = x.copy()
    y[::7] = -0.0
    y[::11] = np.nan
    return np.sort(y, kind="stable"), np.argsort(y, kind="stable"), np.median(x), np.median(-np.abs(x))


#numptx export integers_in_order(int64[:])
#numptx export integers_in_order(uint64[:])
#numptx export integers_in_order(int32[:])
#numptx export integers_in_order(uint16[:])
#numptx export integers_in_order(int8[:])
# run: integers_in_order(integers(-9223372036854775808, 9223372036854775807, 7000, dtype=int64))
# run: integers_in_order(integers(0, 300, 6000, dtype=int64))
# run: integers_in_order(integers(-9223372036854775808, 9223372036854775807, 6000).astype(uint64))
# run: integers_in_order(integers(-2147483648, 2147483647, 11_000, dtype=int32))
# run: integers_in_order(integers(0, 65535, 10_241, dtype=uint16))
# run: integers_in_order(integers(-128, 127, 20_481, dtype=int8))
# run: integers_in_order(zeros(5000, dtype=int64))
def integers_in_order(x):
    return np.sort(x), np.argsort(x, kind="stable"), np.unique(x)


#numptx export truths(bool[:])
# run: truths(random(11_000) > 0.3)
def truths(x):
    return np.sort(x), np.argsort(x, kind="stable")


#numptx export rows(float32[:,:])
# run: rows(random((3, 3500), dtype=float32) - 0.5)
# run: rows(random((2, 10_300), dtype=float32)[:, ::-1])
# run: rows(random((40, 300), dtype=float32))
# run: rows(random((3, 3072), dtype=float32))
def rows(x):
    x[1] = 0.25
    return np.sort(x, axis=1), np.argsort(x, axis=1, kind="stable"), np.median(x, axis=1)


#numptx export columns(float32[:,:])
# run: columns(random((3000, 2), dtype=float32))
# run: columns(random((2, 3000), dtype=float32).T)
def columns(x):
    return np.sort(x, axis=0), np.argsort(x, axis=0, kind="stable"), np.median(x, axis=0)
