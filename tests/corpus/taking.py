"""`np.take`, `np.put`, their relatives along an axis, and `np.add.at`."""

import numpy as np


#numptx export take(float64[:,:], int64[:])
# run: take(arange(12.0).reshape(3, 4), array([0, 2, -1]))
# run: take(arange(12.0).reshape(4, 3).T, array([0, 2, -1]))
# run: take(arange(24.0).reshape(6, 4)[::-2, ::-1], array([0, 2, -1]))
# run: take(arange(12.0).reshape(3, 4), array([0, 3, -1]))
# run: take(arange(12.0).reshape(3, 4), array([0, 12, -1]))
# run: take(arange(12.0).reshape(3, 4), zeros(0, int64))
# run: take(zeros((0, 3)), array([0, 1]))
# run: take(zeros((0, 3)), zeros(0, int64))
# run: take(zeros((3, 0)), array([0, 1]))
def take(x, idx):
    return (np.take(x, idx), np.take(x, idx, axis=0), np.take(x, idx, axis=-1), x.take(idx[:2], 1),
            np.take(x, idx[:, None], axis=1), np.take(x, 1), np.take(x, -1, axis=0), np.take(x, [0, 1], axis=1))


#numptx export take_along_rows(float64[:,:], int64[:])
# run: take_along_rows(zeros((0, 3)), array([9]))
# run: take_along_rows(zeros((2, 3)), array([9]))
# run: take_along_rows(zeros((2, 0)), array([9]))
# run: take_along_rows(zeros((2, 0)), zeros(0, int64))
def take_along_rows(x, idx):
    return np.take(x, idx, axis=1)


#numptx export modes(float64[:], int64[:])
# run: modes(arange(5.0), array([7, -7, 4, -1, 0, 9223372036854775807]) % 1000)
# run: modes(arange(5.0), array([7, -7, 4, -1, 0, 12]))
# run: modes(zeros(0), zeros(0, int64))
# run: modes(zeros(0), array([1]))
def modes(x, idx):
    return np.take(x, idx, mode='wrap'), np.take(x, idx, mode='clip'), np.take(x, idx, 0, None, 'wrap')


#numptx export along(float64[:,:], int64[:,:])
# run: along(arange(12.0).reshape(3, 4), array([[0, 1], [-1, 2], [3, 3]]))
# run: along(arange(12.0).reshape(4, 3).T, array([[0, 1], [-1, 2], [3, 3]]))
# run: along(arange(12.0).reshape(3, 4), asfortranarray(array([[0, 1], [-1, 2], [3, 3]])))
# run: along(arange(12.0).reshape(3, 4), array([[0, -1]]))
# run: along(arange(4.0).reshape(1, 4), array([[0, 1], [-1, 2], [3, 3]]))
# run: along(arange(12.0).reshape(3, 4), array([[0, 1], [-1, 4], [3, 3]]))
# run: along(arange(12.0).reshape(3, 4), array([[0, 1], [-1, 3]]))
# run: along(zeros((3, 0)), zeros((3, 0), int64))
def along(x, idx):
    return np.take_along_axis(x, idx, axis=1), np.take_along_axis(x, idx, -1)


#numptx export sorted_by(float64[:,:,:])
# run: sorted_by(random((3, 4, 5)))
def sorted_by(x):
    best = np.argmax(x, axis=1)
    return np.take_along_axis(x, best[:, None, :], axis=1), np.take_along_axis(x, best[:1, None, :] * 0, 1)


#numptx export put_along(float64[:,:], int64[:,:], float64[:,:])
# run: put_along(zeros((3, 4)), array([[0, 1], [-1, 2], [3, 3]]), array([[1.0, 2.0]]))
# run: put_along(zeros((4, 3)).T, array([[0, 1], [-1, 2], [3, 3]]), arange(6.0).reshape(3, 2))
# run: put_along(zeros((3, 4)), array([[0, 1], [-1, 4], [3, 3]]), array([[1.0, 2.0]]))
# run: put_along(zeros((3, 4)), array([[0, 1], [-1, 2], [3, 3]]), array([[1.0, 2.0, 3.0]]))
# run: x = zeros((3, 4)); put_along(x, array([[0, 1], [-1, 2], [3, 3]]), x[:, :2])
def put_along(x, idx, v):
    np.put_along_axis(x, idx, v, 1)
    np.put_along_axis(x, idx[:, :1], -1, axis=1)


