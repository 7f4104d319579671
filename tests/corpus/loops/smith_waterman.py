"""Smith and Waterman's scores of local alignments of two sequences: row by row, and along antidiagonals."""

import numpy as np


#numptx export smith_waterman(uint8[:], uint8[:], int, int, int)
# run: smith_waterman(integers(0, 4, 5, dtype=uint8), integers(0, 4, 4, dtype=uint8), 3, -3, -2)
# run: smith_waterman(integers(0, 4, 17, dtype=uint8), integers(0, 4, 23, dtype=uint8), 3, -3, -2)
# run: smith_waterman(integers(0, 4, 70, dtype=uint8), integers(0, 4, 60, dtype=uint8), 2, -1, -1)
# run: smith_waterman(zeros(0, dtype=uint8), integers(0, 4, 4, dtype=uint8), 3, -3, -2)
# large: smith_waterman(integers(0, 4, 1300, dtype=uint8), integers(0, 4, 1100, dtype=uint8), 3, -3, -2)
def smith_waterman(a, b, match, mismatch, gap):
    score = np.zeros((a.size + 1, b.size + 1), dtype=np.int64)
    best = 0
    for i in range(1, a.size + 1):
        for j in range(1, b.size + 1):
            if a[i - 1] == b[j - 1]:
                diagonal = score[i - 1, j - 1] + match
            else:
                diagonal = score[i - 1, j - 1] + mismatch
            score[i, j] = max(0, diagonal, score[i - 1, j] + gap, score[i, j - 1] + gap)
            if score[i, j] > best:
                best = score[i, j]
    return int(best), score


#numptx export smith_waterman_diagonals(uint8[:], uint8[:], int32, int32, int32)
# run: smith_waterman_diagonals(integers(0, 4, 5, dtype=uint8), integers(0, 4, 4, dtype=uint8), 3, -3, -2)
# run: smith_waterman_diagonals(integers(0, 4, 17, dtype=uint8), integers(0, 4, 23, dtype=uint8), 3, -3, -2)
# run: smith_waterman_diagonals(integers(0, 4, 70, dtype=uint8), integers(0, 4, 60, dtype=uint8), 2, -1, -1)
# large: smith_waterman_diagonals(integers(0, 4, 1300, dtype=uint8), integers(0, 4, 1100, dtype=uint8), 3, -3, -2)
def smith_waterman_diagonals(a, b, match, mismatch, gap):
    n, m = a.size, b.size
    score = np.zeros((n + 1, m + 1), dtype=np.int32)
    for diagonal in range(2, n + m + 1):
        for i in range(max(1, diagonal - m), min(n, diagonal - 1) + 1):
            j = diagonal - i
            gain = match if a[i - 1] == b[j - 1] else mismatch
            best = max(score[i - 1, j] + gap, score[i, j - 1] + gap)
            best = max(best, score[i - 1, j - 1] + gain)
            score[i, j] = max(best, 0)
    return score.max()
