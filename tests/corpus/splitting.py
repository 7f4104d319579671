"""The split family: lists of views of static length."""

import numpy as np


#numptx export halves(float64[:])
# run: halves(random(8))
# structure: launches=0 allocs=0 copies=0
# run: halves(random(8)[::-1])
# run: halves(random(0))
# run: halves(random(7))
# run: halves(broadcast_to(1.0, 4))
def halves(x):
    return np.split(x, 2)


#numptx export written_halves(float64[:])
# run: written_halves(random(8))
# structure: allocs=0 copies=0
# run: written_halves(random(8)[::-1])
# run: written_halves(random(3))
def written_halves(x):
    a, b = np.split(x, 2)
    a += b
    b[::2] = -1.0
    return b, a, x


#numptx export parts_of_list(int64[:], int)
# run: parts_of_list(arange(10), 3)
# structure: launches=0 allocs=0 copies=0
# run: parts_of_list(arange(10)[::2], -1)
# run: parts_of_list(arange(3), 7)
# run: parts_of_list(arange(0), 0)
def parts_of_list(x, k):
    parts = np.array_split(x, 4)
    between = np.split(x, [k, -1])
    return parts[0], parts[-1], parts[1:3], between, np.split(x, (2, k, 5)), len(parts), np.split(x, ())


#numptx export iterated(float64[:])
# run: iterated(random(9))
# run: iterated(random(10))
# run: iterated(random(2))
def iterated(x):
    for k, part in enumerate(np.array_split(x, 3)):
        part *= k
    parts = np.array_split(x, 2)
    parts[0] += 1.0
    parts[-1][:1] -= 1.0
    for a, b in zip(parts, np.split(x, [1])):
        a[:1] = b[-1:]
    return parts, x


#numptx export along_axes(float64[:,:,:])
# run: along_axes(random((2, 4, 6)))
# structure: launches=0 allocs=0 copies=0
# run: along_axes(random((6, 4, 2)).T)
# run: along_axes(random((4, 4, 12))[::-2, :, ::2])
# run: along_axes(random((3, 4, 6)))
# run: along_axes(random((2, 4, 5)))
def along_axes(a):
    return np.split(a, 2), np.split(a, 2, axis=-1), np.array_split(a, 3, axis=1), np.hsplit(a, 2), np.vsplit(a, [1]), np.dsplit(a, 3)


#numptx export of_vector(float64[:], float64[:,:])
# run: of_vector(random(6), random((2, 6)))
# structure: launches=0 allocs=0 copies=0
# run: of_vector(random(6), random((6, 4)).T)
# run: of_vector(random(5), random((2, 4)))
def of_vector(x, a):
    (left, right), rows = np.hsplit(x, 2), np.vsplit(a, 2)
    return left, right, rows, np.hsplit(a, (1, 3)), (np.array_split(x, 5), [x, a])


#numptx export fixed(float64[6], int32[2,3])
# run: fixed(random(6), integers(0, 9, (2, 3), dtype=int32))
# structure: launches=1 allocs=1 copies=0
# run: fixed(random(12)[::-2], integers(0, 9, (3, 2), dtype=int32).T)
def fixed(x, a):
    (b, c, d), (r, s) = np.split(x, 3), np.unstack(a)
    return b, c, d, np.array_split(x, 4), r, s, np.unstack(a, axis=1), np.unstack(x[:2])[1]


#numptx export unstacked(float64[:,:])
# run: unstacked(random((2, 3)))
# run: unstacked(random((3, 2)).T)
# run: unstacked(random((3, 3)))
# run: unstacked(random((2, 4)))
def unstacked(a):
    x, y = np.unstack(a)
    x[:] = y
    b, c, d = np.unstack(a, axis=-1)
    for k, column in enumerate(np.unstack(a, axis=1)):
        column += k
    return x, d, a, b, c


#numptx export chosen_parts(float64[:], bool)
# run: chosen_parts(random(6), True)
# run: chosen_parts(random(6), False)
def chosen_parts(x, flag):
    parts = np.split(x, 2) if flag else np.split(x[::-1], 2)
    if flag:
        parts = parts[::-1]
    parts[0][0] = 9.0
    return parts


#numptx export lists_of_everything(float64[:], int)
# run: lists_of_everything(random(4), 2)
def lists_of_everything(x, n):
    return [x, (x[1:], [n, 2.5]), [], x[0], [x + 1.0]]
