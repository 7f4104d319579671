"""Loops that combine values with about as many elements as they have iterations: sparse matrices, particles, embeddings, pooling, edges of graphs."""

import numpy as np


#numptx export coordinates(int64[:], int32[:], float64[:], float64[:], float64[:])
# run: coordinates(integers(0, 2500, 3000), integers(0, 2500, 3000, dtype=int32), random(3000), random(2500), zeros(2500))
# run: coordinates(integers(-2500, 0, 3001), integers(0, 2500, 3001, dtype=int32), random(3001), random(2500), random(5000)[::-2])
# run: coordinates(integers(0, 90000, 3000), integers(0, 2500, 3000, dtype=int32), random(3000), random(2500), zeros(90000))
# run: coordinates(where(arange(3000) == 2999, 2500, 3), integers(0, 9, 3000, dtype=int32), random(3000), random(9), zeros(2500))
# run: coordinates(zeros(0, dtype=int64), zeros(0, dtype=int32), zeros(0), random(9), random(9))
# run: y = random(2500); coordinates(integers(0, 2500, 3000), integers(0, 2500, 3000, dtype=int32), random(3000), y, y)
# tolerance: 1e-13
def coordinates(row, col, values, x, y):
    for e in range(values.shape[0]):
        y[row[e]] += values[e] * x[col[e]]


#numptx export degrees(int64[:,:], int32[:])
# run: degrees(integers(0, 4000, (5000, 2)), zeros(4000, dtype=int32))
# run: degrees(integers(-4000, 4000, (5000, 2))[::-1, ::-1], full(4000, 2**31 - 2, dtype=int32))
# run: degrees(integers(0, 4000, (3, 2)), zeros(4000, dtype=int32))
# run: degrees(where(arange(10000).reshape(5000, 2) == 9998, 4000, 7), zeros(4000, dtype=int32))
def degrees(edges, degree):
    for e in range(edges.shape[0]):
        degree[edges[e, 0]] += 1
        degree[edges[e, 1]] += 1


#numptx export forces(int64[:,:], float64[:,:], float64[:,:])
# run: forces(integers(0, 700, (900, 2)), random((700, 3)), zeros((700, 3)))
# run: forces(integers(0, 700, (901, 2)), random((3, 700)).T, random((1400, 3))[::-2, ::-1])
# run: forces(integers(0, 7, (2, 2)), random((7, 3)), zeros((7, 3)))
# run: forces(integers(0, 700, (900, 2)), random((700, 3)), zeros((700, 2)))
# tolerance: 1e-13
def forces(pairs, x, f):
    for k in range(pairs.shape[0]):
        i = pairs[k, 0]
        j = pairs[k, 1]
        for d in range(3):
            t = x[i, d] - x[j, d]
            f[i, d] -= t
            f[j, d] += t


#numptx export embedding_gradient(int64[:,:], float32[:,:,:], float32[:,:])
# run: embedding_gradient(integers(0, 50, (30, 20)), random((30, 20, 7), float32), zeros((50, 7), dtype=float32))
# run: embedding_gradient(integers(-50, 50, (2, 1000)), random((2, 1000, 3), float32)[:, ::-1], random((3, 50), float32).T)
# run: embedding_gradient(integers(0, 50, (3, 1)), random((3, 1, 40), float32), zeros((50, 40), dtype=float32))
# run: embedding_gradient(integers(0, 51, (30, 20)), random((30, 20, 7), float32), zeros((50, 7), dtype=float32))
# run: embedding_gradient(integers(0, 50, (30, 20)), random((30, 20, 0), float32), zeros((50, 7), dtype=float32))
# tolerance: 1e-5
def embedding_gradient(tokens, gradient, table):
    for b in range(tokens.shape[0]):
        for t in range(tokens.shape[1]):
            for j in range(gradient.shape[2]):
                table[tokens[b, t], j] += gradient[b, t, j]


#numptx export rows_of_embeddings(int64[:], float64[:,:], float64[:,:])
# run: rows_of_embeddings(integers(0, 300, 600), random((600, 5)), zeros((300, 5)))
# run: rows_of_embeddings(integers(0, 300, 600), random((600, 1)), zeros((300, 5)))
# run: rows_of_embeddings(integers(0, 300, 600), random((600, 2)), zeros((300, 5)))
# run: rows_of_embeddings(where(arange(600) == 599, 300, 3), random((600, 5)), zeros((300, 5)))
# run: rows_of_embeddings(where(arange(600) == 599, -301, 3), zeros((600, 0)), zeros((300, 0)))
# tolerance: 1e-13
def rows_of_embeddings(tokens, gradient, table):
    for i in range(tokens.shape[0]):
        table[tokens[i]] += gradient[i]


#numptx export blocks(int64[:], float64[:,:,:], float64[:,:,:])
# run: blocks(integers(0, 30, 100), random((100, 4, 5)), zeros((30, 4, 5)))
# run: blocks(integers(0, 30, 1000), random((1000, 4, 5))[:, ::-1], random((30, 5, 4)).transpose(0, 2, 1))
# run: blocks(integers(0, 30, 100), random((100, 4, 5)), zeros((30, 4, 4)))
# tolerance: 1e-13
def blocks(at, values, out):
    for e in range(at.shape[0]):
        for i in range(values.shape[1]):
            for j in range(values.shape[2]):
                out[at[e], i, j] += values[e, i, j]


#numptx export pooled(float64[:,:], float64[:,:])
# run: pooled(random((64, 66)), zeros((32, 33)))
# run: pooled(random((65, 67)), random((33, 34)))
# run: pooled(random((3, 3)), zeros((2, 1)))
# run: pooled(random((0, 3)), zeros((2, 1)))
# tolerance: 1e-13
def pooled(x, y):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            y[i // 2, j // 2] += x[i, j]


#numptx export deposited(float64[:], float64[:], float64)
# run: deposited(random(3000), zeros(2002), 0.0005)
# run: deposited(random(3000) - 0.25, random(2002), 0.0005)
# run: deposited(random(3000), zeros(1500), 0.0005)
# tolerance: 1e-12
def deposited(x, density, width):
    for p in range(x.shape[0]):
        cell = int(x[p] / width)
        part = x[p] / width - cell
        density[cell] += 1.0 - part
        density[cell + 1] += part


#numptx export transposed(int64[:], int64[:], float64[:], float64[:], float64[:])
# run: transposed(arange(0, 8001, 4), integers(0, 2000, 8000), random(8000), random(2000), zeros(2000))
# run: transposed(sort(integers(0, 8000, 2001)), integers(0, 2000, 8000), random(8000), random(2000), zeros(2000))
# run: transposed(arange(0, 8001, 4), integers(0, 2001, 8000), random(8000), random(2000), zeros(2000))
# tolerance: 1e-13
def transposed(starts, col, values, x, y):
    for i in range(starts.shape[0] - 1):
        for p in range(starts[i], starts[i + 1]):
            y[col[p]] += values[p] * x[i]


#numptx export most_of_neighbours(int64[:,:], float64[:], float64[:], int64[:])
# run: most_of_neighbours(integers(0, 900, (1000, 2)), random(900), random(900), integers(0, 9, 900))
# run: most_of_neighbours(integers(0, 900, (1000, 2)), where(arange(900) == 3, nan, 1.0), full(900, -inf), integers(0, 9, 900))
def most_of_neighbours(edges, x, most, flags):
    for e in range(edges.shape[0]):
        most[edges[e, 1]] = max(most[edges[e, 1]], x[edges[e, 0]])
        flags[edges[e, 1]] |= edges[e, 0]
