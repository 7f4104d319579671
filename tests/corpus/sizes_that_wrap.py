"""More elements than can be counted are errors, and no other number of elements; nothing is allocated or run for them."""

import numpy as np


#numptx export of_ones(int, int)
# run: of_ones(2**32, 2**32)
# run: of_ones(2**31, 2**33 + 1)
# run: of_ones(2**63 - 1, 2**63 - 1)
# run: of_ones(2**40, 2**23)
# run: of_ones(2**20, 2**40)
# run: of_ones(0, 2**40)
# run: of_ones(3, 4)
# structure: launches=1
def of_ones(n, m):
    return np.ones((n, m)).sum()


#numptx export of_others(int, int)
# run: of_others(2**32, 2**32)
# run: of_others(3, 4)
def of_others(n, m):
    return np.full((n, m), 3).sum(), np.zeros((n, m, 2)).mean(), np.empty((n, m)).shape


#numptx export of_diagonals(int, int)
# run: of_diagonals(2**32, 2**32)
# run: of_diagonals(3, 4)
def of_diagonals(n, m):
    return np.eye(n, m).sum(), np.tri(n, m).sum(), np.indices((n, m)).max()


#numptx export of_rows(int)
# run: of_rows(2**50)
# run: of_rows(3)
def of_rows(n):
    return np.ones((n, 2**20)).sum()


#numptx export known_ones(int)
# run: known_ones(1)
# run: known_ones(0)
def known_ones(n):
    if n % 2 == 1:
        return np.ones((2**32, 2**32)).sum()
    return np.ones((2, 2)).sum()


#numptx export one_element(int, int, int)
# run: one_element(2**32, 2**32, 1)
# run: one_element(3, 4, 1)
def one_element(n, m, i):
    return np.ones((n, m))[i, i]


#numptx export broadcast(float64[:], int, int)
# run: broadcast(random(1), 2**32, 2**32)
# run: broadcast(random(1), 3, 4)
def broadcast(x, n, m):
    return np.broadcast_to(x, (n, m)).shape


#numptx export of_pairs(float64[:], int)
# run: of_pairs(random(1), 2**32)
# run: of_pairs(random(1), 3)
def of_pairs(x, n):
    y = np.broadcast_to(x, n)
    return np.any(y[:, None] > y)


#numptx export no_pairs(float64[:], int)
# run: no_pairs(random(1), 0)
# run: no_pairs(random(1), 3)
def no_pairs(x, n):
    y = np.broadcast_to(x, n)
    return (y[:, None] * y).max()
