"""Shortest paths in a grid of free and blocked cells: a queue of cells, and where each was reached from."""

import numpy as np


#numptx export steps_to_cells(int64[:,:], int, int)
# run: steps_to_cells(array([[0, 0, 1], [1, 0, 0], [0, 0, 0]]), 0, 0)
# run: steps_to_cells(zeros((1, 1), dtype=int64), 0, 0)
# run: steps_to_cells(ones((2, 3), dtype=int64), 1, 2)
# run: steps_to_cells(zeros((2, 2), dtype=int64), 5, 0)
def steps_to_cells(blocked, row, column):
    n, m = blocked.shape
    steps = np.full((n, m), -1)
    steps[row, column] = 0
    queue = [(row, column)]
    while queue:
        r, c = queue.pop(0)
        for dr, dc in [(-1, 0), (1, 0), (0, -1), (0, 1)]:
            a, b = r + dr, c + dc
            if 0 <= a < n and 0 <= b < m and blocked[a, b] == 0 and steps[a, b] < 0:
                steps[a, b] = steps[r, c] + 1
                queue.append((a, b))
    return steps


#numptx export path_between((int,int) set, (int,int), (int,int))
# run: path_between({(0, 0), (0, 1), (1, 1), (2, 1), (2, 2), (0, 2)}, (0, 0), (2, 2))
# run: path_between({(0, 0), (5, 5)}, (0, 0), (5, 5))
# run: path_between({(-1, -1)}, (-1, -1), (-1, -1))
def path_between(free, start, goal):
    came_from = {start: start}
    queue = [start]
    head = 0
    while head < len(queue):
        cell = queue[head]
        head += 1
        if cell == goal:
            break
        r, c = cell
        for neighbour in ((r + 1, c), (r, c + 1), (r - 1, c), (r, c - 1)):
            if neighbour in free and neighbour not in came_from:
                came_from[neighbour] = cell
                queue.append(neighbour)
    if goal not in came_from:
        return []
    path = [goal]
    while path[-1] != start:
        path.append(came_from[path[-1]])
    path.reverse()
    return path
