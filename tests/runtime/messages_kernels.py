"""Writes that do not fit, compiled for test_messages.py."""

import numpy as np

#numptx export whole(float64[:,:], float64[:])
def whole(x, v):
    x[...] = v

#numptx export more_axes(float64[:,:], float64[:,:,:,:])
def more_axes(x, v):
    x[:, :] = v

#numptx export row(float64[:,:], float64[:])
def row(x, v):
    x[0] = v

#numptx export rows(float64[:,:], int64[:], float64[:,:])
def rows(x, i, v):
    x[i] = v

#numptx export columns(float64[:,:], int64[:,:], float64[:,:,:])
def columns(x, j, v):
    x[1:, j] = v

#numptx export points(float64[:,:], int64[:], int64[:], float64[:,:])
def points(x, i, j, v):
    x[i, j] = v

#numptx export along(float64[:,:], int64[:,:], float64[:,:])
def along(x, i, v):
    np.put_along_axis(x, i, v, 1)

#numptx export each(float64[:,:], int64[:], float64[:,:])
def each(x, i, v):
    np.add.at(x, i, v)
