"""Lists of lists: transposed, flattened, chosen from, summed with `zip`, `map` and `filter`."""

import numpy as np


#numptx export transposed(int list list)
# run: transposed([[1, 2, 3], [4, 5, 6]])
# run: transposed([])
# run: transposed([[1], [-2]])
# run: transposed([[1, 2], [3]])
def transposed(rows):
    columns = []
    while rows and len(columns) < len(rows[0]):
        column = []
        for row in rows:
            column.append(row[len(columns)])
        columns.append(column)
    return columns


#numptx export flattened(float list list)
# run: flattened([[1.0], [], [2.0, float("nan")]])
# run: flattened([])
# run: flattened([[], []])
def flattened(rows):
    flat = [x for row in rows for x in row]
    sizes = list(map(len, rows))
    filled = list(filter(lambda row: len(row) > 0, rows))
    return flat, sizes, filled, sum(sizes)


#numptx export pascal(int)
# run: pascal(5)
# run: pascal(1)
# run: pascal(0)
def pascal(n):
    rows = [[1]]
    for i in range(1, n):
        previous = rows[-1]
        rows.append([1] + [a + b for a, b in zip(previous, previous[1:])] + [1])
    return rows


#numptx export of_both(float list, int list)
# run: of_both([1.0, 2.0, -3.0], [3, 4])
# run: of_both([], [])
# run: of_both([0.5], [7, 8])
def of_both(a, b):
    products = [x * y for x, y in zip(a, b)]
    out = {}
    for i, (u, v) in enumerate(zip(a, b)):
        out[v] = u * i
    keys = [k for k in out]
    values = [out[k] for k in reversed(keys)]
    return products, out, values, any(v > 1 for v in values), all([v > -1 for v in values]), max(products, default=0.0)


#numptx export matrix_product(float list list, float list list)
# run: matrix_product([[1.0, 2.0], [3.0, 4.0]], [[0.0, 1.0], [1.0, 0.0]])
# run: matrix_product([[2.0]], [[float("inf")]])
# run: matrix_product([[1.0, 2.0]], [[1.0]])
def matrix_product(a, b):
    if len(a[0]) != len(b):
        raise ValueError(f"{len(a)}x{len(a[0])} times {len(b)}x{len(b[0])}")
    out = []
    for row in a:
        new = [0.0] * len(b[0])
        for k, x in enumerate(row):
            for j in range(len(new)):
                new[j] += x * b[k][j]
        out += [new]
    return out


#numptx export generations((int,int) set, int)
# run: generations({(0, 1), (1, 1), (2, 1)}, 1)
# run: generations(set(), 3)
# run: generations({(5, -5)}, 1)
def generations(alive, steps):
    for _ in range(steps):
        counts = {}
        for r, c in alive:
            for dr in (-1, 0, 1):
                for dc in (-1, 0, 1):
                    if dr or dc:
                        counts[r + dr, c + dc] = counts.get((r + dr, c + dc), 0) + 1
        alive = {cell for cell, n in counts.items() if n == 3 or (n == 2 and cell in alive)}
    return sorted(alive)


#numptx export array_of_rows(int list list)
# run: array_of_rows([[1, 2], [3, 4], [5, 6]])
# run: array_of_rows([[7]])
# run: array_of_rows([[1, 2], [3]])
def array_of_rows(rows):
    return np.array(rows)


#numptx export maxima(float64[:,:], float)
# run: maxima(random((6, 5)), 0.5)
# run: maxima(array([[0.0, 0.0, 0.0], [0.0, 9.0, 0.0], [0.0, 0.0, 0.0]]), 1.0)
# run: maxima(array([[nan, 1.0, 0.0], [0.0, 9.0, 0.0], [0.0, inf, 0.0], [0.0, 1.0, 0.0]]), 1.0)
def maxima(x, limit):
    places = []
    for i in range(1, x.shape[0] - 1):
        for j in range(1, x.shape[1] - 1):
            if x[i, j] > limit:
                places.append([i, j])
    places.append([0, 0])
    return np.array(places)


#numptx export cube(int, int)
# run: cube(2, 3)
# run: cube(1, 1)
# run: cube(3, 0)
def cube(n, m):
    layers = []
    for i in range(n):
        rows = []
        for j in range(m):
            rows.append([float(i), float(j), 0.5])
        rows.append([-0.0, 1.0, 2.0])
        layers.append(rows)
    return np.array(layers)