#numptx export put(float64[:,:], int64[:], float64[:])
# run: put(zeros((3, 4)), array([0, 5, -1, 5]), array([1.0, 2.0, 3.0, 4.0]))
# run: put(zeros((4, 3)).T, array([0, 5, -1, 5]), array([1.0, 2.0]))
# run: put(zeros((6, 8))[::-2, ::2], array([0, 5, -1, 5]), array([1.0, 2.0, 3.0, 4.0, 5.0]))
# run: put(zeros((3, 4)), zeros(0, int64), zeros(0))
# run: put(zeros((3, 4)), array([3]), zeros(0))
# run: put(zeros((0, 4)), array([3]), zeros(0))
# run: put(zeros((0, 4)), zeros(0, int64), zeros(1))
# run: x = zeros((3, 4)); put(x, array([0, 5, -1, 5]), x[1])
def put(x, idx, v):
    np.put(x, idx, v)
    x.put(idx, 7)
    np.put(x, idx + 100, v[::-1], mode='wrap')
    np.put(x, [[100, -100], [5, 6]], -2.5, 'clip')


#numptx export put_into_itself(float64[:], int64[:])
# run: put_into_itself(arange(12.0), array([1, 2, 3, 4, 5, 0]))
# run: put_into_itself(arange(24.0)[::-2], array([1, 2, 3, 4, 5, 0]))
# run: put_into_itself(arange(3000.0), (arange(3000) + 1) % 3000)
# run: put_into_itself(zeros(0), zeros(0, int64))
# run: x = arange(12); put_into_itself(x.view(float64), x)
def put_into_itself(a, j):
    np.put(a, j, a)
    a.put(j + 7, a, mode="wrap")
    np.put(a, j - 1, a, mode="clip")
    np.put(a[1:], j[:2], a[1:])


#numptx export put_indices(int64[:])
# run: put_indices(array([2, 0, 1, 3]))
# run: put_indices(array([2, 0, 1, 3, 0, 0])[::-1])
# run: put_indices(array([2, 0, 1, 4]))
def put_indices(j):
    np.put(j, j, j)
    np.put(j, j, 7 - j)


#numptx export put_twice(float64[:], float64[:], int64[:])
# run: x = arange(12.0); put_twice(x, x, array([1, 2, 3, 4, 5, 0]))
# run: x = arange(12.0); put_twice(x, x[::-1], array([1, 2, 3, 4, 5, 0]))
# run: x = arange(12.0); put_twice(x, x[1:5], array([1, 2, 3, 4, 5, 0]))
# run: x = arange(12.0); put_twice(x, x.copy(), array([1, 2, 3, 4, 5, 0]))
def put_twice(a, v, j):
    np.put(a, j, v)
    np.put(a[2:], j, v[::-1])


#numptx export put_until(float64[:,:], int64[:], float64[:])
# run: put_until(zeros((3, 4)), array([2, 13, 0]), array([4.0]))
# run: put_until(zeros((3, 4)), array([2, 3, 1, -13, 0]), array([4.0, 5.0]))
# run: put_until(zeros((3, 4)), array([12]), array([4.0, 5.0]))
# run: put_until(zeros((4, 3)).T, array([2, 13, 0]), array([4.0]))
# run: put_until(zeros((6, 4))[::2], array([2, 13, 0]), array([4.0]))
# run: put_until(zeros((3, 8))[:, ::-2], array([2, 13, 0]), array([4.0]))
# run: put_until(zeros((1, 8))[:, ::-2], array([2, 13, 0]), array([4.0]))
# run: x = arange(12.0).reshape(3, 4); put_until(x, array([2, 3, 13, 0]), x[1])
# run: x = arange(12.0).reshape(3, 4); put_until(x, array([2, 3, 13, 0]), x[1, ::2])
# run: x = arange(12.0).reshape(3, 4); put_until(x[:2], array([2, 3, 13, 0]), x[2])
# run: x = arange(12.0).reshape(3, 4); put_until(x, x.view(int64)[0, :2], x[2])
# run: put_until(zeros((3, 4)), array([2, 13, 0]), zeros(0))
# run: put_until(zeros((3, 4)), array([2, 13, 0])[::-1], array([4.0]))
def put_until(x, j, v):
    """What stands before an index out of range is written, but in a copy of an array that is not in C order or read."""
    np.put(x, j, v)


