"""What comes back as a view, and of what."""

import numpy as np


#numptx export same(float64[:,:])
# run: same(random((4, 5)))
# structure: launches=0 allocs=0 copies=0
def same(x):
    return x


#numptx export whole(float64[:,:])
# run: whole(random((4, 5)))
# structure: launches=0 allocs=0 copies=0
def whole(x):
    return x[:], x[...], x[:, ::1]


#numptx export transposed(float64[:,:])
# run: transposed(random((4, 5)))
# run: transposed(random((4, 5))[::2, ::-1])
def transposed(x):
    return x.T


#numptx export corners(float64[:,:])
# run: corners(random((4, 5)))
def corners(x):
    return x[0, 0], x[-1, -1], x[::-1, ::-1], x[1:3][:, None]


#numptx export part_of_fresh(int)
# run: part_of_fresh(10)
# run: part_of_fresh(0)
def part_of_fresh(n):
    x = np.arange(n)
    return x[1:5]


#numptx export reshaped(float64[:,:])
# run: reshaped(random((4, 6)))
# run: reshaped(random((6, 4)).T)
def reshaped(x):
    return x.reshape(-1), x.reshape((2, -1))


#numptx export chosen(float64[:], float64[:], bool)
# run: chosen(random(4), random(5), True)
# run: chosen(random(4), random(5), False)
def chosen(x, y, first):
    if first:
        z = x
    else:
        z = y[1:]
    return z


#numptx export twice(float64[:])
# run: twice(random(8))
def twice(x):
    y = x[2:]
    y += 1.0
    return x, y


#numptx export turned_vector(float64[:])
# run: turned_vector(random(4))
def turned_vector(x):
    return x.T, x.transpose(), x[:], x.ravel(), x.reshape(-1)
