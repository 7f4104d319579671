"""`np.copyto`, `np.putmask` and `np.place`: writes under a mask, with NumPy's rules of casting; everything is read before anything is written."""

import numpy as np


#numptx export copied(float64[:,:], float64[:], bool[:])
# run: copied(random((4, 3)), random(3), array([True, False, True]))
# run: copied(random((3, 4)).T, random(6)[::-2], array([True, False, True]))
# run: copied(random((4, 3)), random(3), array([True, False]))
# run: copied(random((4, 2)), random(3), array([True, False]))
# run: copied(random((0, 3)), random(3), array([True, False, True]))
def copied(x, y, m):
    np.copyto(x, y)
    np.copyto(x, 3, where=m)
    np.copyto(x[0], y * 2, where=~m)
    np.copyto(x, [1, 2, 3], where=x > 0.5)
    np.copyto(x, y[::-1], "safe", x > 0.9)
    np.copyto(x, 7, where=False)
    return x


#numptx export cast(int32[:], float64[:], int64[:])
# run: cast(integers(0, 5, 6, dtype=int32), random(6) * 9, integers(0, 9, 6))
def cast(i, f, k):
    np.copyto(i, f, casting="unsafe")
    first = i.copy()
    np.copyto(i, k)
    np.copyto(f, i, "safe", f > 2)
    second = i.copy()
    np.copyto(i, True)
    np.copyto(first, 2.5, casting="unsafe", where=first > 3)
    return i, f, first, second


#numptx export number(int8[:], int)
# run: number(integers(0, 5, 6, dtype=int8), 3)
# run: number(integers(0, 5, 6, dtype=int8), 300)
def number(i, n):
    np.copyto(i, n)
    return i


#numptx export shifted(float64[:])
# run: shifted(random(6))
# run: shifted(random(12)[::-2])
def shifted(x):
    np.copyto(x[1:], x[:-1])
    np.copyto(x[:-1], x[1:], where=x[1:] > 0.5)
    return x


#numptx export read_only_by_path(float64[:], bool)
# run: read_only_by_path(random(6), True)
# run: read_only_by_path(random(6), False)
def read_only_by_path(x, b):
    y = np.broadcast_to(x[:1], (6,)) if b else x
    np.copyto(y, 2.0)
    return y


#numptx export repeated(int64[:,:], bool[:])
# run: repeated(arange(6).reshape(2, 3), array([True, False, True, True, False, True]))
# run: repeated(arange(6).reshape(3, 2).T, array([True, False, True, True, False, True]))
# run: repeated(arange(6).reshape(2, 3), array([True, False, True]))
# run: repeated(arange(0).reshape(0, 3), zeros(0, dtype=bool))
# run: repeated(arange(12).reshape(2, 6)[:, ::-2], array([True, False, True, True, False, True]))
def repeated(x, m):
    np.putmask(x, m, [10, 20])
    y = x.copy()
    np.place(x, m, [100, 200, 300])
    np.putmask(x, x > 15, -x)
    np.place(y, y > 5, np.arange(4))
    np.place(y, y > 100, [])
    np.putmask(y, y > 100, [])
    np.putmask(y, y == 1, 1.5)
    return x, y


#numptx export of_floats(float32[:])
# run: of_floats(random(6, float32))
def of_floats(x):
    np.putmask(x, x > 0.3, [0.1, 0.7])
    np.place(x, x > 0.5, (0.2, 3))
    np.place(x, [1, 0, 0, 0, 0, 1], np.float32(5))
    np.putmask(x, np.arange(6), np.arange(3, dtype=np.int8))
    return x


#numptx export of_nothing(float64[:], float64[:])
# run: of_nothing(random(6), zeros(0))
# run: of_nothing(zeros(6), zeros(0))
# run: of_nothing(zeros(0), zeros(0))
def of_nothing(x, v):
    np.putmask(x, x > 0, v)
    np.place(x, x > 0, v)
    return x


#numptx export in_rows(float64[:,:])
# run: in_rows(random((4, 3)))
# run: in_rows(random((4, 0)))
def in_rows(x):
    for row in x:
        np.copyto(row, 0, where=row < 0.5)
        np.putmask(row, row > 0.8, 9)
    d = np.array(3.0)
    np.copyto(d, 5)
    np.putmask(d, True, 6)
    return x, d
