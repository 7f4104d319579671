"""Conway's game of life on a torus: neighbours counted cell by cell, and with shifted fields."""

import numpy as np


#numptx export game_of_life(uint8[:,:], int)
# run: game_of_life(integers(0, 2, (4, 5), dtype=uint8), 2)
# run: game_of_life(integers(0, 2, (11, 13), dtype=uint8), 3)
# run: game_of_life(integers(0, 2, (30, 26), dtype=uint8), 3)
# run: game_of_life(integers(0, 2, (1, 1), dtype=uint8), 1)
# large: game_of_life(integers(0, 2, (400, 500), dtype=uint8), 4)
def game_of_life(cells, steps):
    n, m = cells.shape
    for _ in range(steps):
        after = np.zeros_like(cells)
        for i in range(n):
            for j in range(m):
                count = 0
                for di in range(-1, 2):
                    for dj in range(-1, 2):
                        if di != 0 or dj != 0:
                            count += int(cells[(i + di) % n, (j + dj) % m])
                if count == 3 or (count == 2 and cells[i, j] == 1):
                    after[i, j] = 1
        cells = after
    return cells


#numptx export game_of_life_inside(int32[:,:], int)
# run: game_of_life_inside(integers(0, 2, (4, 5), dtype=int32), 2)
# run: game_of_life_inside(integers(0, 2, (11, 13), dtype=int32), 3)
# run: game_of_life_inside(integers(0, 2, (40, 36), dtype=int32), 3)
# large: game_of_life_inside(integers(0, 2, (400, 500), dtype=int32), 4)
def game_of_life_inside(cells, steps):
    for _ in range(steps):
        before = cells.copy()
        for i in range(1, cells.shape[0] - 1):
            for j in range(1, cells.shape[1] - 1):
                count = np.sum(before[i - 1 : i + 2, j - 1 : j + 2]) - before[i, j]
                if before[i, j]:
                    if count < 2 or count > 3:
                        cells[i, j] = 0
                elif count == 3:
                    cells[i, j] = 1


#numptx export game_of_life_rolled(bool[:,:], int)
# run: game_of_life_rolled(integers(0, 2, (4, 5)) == 1, 2)
# run: game_of_life_rolled(integers(0, 2, (11, 13)) == 1, 3)
# run: game_of_life_rolled(integers(0, 2, (60, 70)) == 1, 10)
# large: game_of_life_rolled(integers(0, 2, (2000, 1500)) == 1, 20)
# bench: game_of_life_rolled(integers(0, 2, (2048, 2048)) == 1, 20)
def game_of_life_rolled(cells, steps):
    for _ in range(steps):
        count = np.zeros(cells.shape, dtype=np.int8)
        for di in (-1, 0, 1):
            for dj in (-1, 0, 1):
                if (di, dj) != (0, 0):
                    count += np.roll(np.roll(cells, di, axis=0), dj, axis=1)
        cells = (count == 3) | (cells & (count == 2))
    return cells
