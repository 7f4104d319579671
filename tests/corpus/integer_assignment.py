"""Writing by arrays of integers: broadcasts, duplicates, overlaps, and nothing written where an index is out of range."""

import numpy as np


#numptx export put_value(float64[:], int64[:], float64)
# run: put_value(arange(10.0), array([3, 0, -1, 3]), 7.5)
# structure: launches=2 allocs=1 copies=0
# run: put_value(arange(20.0)[::-2], array([3, 0, -1, 3]), 7.5)
# run: put_value(arange(10.0), zeros(0, int64), 7.5)
# run: put_value(zeros(0), zeros(0, int64), 7.5)
# run: put_value(arange(10.0), array([3, 10, 1]), 7.5)
# run: put_value(arange(10.0), array([3, 1, -11]), 7.5)
def put_value(a, idx, v):
    a[idx] = v


#numptx export put_values(float64[:], int64[:], float64[:])
# run: put_values(arange(10.0), array([3, 0, -1, 3]), array([1.0, 2.0, 3.0, 4.0]))
# structure: launches=2 allocs=1 copies=0
# run: put_values(arange(10.0), array([0, 0, 0]), array([1.0, 2.0, 3.0]))
# run: put_values(arange(10.0), array([0, 1, 0])[::-1], array([1.0, 2.0, 3.0])[::-1])
# run: put_values(arange(10.0), array([5, 6, 7]), array([nan]))
# run: put_values(arange(10.0), array([5, 6, 7]), array([1.0, 2.0]))
# run: put_values(arange(10.0), array([5, 60, 7]), array([1.0, 2.0]))
# run: put_values(arange(10.0), array([5, 60, 7]), array([1.0, 2.0, 3.0]))
# run: put_values(zeros(1000), integers(-1000, 1000, 20000), random(20000))
# run: x = arange(10.0); put_values(x, array([0, 1, 2]), x[1:4])
# run: x = arange(10.0); put_values(x, array([9, 1, 2]), x[9:6:-1])
# run: x = arange(10.0); put_values(x, x.view(int64)[:3] * 0 + array([0, 1, 2]), x[:3])
# run: p = zeros(6); put_values(p, p.view(int64), arange(6.0) + 1)
def put_values(a, idx, v):
    a[idx] = v


#numptx export put_cast(int32[:], int64[:], float64[:])
# run: put_cast(arange(10, dtype=int32), array([3, 0, -1]), array([1.9, -2.7, 3.0]))
def put_cast(a, idx, v):
    a[idx] = v
    a[idx[:1]] = 5


#numptx export rows(float64[:,:], int64[:], float64[:])
# run: rows(zeros((4, 3)), array([3, 0, 3]), arange(3.0))
# run: rows(zeros((3, 4)).T, array([3, 0, 3]), arange(3.0))
# run: rows(zeros((4, 3)), array([3, 0, 4]), arange(3.0))
# run: rows(zeros((4, 3)), array([3, 0]), arange(2.0))
def rows(a, idx, v):
    a[idx] = v
    a[:, idx[1:]] = 2.0
    a[idx, 1] = 3.0
    a[1:, idx[1:2]] = a[:3, idx[1:2]] + 1.0


#numptx export placed(float64[:,:,:], int64[:], float64[:])
# run: placed(zeros((3, 4, 5)), array([0, 1, -1]), arange(3.0) + 1)
# run: placed(zeros((5, 4, 3)).T, array([0, 1, -1]), arange(3.0) + 1)
def placed(x, i, v):
    x[i, i] = 1.0
    x[:, i, 0] = v
    x[0, :, i] = v[:, None]
    x[i, :, i] += v[:, None]
    x[:, :, i] *= 2.0
    x[..., [0, 1]] -= v[:, None, None]
    x[[0, 1], 1:3] = x[[1, 2], :2]


#numptx export counted_once(float64[:], int64[:], float64[:])
# run: counted_once(arange(10.0), array([3, 0, 3, 3]), array([1.0, 2.0, 3.0, 4.0]))
# structure: launches=3 allocs=2 copies=0
# run: counted_once(arange(10.0), array([3, 0, 3, 30]), array([1.0, 2.0, 3.0, 4.0]))
# run: x = arange(10.0); counted_once(x, array([3, 2, 3, 1]), x[1:5])
def counted_once(a, idx, v):
    a[idx] += v


#numptx export one_more(int64[:], int64[:])
# run: one_more(zeros(5, int64), array([0, 1, 0, 4, -5]))
# run: p = array([3, 2, 1, 0]); one_more(p, p)
def one_more(a, idx):
    a[idx] += 1
    a[idx] **= 2
    a[idx] //= 3


#numptx export reads_first(float64[:], int64[:])
# run: reads_first(arange(10.0), array([1, 2, 3, 4]))
# run: reads_first(arange(10.0), array([4, 3, 2, 1]))
# run: reads_first(arange(10.0), array([0, 1, 2]))
# run: reads_first(arange(10.0), array([0, 1, 11]))
def reads_first(a, idx):
    a[idx] = a[idx - 1]
    a[idx] = a[idx] + a[idx[::-1]]


#numptx export itself(int64[:])
# run: itself(array([2, 0, 1, 3]))
# run: itself(array([1, 1, 0, 0]))
# run: itself(array([1, 1, 0, 4]))
def itself(p):
    p[p] = np.arange(4)
    p[p[::-1]] = p
    p[p] += p
    return p % 4


#numptx export assigned_view(float64[:], int64[:])
# run: assigned_view(arange(8.0), array([7, 0, 3]))
def assigned_view(a, idx):
    a[1:][idx[1:]] = 5.0
    a[::-1][idx] = a[idx]
    a[:3] = a[idx]
    a[:] = a[[7, 6, 5, 4, 3, 2, 1, 0]]


#numptx export nothing_written(float64[:], int64[:], float64[:])
# run: nothing_written(arange(5.0), array([0, 1, 5]), ones(3))
# run: nothing_written(arange(5.0), array([0, 1, 4]), ones(3))
def nothing_written(a, idx, v):
    a[0] = -1.0
    a[idx] = v
    a[4] = -2.0


#numptx export many_axes(complex64[:,:], int32[:,:])
# run: many_axes(zeros((3, 4), complex64), array([[0, 1], [2, 1]], dtype=int32))
def many_axes(a, idx):
    a[idx, idx] = 1 + 2j
    a[0, idx] += 1
    a[idx[0], 3] = a.T[3, idx[1]]


#numptx export in_loop(float64[:,:], int64[:,:])
# run: in_loop(zeros((5, 3)), integers(-5, 5, (4, 6)))
# run: in_loop(zeros((5, 3)), integers(-5, 6, (400, 6)))
def in_loop(a, table):
    for k in range(table.shape[0]):
        a[table[k]] += k


#numptx export fresh(int64[:], int)
# run: fresh(array([3, 1, 3]), 4)
# run: fresh(array([3, 1, 4]), 4)
def fresh(idx, n):
    seen = np.zeros(n, dtype=np.bool_)
    seen[idx] = True
    first = np.full(n, -1)
    first[idx[::-1]] = np.arange(idx.size)[::-1]
    return seen, first


#numptx export two_arrays(float64[:], float64[:], int64[:])
# run: two_arrays(arange(5.0), zeros(5), array([1, 2, 1]))
# run: x = arange(5.0); two_arrays(x, x, array([1, 2, 1]))
# run: x = arange(6.0); two_arrays(x[1:], x[:-1], array([1, 2, 1]))
def two_arrays(a, b, idx):
    b[idx] = a[idx] + a[0]
    a[idx] -= b[1]
    return a[idx] + b[idx]
