"""Compressed rows of triplets in any order, where those of one place are summed."""

import numpy as np


#numptx export compressed((int,int,float) list, int)
# run: compressed([(1, 0, 2.0), (0, 1, 1.0), (1, 0, 0.5), (2, 2, -1.0)], 3)
# run: compressed([], 2)
# run: compressed([(0, 0, 1.0), (0, 0, -1.0)], 1)
# run: compressed([(4, 0, 1.0)], 2)
def compressed(triplets, n):
    sums = {}
    for i, j, v in triplets:
        sums[i, j] = sums.get((i, j), 0.0) + v
    starts = [0] * (n + 1)
    for i, _ in sums:
        starts[i + 1] += 1
    for i in range(n):
        starts[i + 1] += starts[i]
    indices, data = [0] * len(sums), [0.0] * len(sums)
    for k, place in enumerate(sorted(sums)):
        indices[k] = place[1]
        data[k] = sums[place]
    return starts, indices, data


#numptx export row_sums(int list, float list)
# run: row_sums([0, 2, 2, 3], [1.0, 2.0, 4.0])
# run: row_sums([0], [])
# run: row_sums([0, 1], [float("nan")])
def row_sums(starts, data):
    sums = np.zeros(len(starts) - 1)
    for i in range(len(starts) - 1):
        sums[i] = sum(data[starts[i] : starts[i + 1]])
    return sums


#numptx export transposed(int64[:], int64[:], float64[:], int)
# run: transposed(array([0, 2, 3]), array([0, 2, 1]), array([1.0, 2.0, 3.0]), 3)
# run: transposed(array([0]), array([], dtype=int64), array([]), 2)
# run: transposed(array([0, 1]), array([0]), array([-inf]), 1)
def transposed(starts, indices, data, n_columns):
    columns = [[] for _ in range(n_columns)]
    for i in range(len(starts) - 1):
        for k in range(starts[i], starts[i + 1]):
            columns[indices[k]].append((i, float(data[k])))
    new_starts = [0]
    new_indices = []
    new_data = []
    for column in columns:
        for i, v in column:
            new_indices.append(i)
            new_data.append(v)
        new_starts.append(len(new_indices))
    return new_starts, new_indices, new_data