#numptx export put_one_until(float32[:], int)
# run: put_one_until(zeros(12, float32), 13)
# run: put_one_until(zeros(12, float32), -12)
# run: put_one_until(zeros(24, float32)[::2], -13)
def put_one_until(x, n):
    np.put(x, [2, n, 0], 4.0)


#numptx export histogram(int64[:], int)
# run: histogram(array([1, 2, 1, 0, 1, -1]), 4)
# run: histogram(array([1, 2, 1, 0, 4]), 4)
# run: histogram(integers(0, 50, 20000), 50)
def histogram(idx, n):
    counts = np.zeros(n, dtype=np.int64)
    np.add.at(counts, idx, 1)
    return counts


#numptx export accumulate(float64[:], int64[:], float64[:])
# run: accumulate(zeros(4), array([1, 2, 1, 0, 1, -1]), array([0.1, 0.2, 0.3, 1e20, 1.0, nan]))
# run: accumulate(arange(4.0), array([1, 1, 1, 1]), array([1e16, 1.0, -1e16, 1.0]))
# run: accumulate(arange(8.0)[::-2], array([1, 1, 1, 1]), array([5.0]))
# run: accumulate(arange(4.0), array([1, 4]), array([5.0, 6.0]))
# run: accumulate(arange(4.0), array([1, 2, 3]), array([5.0, 6.0]))
# run: x = arange(4.0); accumulate(x, array([1, 1, 2]), x[1:])
# run: x = zeros(3); accumulate(x, x.view(int64), ones(3))
def accumulate(x, idx, v):
    np.add.at(x, idx, v)
    np.multiply.at(x, idx[:1], 3.0)
    np.maximum.at(x, idx, v * 2)
    np.subtract.at(x, idx, 0.25)
    np.minimum.at(x, idx, v)


#numptx export does_not_fit(float64[:], int64[:], float64[:])
# run: does_not_fit(arange(12.0), array([2, 13, 0]), array([1.0, 2.0]))
# run: does_not_fit(arange(12.0), array([2, 3, 0]), array([1.0, 2.0]))
# run: does_not_fit(arange(12.0), array([2, 13, 0]), array([1.0, 2.0, 3.0]))
def does_not_fit(x, idx, v):
    """An index out of range is found before values that do not fit."""
    np.add.at(x, idx, v)


#numptx export of_rows(float32[:,:], int32[:], float64[:,:])
# run: of_rows(zeros((3, 4), float32), array([1, 1, -1], dtype=int32), random((3, 4)))
# run: of_rows(zeros((4, 3), float32).T, array([1, 1, -1], dtype=int32), random((1, 4)))
def of_rows(x, idx, v):
    np.add.at(x, idx, v)
    np.add.at(x, (idx, idx), 1)
    np.add.at(x, (0, idx), [1, 2, 3])
    np.add.at(x, 2, v[0])


#numptx export integers_wrap(int8[:], int64[:])
# run: integers_wrap(zeros(3, int8), array([0, 0, 1]))
def integers_wrap(x, idx):
    np.add.at(x, idx, 100)
    np.multiply.at(x, idx, 1.5)
    np.bitwise_or.at(x, idx, 3)


