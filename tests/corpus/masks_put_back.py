"""What a mask chooses, computed with and put back: elements stay where they are, and the host waits for no length."""
import numpy as np


#numptx export counted(float64[:], bool[:])
# run: counted(random(50), random(50) > 0.5)
# structure: launches=2 copies=0 syncs=0
# run: counted(random(50)[::-1], random(50) > 0.9)
# run: counted(random(50), zeros(50, dtype=bool))
# run: counted(random(60), random(50) > 0.5)
# run: counted(random(50), (arange(60) < 50) & (arange(60) % 3 == 0))
# run: counted(random(50), arange(60) == 57)
# run: counted(random(0), zeros(60, dtype=bool))
# run: counted(random(0), arange(60) == 57)
# run: counted(random(50), zeros(0, dtype=bool))
def counted(z, m):
    """The mask may be longer than the array, where it chooses nothing there."""
    chosen = np.flatnonzero(m)
    z[chosen] += 1


#numptx export own(float64[:])
# run: own(random(50) - 0.5)
# structure: launches==1 allocs==0 copies=0 syncs=0
# run: own(random(50)[::-2] - 0.5)
# run: own(zeros(7))
# run: own(zeros(0))
def own(z):
    positive = np.flatnonzero(z > 0)
    z[positive] += 1


#numptx export roots(float64[:], float64[:], bool[:])
# run: roots(random(50), zeros(50), random(50) > 0.5)
# structure: launches==1 allocs==0 copies=0 syncs=0
# run: roots(random(50), zeros(70), random(50) > 0.5)
# run: roots(random(50), zeros(40), arange(50) % 7 == 0)
# run: roots(random(50), zeros(40), arange(50) < 40)
# run: roots(random(50), zeros(40), zeros(50, dtype=bool))
# run: roots(random(50), zeros(0), zeros(50, dtype=bool))
# run: roots(random(40), zeros(50), random(50) > 0.5)
# run: x = random(50); roots(x, x, random(50) > 0.5)
# run: x = random(51); roots(x[1:], x[:-1], random(50) > 0.5)
# run: x = random(50); roots(x, x[::-1], random(50) > 0.5)
def roots(x, z, m):
    chosen = np.flatnonzero(m)
    y = x[m] * 2.0 + 1.0
    z[chosen] = np.sqrt(y)


#numptx export nonzero(float64[:], float64[:])
# run: nonzero(random(50) - 0.5, zeros(50))
# structure: launches=3 copies=0 syncs=0
# run: nonzero(random(50) - 0.5, zeros(60))
# run: nonzero(random(50) - 0.5, zeros(40))
# run: nonzero(-ones(50), zeros(40))
# run: nonzero(zeros(0), zeros(0))
# run: x = random(50) - 0.5; nonzero(x, x)
def nonzero(x, z):
    places = np.nonzero(x > 0)[0]
    others = np.where(x <= 0)[0]
    z[places] = 3.0
    z[others] = x[others] - 1.0


#numptx export of_two_axes(float64[:,:], float64[:,:])
# run: of_two_axes(random((5, 7)) - 0.5, ones((5, 7)))
# structure: copies=0 syncs=1
# run: of_two_axes(random((5, 7)) - 0.5, ones((6, 8)))
# run: of_two_axes((random((7, 5)) - 0.5).T[::-1], ones((6, 8))[:, ::-1])
# run: of_two_axes(arange(35.0).reshape(5, 7) - 20.0, ones((5, 6)))
# run: of_two_axes(arange(35.0).reshape(5, 7) - 20.0, ones((4, 7)))
# run: of_two_axes(arange(35.0).reshape(5, 7) * (arange(7) == 3), ones((5, 5)))
# run: of_two_axes(zeros((5, 7)), ones((0, 0)))
# run: of_two_axes(zeros((0, 7)), ones((0, 0)))
def of_two_axes(x, z):
    i, j = np.nonzero(x > 0)
    z[i, j] = z[i, j] * 2.0 + x[i, j]


