"""Sums and products of bools into bools: logical ors and ands, as NumPy adds and multiplies bools."""

import numpy as np


#numptx export kept(bool[::], bool[:], bool[:])
# run: kept(array([True, False, True]), zeros(1, bool), ones(1, bool))
# run: kept(zeros(4, bool), ones(1, bool), ones(1, bool))
# run: kept(ones(8, bool)[::-2], zeros(1, bool), zeros(1, bool))
# run: kept(zeros(0, bool), ones(1, bool), zeros(1, bool))
# run: kept(ones(4, bool), ones(2, bool), zeros(1, bool))
# run: x = array([False, True, False]); kept(x, x[:1], zeros(1, bool))
def kept(x, y, z):
    return np.sum(x, keepdims=True, out=y), np.prod(x, keepdims=True, out=z)


#numptx export along_axes(bool[:,:], bool[:], bool[:])
# run: along_axes(integers(0, 2, (4, 3)) > 0, zeros(3, bool), zeros(4, bool))
# run: along_axes(zeros((4, 3), bool), ones(3, bool), ones(4, bool))
# run: along_axes(zeros((0, 3), bool), ones(3, bool), ones(0, bool))
# run: along_axes(zeros((4, 0), bool), ones(0, bool), ones(4, bool))
def along_axes(x, y, z):
    a = np.add.reduce(x, out=y).copy(), np.multiply.reduce(x, out=y).copy(), np.nansum(x, 0, out=y).copy()
    return a, np.nanprod(x, axis=1, out=z).copy(), x.sum(1, out=z)


#numptx export begun(bool[:,:], bool[:], bool)
# run: begun(integers(0, 2, (4, 3)) > 0, zeros(3, bool), True)
# run: begun(integers(0, 2, (4, 3)) > 0, zeros(3, bool), False)
# run: begun(zeros((0, 3), bool), zeros(3, bool), True)
def begun(x, y, start):
    a = np.sum(x, 0, out=y, initial=start).copy(), np.prod(x, 0, out=y, initial=start).copy()
    return a, np.sum(x, 0, out=y, initial=1).copy(), np.prod(x, 0, out=y, initial=0)


#numptx export chosen(bool[:,:], bool[:,:], bool[:])
# run: chosen(integers(0, 2, (4, 3)) > 0, integers(0, 2, (4, 3)) > 0, zeros(3, bool))
# run: chosen(ones((4, 3), bool), zeros((4, 3), bool), ones(3, bool))
# run: chosen(zeros((4, 3), bool), zeros((4, 1), bool), ones(3, bool))
def chosen(x, mask, y):
    return np.sum(x, 0, where=mask, out=y).copy(), np.prod(x, 0, where=mask, out=y, initial=True)


#numptx export traced(bool[:,:], bool[:])
# run: traced(ones((3, 3), bool), zeros(2, bool))
# run: traced(zeros((3, 3), bool), ones(2, bool))
def traced(x, y):
    np.trace(x, out=y[0, ...])
    np.sum(x, out=y[1, ...])
    return y


#numptx export asked_for(float64[:], bool[:])
# run: asked_for(array([0.0, -0.0, 2.5]), array([True, False]))
# run: asked_for(array([0.0, nan]), array([True, True]))
# run: asked_for(zeros(0), zeros(0, bool))
def asked_for(x, b):
    return np.sum(x, dtype=np.bool_), np.prod(x, dtype=np.bool_), np.sum(b, dtype=np.bool_), b.prod(dtype=np.bool_)


#numptx export without_nans(float64[:])
# run: without_nans(array([0.0, nan, 2.5]))
# run: without_nans(array([nan, nan]))
# run: without_nans(array([nan, 0.0]))
def without_nans(x):
    a = np.nansum(x, dtype=np.int64), np.nanprod(x, dtype=np.int32), np.nansum(x, dtype=np.float32)
    return a, np.nansum(x, dtype=np.bool_), np.nanprod(x, dtype=np.bool_)
