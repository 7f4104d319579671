"""Sweeps over tables, one after the other, each element of which sees some as they are now: points of many sweeps run together on a device."""

import numpy as np


#numptx export five_points(int, float64[:,:], float64[:,:])
# run: five_points(3, random((9, 12)), random((9, 12)))
# structure: launches==1 allocs=0 copies=0
# run: five_points(40, random((7, 5)), random((7, 5)))
# run: five_points(1, random((21, 30)), random((21, 30)))
# run: five_points(0, random((9, 12)), random((9, 12)))
# run: five_points(2, random((3, 3)), random((3, 3)))
# run: five_points(3, random((2, 4)), random((2, 4)))
# run: five_points(2, zeros((0, 0)), zeros((0, 0)))
# run: five_points(2, random((1, 5)), random((1, 5)))
# run: five_points(2, full((5, 6), nan), random((5, 6)))
# run: five_points(3, tile([inf, 1.0, -inf, nan], (6, 2)), random((6, 8)))
def five_points(steps, u, f):
    n, m = u.shape
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - f[i, j])


#numptx export over_relaxed(int, float, float32[:,:])
# run: over_relaxed(5, 1.5, random((10, 11), float32))
# structure: launches==1 allocs=0 copies=0
# run: over_relaxed(3, 1.9, random((4, 3), float32))
# run: over_relaxed(3, nan, random((4, 4), float32))
def over_relaxed(steps, w, u):
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                around = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]
                u[i, j] += np.float32(w) * (np.float32(0.25) * around - u[i, j])


# Every second sweep goes the other way, in one iteration: each sweep has wavefronts of its own.
#numptx export there_and_back(int, float64[:,:])
# run: there_and_back(3, random((8, 9)))
# structure: launches=6 allocs=0 copies=0
# run: there_and_back(0, random((8, 9)))
# run: there_and_back(2, random((3, 2)))
def there_and_back(steps, u):
    n, m = u.shape
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                u[i, j] = (u[i - 1, j] + u[i, j - 1] + u[i + 1, j]) / 3.0
        for i in range(n - 2, 0, -1):
            for j in range(m - 2, 0, -1):
                u[i, j] = (u[i - 1, j] + u[i, j - 1] + u[i + 1, j]) / 3.0


#numptx export backwards(int, float64[:,:])
# run: backwards(4, random((8, 9)))
# structure: launches==1 allocs=0 copies=0
# run: backwards(2, random((3, 4)))
# run: backwards(7, random((5, 40)))
def backwards(steps, u):
    n, m = u.shape
    for _ in range(steps, 0, -1):
        for i in range(n - 2, 0, -1):
            for j in range(m - 2, 0, -1):
                u[i, j] = (u[i - 1, j] + u[i, j - 1] + u[i + 1, j] + u[i, j + 1]) / 4.0


#numptx export line(int, float64[:])
# run: line(5, random(20))
# structure: launches==1 allocs=0 copies=0
# run: line(3, random(3))
# run: line(3, random(2))
# run: line(9, random(6))
# run: line(0, random(6))
def line(steps, x):
    for _ in range(steps):
        for i in range(1, len(x) - 1):
            x[i] = (x[i - 1] + x[i + 1]) / 2.0


#numptx export through_space(int, float64[:,:,:])
# run: through_space(3, random((6, 5, 7)))
# structure: launches==1 allocs=0 copies=0
# run: through_space(5, random((3, 4, 3)))
# run: through_space(2, random((2, 4, 3)))
# run: through_space(2, random((5, 4, 2)))
# run: through_space(0, random((5, 4, 4)))
def through_space(steps, u):
    n, m, l = u.shape
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                for k in range(1, l - 1):
                    u[i, j, k] = (
                        u[i - 1, j, k] + u[i, j - 1, k] + u[i, j, k - 1] + u[i + 1, j, k] + u[i, j + 1, k] + u[i, j, k + 1]
                    ) / 6.0


# A row that is stored as a whole, and elements of it that follow: one thread does both where they have one range.
#numptx export rows_and_elements(int, int, float64[:,:])
# run: rows_and_elements(4, 9, random((9, 9)))
# structure: allocs=0
# run: rows_and_elements(2, 5, random((9, 9)))
# run: rows_and_elements(3, 4, random((4, 4)))
# run: rows_and_elements(3, 3, random((3, 3)))
# run: rows_and_elements(3, 2, random((2, 2)))
# run: rows_and_elements(3, 0, random((2, 2)))
# run: rows_and_elements(3, 7, random((7, 9)))
# run: rows_and_elements(3, 9, random((9, 7)))
def rows_and_elements(steps, n, u):
    for t in range(0, steps - 1):
        for i in range(1, n - 1):
            u[i, 1:-1] += u[i - 1, :-2] + u[i - 1, 1:-1] + u[i - 1, 2:] + u[i, 2:] + u[i + 1, :-2]
            for j in range(1, n - 1):
                u[i, j] += u[i, j - 1]
                u[i, j] /= 7.0


# A sweep that reads what the end of the one before wrote waits for all of it.
#numptx export mirrored(int, int64[:,:])
# run: mirrored(3, integers(-50, 50, (7, 7)))
# run: mirrored(2, integers(-50, 50, (1, 3)))
def mirrored(steps, u):
    n = u.shape[0]
    for _ in range(steps):
        for i in range(1, n):
            for j in range(1, u.shape[1]):
                u[i, j] += u[i - 1, j] ^ u[i, j - 1] ^ u[n - 1 - i, j]


# Triangles: the range of one loop is that of the one around.
#numptx export triangles(int, int64[:,:])
# run: triangles(4, integers(-50, 50, (9, 9)))
# run: triangles(2, integers(-50, 50, (2, 2)))
# run: triangles(30, integers(-50, 50, (4, 4)))
def triangles(steps, u):
    n = u.shape[0]
    for t in range(steps):
        for i in range(1, n - 1):
            for j in range(i, n - 1):
                u[i, j] = (u[i - 1, j] ^ u[i, j - 1]) + u[i, j + 1] * 3 + u[i + 1, j]


# Where a condition on data decides, points of a front decide each for itself; where indices may be out of range, all runs as written.
#numptx export with_walls(int, float64[:,:], bool[:,:])
# run: with_walls(4, random((9, 8)), random((9, 8)) > 0.3)
# structure: launches==1
# run: with_walls(4, random((9, 8)), random((3, 8)) > 0.3)
def with_walls(steps, u, walls):
    for _ in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                if not walls[i, j]:
                    u[i, j] = (u[i - 1, j] + u[i, j - 1] + u[i + 1, j] + u[i, j + 1]) * 0.25


# Two colours: neighbours of one colour do not meet.
#numptx export two_colours(int, float64[:,:])
# run: two_colours(3, random((8, 9)))
# run: two_colours(2, random((3, 3)))
def two_colours(steps, u):
    for _ in range(steps):
        for colour in range(2):
            for i in range(1, u.shape[0] - 1):
                for j in range(1 + (i + colour) % 2, u.shape[1] - 1, 2):
                    u[i, j] = (u[i - 1, j] + u[i, j - 1] + u[i + 1, j] + u[i, j + 1]) * 0.25
