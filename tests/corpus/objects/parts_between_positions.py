"""`np.split` and its like, where positions or the number of parts are known when running."""

import numpy as np


#numptx export parts(float64[:], int64[:])
# run: parts(arange(7.0), array([2, 5]))
# run: parts(arange(7.0), array([5, 2, 9]))
# run: parts(arange(7.0), array([-2]))
def parts(x, at):
    return np.split(x, at), np.array_split(x, at)


#numptx export of_one_part(float64[:], int64[:])
# run: of_one_part(arange(7.0), array([], dtype=int64))
# run: of_one_part(arange(0.0), array([1]))
def of_one_part(x, at):
    return [part + 1.0 for part in np.split(x, at)]


#numptx export of_lists(float64[:], int list)
# run: of_lists(arange(7.0), [2, 5])
def of_lists(x, at):
    return np.split(x, at), np.split(x, range(1, len(x), 3)), np.split(x, [k + 1 for k in range(len(at))])


#numptx export between_none(float64[:], int list)
# run: between_none(arange(7.0), [])
# run: between_none(arange(7.0), [3])
def between_none(x, at):
    return [p + 1.0 for p in np.split(x, at)], [p + 1.0 for p in np.split(x, [k + 1 for k in range(len(at))])]


#numptx export of_number(float64[:], int)
# run: of_number(arange(6.0), 3)
# run: of_number(arange(6.0), 8)
# run: of_number(arange(7.0), 3)
# run: of_number(arange(7.0), 0)
# run: of_number(arange(7.0), -1)
def of_number(x, n):
    return np.array_split(x, n), np.split(x, n)


#numptx export equal(float64[:], int)
# run: equal(arange(6.0), 3)
# run: equal(arange(6.0), 4)
# run: equal(arange(6.0), 0)
# run: equal(arange(6.0), -1)
# run: equal(arange(6.0), -4)
def equal(x, n):
    return np.split(x, n)


#numptx export along_axes(float64[:,:], int64[:])
# run: along_axes(arange(12.0).reshape(3, 4), array([1, 3]))
# run: along_axes(asfortranarray(arange(12.0).reshape(3, 4)), array([1]))
def along_axes(x, at):
    return np.hsplit(x, at), np.vsplit(x, at), np.split(x, at, axis=1), np.split(x, at, axis=-2), np.dsplit(x[None], at)


#numptx export views(float64[:], int64[:])
# run: views(arange(7.0), array([2, 5]))
def views(x, at):
    for part in np.split(x, at):
        part -= part.mean()
    return x, len(np.split(x, at)), [part.sum() for part in np.split(x, at)]


#numptx export taken_apart(float64[:], int64[:])
# run: taken_apart(arange(7.0), array([2]))
# run: taken_apart(arange(7.0), array([2, 3]))
def taken_apart(x, at):
    a, b = np.split(x, at)
    return a.sum(), b.max()


#numptx export groups(int64[:], float64[:])
# run: groups(array([2, 1, 2, 1, 5]), arange(5.0))
def groups(keys, x):
    order = np.argsort(keys, kind="stable")
    different, first = np.unique(keys[order], return_index=True)
    return different, [float(part.sum()) for part in np.split(x[order], first[1:])]
