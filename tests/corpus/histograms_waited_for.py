"""What histograms wait for: the ends of their range, unless these are given, and the number of bins where data decide it."""
import numpy as np


#numptx export of_all(float64[:], int)
# run: of_all(random(200), 10)
# structure: launches=5 syncs=1
# run: of_all(random(0), 10)
# run: of_all(array([3.0]), 10)
# run: of_all(array([3.0, nan]), 10)
def of_all(x, n):
    return np.histogram(x, bins=n)


#numptx export in_range(float64[:], float64, float64)
#numptx export in_range(float32[:], float64, float64)
#numptx export in_range(int64[:], float64, float64)
# run: in_range(random(200), 0.25, 0.75)
# structure: launches=4 syncs=0
# run: in_range(random(200), 0.5, 0.5)
# run: in_range(random(0), 0.25, 0.75)
# run: in_range(array([nan, inf, -inf, 0.0, 1.0, -0.5, 2.0, 1e300, 0.1]), 0.0, 1.0)
# run: in_range(array([nan, inf, -inf, 0.0, 1.0, -0.5, 2.0, 1e38, 0.1], dtype=float32), 0.0, 1.0)
# run: in_range(array([-2**63, 2**63 - 1, 3, 0, 7, 8, -1]), 0.0, 7.0)
# run: in_range(array([0, 1, 2, 3, 4, 5, 6, 7]), 5.0, -1.0)
def in_range(x, low, high):
    return np.histogram(x, bins=7, range=(low, high))


#numptx export weighed(float64[:], float64[:], int64[:])
# run: weighed(random(200), random(200), integers(-9, 9, 200))
# structure: syncs=0
# run: weighed(random(20), random(20), integers(-9, 9, 20))
# structure: syncs=0
# run: weighed(array([nan, inf, 0.0, 1.0, -0.5, 2.0]), array([nan, inf, 1.0, 2.0, nan, inf]), arange(6))
# run: weighed(random(20), random(21), integers(-9, 9, 20))
# run: weighed(random(0), random(0), integers(-9, 9, 0))
def weighed(x, w, n):
    return np.histogram(x, 6, (0.25, 0.75), weights=w), np.histogram(x, 6, (0.0, 1.0), weights=n, density=True)[0]


#numptx export counted(int64[:], int)
#numptx export counted(uint8[:], int)
# run: counted(integers(0, 9, 50), 0)
# structure: launches=3 syncs=1
# run: counted(integers(0, 9, 50), 20)
# run: counted(integers(0, 9, 50, dtype=uint8), 4)
# run: counted(integers(0, 9, 0), 3)
# run: counted(array([2, -1, 3]), 3)
def counted(x, n):
    return np.bincount(x, minlength=n)


#numptx export summed(int64[:], float64[:])
# run: summed(integers(0, 9, 50), random(50))
# structure: launches=4 syncs=1
# run: summed(integers(0, 9, 500), random(500))
# structure: syncs=1
# run: summed(array([2, -1, 3]), random(3))
# run: summed(array([2, 1, 3]), random(4))
def summed(x, w):
    return np.bincount(x, w)
