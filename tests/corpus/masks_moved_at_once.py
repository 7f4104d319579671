"""Several arrays, of which one mask chooses: one kernel moves them all."""
import numpy as np


#numptx export four(float64[:], complex128[:], int32[:], bool[:], bool[:])
# run: four(random(50), random(50) * 1j, integers(-9, 9, 50, dtype=int32), random(50) > 0.5, random(50) > 0.5)
# structure: launches=3 copies=0 syncs=1 allocs=5
# run: four(random(50), random(50) * 1j, integers(-9, 9, 50, dtype=int32), random(50) > 0.5, zeros(50, dtype=bool))
# run: four(random(50), random(50) * 1j, integers(-9, 9, 50, dtype=int32), random(50) > 0.5, ones(50, dtype=bool))
# run: four(random(0), random(0) * 1j, integers(-9, 9, 0, dtype=int32), random(0) > 0.5, ones(0, dtype=bool))
# run: four(random(50)[::-1], random(100)[::2] * 1j, integers(-9, 9, 100, dtype=int32)[::-2], random(50) > 0.5, (random(100) > 0.5)[::-2])
# run: m = random(50) > 0.5; four(random(50), random(50) * 1j, integers(-9, 9, 50, dtype=int32), m, m)
# run: four(random(50), random(50) * 1j, integers(-9, 9, 50, dtype=int32), random(49) > 0.5, random(50) > 0.5)
# run: four(random(49), random(50) * 1j, integers(-9, 9, 50, dtype=int32), random(50) > 0.5, random(50) > 0.5)
def four(x, z, k, b, m):
    """Whether lengths fit is checked between one array and the next."""
    return x[m], z[m], k[m], b[m]


#numptx export exchanged(float64[:], float64[:], bool[:], int)
# run: exchanged(random(40), random(40), random(40) > 0.2, 6)
# run: exchanged(random(40), random(40), zeros(40, dtype=bool), 6)
# run: exchanged(random(40), random(40), ones(40, dtype=bool), 6)
def exchanged(x, y, m, n):
    """What was chosen takes the place of what it was chosen from, under the other name."""
    for k in range(n):
        x, y = y[m], x[m]
        m = m[m]
        if len(m) > 1:
            m[k % len(m)] = False
    return x, y


#numptx export read_between(float64[:], float64[:], bool[:])
# run: read_between(random(40), random(40), random(40) > 0.5)
# run: read_between(random(40), random(40), zeros(40, dtype=bool))
# run: x = random(40); read_between(x, x, random(40) > 0.5)
# run: x = random(41); read_between(x[1:], x[:-1], random(40) > 0.5)
def read_between(x, y, m):
    """The second array is written by what the first one gave."""
    a = x[m]
    y[0] = a.sum()
    b = y[m]
    return a, b


#numptx export written_between(float64[:], float64[:], bool[:])
# run: written_between(random(40), random(40), random(40) > 0.5)
# run: x = random(40); written_between(x, x, random(40) > 0.5)
# run: x = random(41); written_between(x[1:], x[:-1], random(40) > 0.5)
def written_between(x, y, m):
    """What the first one was made of changes before the second one is made."""
    a = x[m]
    x[:] = y + 1.0
    b = y[m]
    return a, b


#numptx export changed_between(float64[:], bool[:])
# run: changed_between(random(40), random(40) > 0.5)
# run: changed_between(random(40), ones(40, dtype=bool))
def changed_between(x, m):
    """A mask and its opposite, and one that was written."""
    a, b = x[m], x[~m]
    m[:3] = True
    return a, b, x[m], x[~m]


#numptx export found(bool[:,:], float64[:,:])
# run: found(random((6, 7)) > 0.5, random((6, 7)))
# run: found(zeros((6, 7), dtype=bool), random((6, 7)))
# run: found(ones((6, 7), dtype=bool).T[::-1], random((7, 6)))
# run: found((random((6, 14)) > 0.5)[:, ::-2], random((6, 7)))
def found(m, x):
    i, j = np.nonzero(m)
    return i, j, x[m]
