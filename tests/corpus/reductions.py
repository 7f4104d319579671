"""Reductions: axes, tuples of axes, keepdims, dtype, empty axes."""

import numpy as np


#numptx export sums(float64[:,:,:])
# run: sums(random((3, 4, 5)))
# run: sums(random((5, 4, 3)).T)
# run: sums(random((6, 8, 5))[::-2, ::2])
# run: sums(random((0, 4, 5)))
# run: sums(random((3, 0, 5)))
# run: sums(random((1, 1, 1)))
def sums(x):
    return (
        x.sum(),
        x.sum(0),
        x.sum(axis=1),
        np.sum(x, -1),
        np.sum(x, axis=(0, 2)),
        x.sum(axis=(0, 1, 2)),
        np.sum(x, axis=(1, 2), keepdims=True),
        x.sum(keepdims=True),
        np.sum(x, axis=None),
        x.sum(axis=()),
    )


#numptx export int_sums(int8[:,:], uint8[:,:], bool[:,:], uint32[:,:], int32[:,:])
# run: int_sums(integers(-128, 128, (30, 40), dtype=int8), integers(0, 256, (30, 40), dtype=uint8), random((30, 40)) < 0.5, integers(0, 2**32, (3, 4), dtype=uint32), integers(-2**31, 2**31, (3, 4), dtype=int32))
# run: int_sums(zeros((0, 4), dtype=int8), zeros((4, 0), dtype=uint8), zeros((0, 0), dtype=bool), zeros((1, 0), dtype=uint32), zeros((0, 1), dtype=int32))
def int_sums(a, b, c, d, e):
    return (
        a.sum(),
        b.sum(0),
        c.sum(1),
        d.sum(),
        e.sum(0),
        a.prod(),
        c.prod(0),
        b.prod(axis=1),
        np.mean(a),
        np.mean(c, 0),
        b.var(),
        c.std(1),
    )


#numptx export dtypes(float32[:,:], int32[:,:], bool[:])
# run: dtypes(random((3, 4), dtype=float32), integers(-5, 5, (3, 4), dtype=int32), random(7) < 0.5)
# run: dtypes(random((4, 3), dtype=float32).T, integers(-5, 5, (6, 4), dtype=int32)[::2], random(14)[::2] < 0.5)
def dtypes(a, b, c):
    return (
        a.sum(dtype=np.float64),
        np.sum(a, axis=0, dtype="float64"),
        b.sum(dtype=np.int32),
        b.sum(axis=1, dtype=np.float32),
        a.sum(dtype=np.complex64),
        np.mean(b, dtype=np.float32),
        c.sum(dtype=np.uint8),
        np.prod(b, dtype=np.int8),
        np.mean(a, axis=1, dtype=np.float64),
        np.var(a, dtype=np.float64),
        np.sum(a, dtype=float),
        np.sum(c, dtype=int),
    )
