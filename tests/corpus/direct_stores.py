"""Reductions, running totals and products are computed where an assignment puts them; what overlaps or is broadcast is made apart, as NumPy does."""

import numpy as np


#numptx export columns(float64[:], float64[:,:])
# run: columns(zeros(7), random((5, 7)))
# structure: launches==1 allocs==0 copies==0
# run: columns(zeros(14)[::-2], random((7, 5)).T)
# structure: launches==1 allocs==0 copies==0
# run: columns(zeros(7), random((5, 1)))
# structure: launches==2 allocs==1 copies==0
# run: columns(zeros(0), random((5, 1)))
# run: columns(zeros(0), random((5, 0)))
# run: columns(zeros(1), random((0, 1)))
# run: columns(zeros(7), random((5, 6)))
# run: x = random((5, 7)); columns(x[2], x)
# structure: launches==2 allocs==1 copies==0
# run: x = random((5, 7)); columns(x[2, ::-1], x)
# run: x = random((7, 7)); columns(x[:, 3], x)
# run: x = random((5, 7)); columns(x[4], x[:4])
# structure: launches==1 allocs==0 copies==0
def columns(y, x):
    y[:] = x.sum(axis=0)


#numptx export several(float64[:,:], float32[:], float64[:,:])
# run: several(zeros((4, 5)), zeros(5, float32), random((3, 5)))
# structure: launches=6 allocs=6 copies==0
# run: several(zeros((4, 1)), zeros(9, float32), random((3, 1)))
# run: x = random((4, 5)); several(x, zeros(5, float32), x[:3])
# run: x = random((4, 5)); several(x[::-1], zeros(5, float32), x)
def several(y, z, x):
    y[0] = x.mean(axis=0)
    y[1, ...] = np.sqrt((x * x).sum(axis=0))
    y[2, :] = x.max(axis=0) - x.min(axis=0)
    y[3] = x.argmax(axis=0)
    z[:] = x.prod(axis=0)


#numptx export totals(float64[:], float64[:])
# run: totals(zeros(50), random(50))
# structure: launches==2 allocs==0 copies==0
# run: x = random(50); totals(x, x)
# structure: launches==2 allocs==0 copies==0
# run: x = random(50); totals(x[1:], x[:-1])
# run: x = random(50); totals(x, x[::-1])
# run: totals(zeros(9), random(1))
# run: totals(zeros(0), zeros(1))
# run: totals(zeros(1), zeros(0))
def totals(y, x):
    y[:] = np.cumsum(x)
    y[...] = np.maximum.accumulate(x)


#numptx export products(float64[:,:], float64[:,:], float64[:,:])
# run: products(zeros((4, 6)), random((4, 5)), random((5, 6)))
# structure: launches==1 allocs==0 copies==0
# run: products(zeros((6, 4)).T, random((4, 5)), random((5, 6)))
# structure: launches==1 allocs==0 copies==0
# run: products(zeros((4, 6)), random((1, 5)), random((5, 6)))
# run: products(zeros((4, 6)), random((4, 5)), random((5, 1)))
# run: products(zeros((4, 6)), random((4, 0)), random((0, 6)))
# run: x = random((4, 4)); products(x, x, x.T)
# run: x = random((4, 8)); products(x[:, :4], x[:, :4], random((4, 4)))
# run: x = random((4, 8)); products(x[:, :4], x[:, 4:], random((4, 4)))
# structure: launches==1 allocs==0 copies==0
def products(c, a, b):
    c[:] = a @ b


#numptx export turned(float64[:,:], float64[:,:,:])
# run: turned(zeros((4, 6)), random((6, 5, 4)))
# structure: launches==1 allocs==0 copies==0
# run: turned(zeros((4, 6)), random((1, 5, 4)))
# run: turned(zeros((4, 6)), random((6, 5, 1)))
# run: x = random((6, 4, 4)); turned(x[:, 1].T, x)
def turned(y, x):
    y[:] = x.sum(axis=1).T


#numptx export kept_axes(float64[:,:], float64[:,:])
# run: kept_axes(zeros((4, 1)), random((4, 6)))
# structure: launches==1 allocs==0 copies==0
# run: kept_axes(zeros((4, 3)), random((4, 6)))
# run: kept_axes(zeros((4, 0)), random((4, 6)))
# run: kept_axes(zeros((4, 3)), random((1, 6)))
# run: x = random((4, 6)); kept_axes(x[:, 2:3], x)
# run: x = random((4, 6)); kept_axes(x, x)
def kept_axes(y, x):
    y[:] = x.sum(axis=1, keepdims=True)


#numptx export in_a_loop(float64[:,:], float64[:,:], int)
# run: in_a_loop(zeros((5, 4)), random((4, 4)), 5)
# structure: launches==1 allocs==0 copies==0
# run: in_a_loop(zeros((5, 1)), random((4, 1)), 5)
# run: x = random((5, 5)); in_a_loop(x, x, 5)
# run: x = random((5, 5)); in_a_loop(x, x, 6)
def in_a_loop(y, x, n):
    for i in range(n):
        y[i] = x.sum(axis=0)


#numptx export more_rows(float64[:,:], float64[:,:])
# run: more_rows(zeros((3, 4)), random((5, 4)))
# run: more_rows(zeros((3, 4)), random((5, 1)))
def more_rows(y, x):
    y[:] = x.sum(axis=0)
