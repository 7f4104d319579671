"""Nussinov's algorithm: the most pairs of bases in a folded strand of RNA, and the table behind it."""

import numpy as np


def pairs(a, b):
    return 1 if a + b == 3 else 0


#numptx export nussinov(uint8[:])
# run: nussinov(integers(0, 4, 5, dtype=uint8))
# run: nussinov(integers(0, 4, 17, dtype=uint8))
# structure: launches==2
# run: nussinov(integers(0, 4, 32, dtype=uint8))
# run: nussinov(integers(0, 4, 1, dtype=uint8))
# large: nussinov(integers(0, 4, 260, dtype=uint8))
def nussinov(strand):
    n = len(strand)
    table = np.zeros((n, n), dtype=np.int32)
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            best = max(table[i, j - 1], table[i + 1, j])
            if j - i > 1:
                best = max(best, table[i + 1, j - 1] + pairs(strand[i], strand[j]))
            else:
                best = max(best, table[i + 1, j - 1])
            for k in range(i + 1, j):
                best = max(best, table[i, k] + table[k + 1, j])
            table[i, j] = best
    return table


#numptx export nussinov_in_place(int[:])
# run: nussinov_in_place(integers(0, 4, 5))
# run: nussinov_in_place(integers(0, 4, 17))
# run: nussinov_in_place(integers(0, 4, 30))
# large: nussinov_in_place(integers(0, 4, 260))
def nussinov_in_place(strand):
    n = strand.shape[0]
    table = np.zeros((n, n), np.int64)
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            if j - 1 >= 0:
                table[i, j] = max(table[i, j], table[i, j - 1])
            if i + 1 < n:
                table[i, j] = max(table[i, j], table[i + 1, j])
            if j - 1 >= 0 and i + 1 < n:
                gain = pairs(strand[i], strand[j]) if i < j - 1 else 0
                table[i, j] = max(table[i, j], table[i + 1, j - 1] + gain)
            for k in range(i + 1, j):
                table[i, j] = max(table[i, j], table[i, k] + table[k + 1, j])
    return table[0, n - 1], table