#numptx export put_back(float64[:], float64[:], float64[:], bool[:])
# run: put_back(random(50), zeros(50), ones(50), random(50) > 0.5)
# structure: launches==2 allocs==0 copies=0 syncs=0
# run: put_back(random(50), zeros(50), ones(50), zeros(50, dtype=bool))
# run: put_back(random(50), zeros(50), ones(50), arange(50) == 7)
# run: put_back(random(50), zeros(50), ones(50), ones(50, dtype=bool))
# run: put_back(random(0), zeros(0), ones(0), ones(0, dtype=bool))
# run: put_back(random(50), zeros(49), ones(50), random(50) > 0.5)
# run: put_back(random(50), zeros(50), ones(51), random(50) > 0.5)
# run: put_back(random(49), zeros(50), ones(50), random(50) > 0.5)
# run: x = random(50); put_back(x, x, x, random(50) > 0.5)
# run: x = random(51); put_back(x[1:], x[:-1], x[1:], random(50) > 0.5)
# run: x = random(50); put_back(x, x[::-1], x, random(50) > 0.5)
def put_back(x, z, w, m):
    y = x[m]
    z[m] = y * 2.0
    w[m] += y


#numptx export mask_changes(float64[:], float64[:], bool[:])
# run: mask_changes(random(50), zeros(50), random(50) > 0.5)
# run: mask_changes(random(50), zeros(50), zeros(50, dtype=bool))
def mask_changes(x, z, m):
    """The mask of the write is another one than that of the read."""
    y = x[m] + 1.0
    z[m] = y
    m[::2] = False
    z[m] = x[m] - 1.0
    x[m] = z[m]


#numptx export other_masks(float64[:], float64[:], bool[:], bool[:])
# run: other_masks(random(50), zeros(50), arange(50) % 3 == 0, arange(50)[::-1] % 3 == 1)
# run: other_masks(random(50), zeros(50), arange(50) % 3 == 0, arange(50) % 3 == 0)
# run: other_masks(random(50), zeros(50), arange(50) == 9, arange(50) % 2 == 0)
# run: other_masks(random(50), zeros(50), arange(50) < 9, arange(50) % 2 == 0)
# run: m = arange(50) % 3 == 0; other_masks(random(50), zeros(50), m, m)
def other_masks(x, z, m, k):
    """Elements go to places that another mask chooses."""
    y = x[m] * 2.0
    z[k] = y


#numptx export small(int8[:], uint16[:,:])
# run: small(arange(-60, 60, dtype=int8), arange(12, dtype=uint16).reshape(3, 4))
# structure: copies=0 syncs=0
# run: small(zeros(9, dtype=int8), zeros((3, 4), dtype=uint16))
# run: small(arange(-60, 60, dtype=int8)[::-3], arange(12, dtype=uint16).reshape(4, 3).T)
def small(a, b):
    negative = a < 0
    y = a[negative]
    y = y // 3
    a[negative] = y
    large = b > 5
    v = b[large]
    v = v * 2
    b[large] = v


#numptx export read_at(float64[:], int64[:], bool[:])
# run: read_at(random(9), integers(-9, 9, 50), random(50) > 0.5)
# structure: launches=2 copies=0 syncs=1
# run: read_at(random(9), integers(-9, 19, 50), zeros(50, dtype=bool))
# run: read_at(random(9), array([3, 100, -9, 8]), array([True, False, True, True]))
# run: read_at(random(9), array([3, 100, -9, 8]), array([True, True, True, True]))
# run: read_at(random(0), array([3, 100, -9, 8]), array([False, False, False, False]))
# run: read_at(random(0), array([3, 100, -9, 8]), array([False, False, True, False]))
def read_at(w, labels, m):
    """Labels that are not chosen name no element; the host waits for whether those that are do."""
    return w[labels[m]].sum()


#numptx export kept(float64[:], float64[:], bool[:])
# run: kept(random(50), zeros(50), random(50) > 0.5)
# run: kept(random(50), zeros(50), zeros(50, dtype=bool))
# run: x = random(50); kept(x, x, random(50) > 0.5)
def kept(x, z, m):
    """What is returned has to be moved."""
    y = x[m]
    z[m] = y + 1.0
    return y, z[m]