#numptx export many_points(float64[:], int64[:], float64[:])
# run: many_points(zeros(5000), integers(-5000, 5000, 4000), random(4000))
# structure: launches=4 allocs=4 copies=0 peak=100000 syncs=1
# run: many_points(zeros(7), integers(0, 7, 4000), random(4000))
# run: many_points(zeros(2000)[::-2], integers(0, 1000, 4000), random(8000)[::2])
# run: many_points(zeros(1), zeros(4000, int64), arange(4000.0))
# run: many_points(zeros(50), where(arange(4000) < 3999, arange(4000) % 50, 50), random(4000))
# run: x = random(4000); many_points(x, integers(0, 4000, 4000), x)
def many_points(x, idx, v):
    x[idx] = v
    np.subtract.at(x, idx, v)
    np.multiply.at(x, idx, 0.5)


#numptx export counts(int64[:], int64[:])
# run: counts(zeros(10, int64), integers(0, 10, 5000))
# structure: launches=2 allocs=1 copies=0 syncs=1
# run: counts(zeros(10000, int64), integers(0, 10000, 5000))
# run: counts(zeros(10, int64), array([3, 3, 10]))
# run: counts(zeros(10, int64), zeros(0, int64))
def counts(n, idx):
    np.add.at(n, idx, 1)


#numptx export integers_in_any_order(int8[:], uint8[:], int32[:], bool[:], int64[:], int8[:])
# run: integers_in_any_order(zeros(9, int8), zeros(9, uint8), zeros(9, int32), zeros(9, bool), integers(0, 9, 3000), integers(-128, 128, 3000, dtype=int8))
# run: integers_in_any_order(zeros(9, int8)[::-1], zeros(9, uint8), zeros(18, int32)[::2], zeros(9, bool), integers(-9, 9, 30), integers(-128, 128, 30, dtype=int8))
def integers_in_any_order(a, b, c, d, idx, v):
    np.add.at(a, idx, v)
    np.maximum.at(a, idx[:7], v[:7])
    np.minimum.at(a, idx[7:9], v[7:9])
    np.subtract.at(b, idx, 3)
    np.bitwise_xor.at(b, idx, 129)
    np.bitwise_and.at(b, idx[1:4], 7)
    np.add.at(c, idx, v)
    np.bitwise_or.at(c, idx, 64)
    np.logical_or.at(d, idx[:5], v[:5] > 0)


#numptx export many_rows(float32[:,:], int32[:], float32[:,:])
# run: many_rows(zeros((600, 5), float32), integers(0, 600, 2000, dtype=int32), random((2000, 5), dtype=float32))
# run: many_rows(zeros((5, 600), float32).T, integers(0, 3, 2000, dtype=int32), random((2000, 1), dtype=float32))
def many_rows(x, idx, v):
    x[idx] = v
    np.add.at(x, idx, v)
    x[:, idx[:1200] % 5] = v[:600, :1]
    np.put_along_axis(x, idx[:600, None] % 5, v[:600, :1], axis=1)


#numptx export checked_once(float64[:,:], int64[:], int64[:], float64[:])
# run: checked_once(zeros((50, 60)), integers(-50, 50, 40), integers(-60, 60, 40), random(40))
# structure: launches=5 allocs=3 copies=0 syncs=1
# run: checked_once(zeros((50, 60)), array([3]), integers(-60, 60, 40), random(40))
# run: checked_once(zeros((50, 60)), array([3, 50]), array([1, 60]), random(2))
# run: checked_once(zeros((50, 60)), array([3, 4]), array([1, 60]), random(2))
# run: checked_once(zeros((50, 60)), array([50]), zeros(0, int64), random(1))
# run: checked_once(zeros((0, 60)), array([0]), array([1]), random(1))
# run: checked_once(zeros((50, 60)), array([3, 4]), array([1, 2, 3]), random(2))
def checked_once(x, i, j, v):
    x[i, j] = v
    x[i, j] += x[i, j]
    np.add.at(x, (i, j), 1.0)


#numptx export not_checked_for_another(float64[:], int64[:], float64[:])
# run: not_checked_for_another(zeros(9), integers(0, 3, 6), random(6))
# run: not_checked_for_another(zeros(9), array([0, 4]), random(2))
# run: not_checked_for_another(zeros(9), array([0, 2]), random(2))
def not_checked_for_another(x, idx, v):
    x[idx] = v
    idx += 2
    x[idx] = v
    if idx.size > 5:
        x[idx] = -v
    x[:5][idx] = v
    x[idx] = v
