"""Arrays in lists: rows that are kept, blocks that are joined, kernels over both."""

import numpy as np


#numptx export blocks(float64[:], int)
# run: blocks(arange(7.0), 3)
# run: blocks(arange(2.0)[::-1], 5)
# run: blocks(array([inf, nan, 1.0]), 1)
def blocks(x, k):
    parts = []
    for i in range(0, len(x), k):
        parts.append(x[i : i + k] * 2)
    lengths = [len(p) for p in parts]
    peaks = [float(p.max()) for p in parts]
    return parts, lengths, peaks


#numptx export strongest_rows(float64[:,:], int)
# run: strongest_rows(arange(12.0).reshape(3, 4), 2)
# run: strongest_rows(zeros((0, 4)), 1)
# run: strongest_rows(-ones((2, 2)).T, 5)
def strongest_rows(x, k):
    norms = []
    for row in x:
        norms.append(float(np.sqrt(np.sum(row * row))))
    order = sorted(range(len(norms)), key=lambda i: -norms[i])
    y = x * 2.0
    for i in order[:k]:
        y[i] += norms[i]
    return y, order, np.array(norms, dtype=np.float64)


#numptx export snapshots(float64[:], int, int)
# run: snapshots(array([0.0, 0.0, 1.0, 0.0, 0.0]), 4, 2)
# run: snapshots(array([1.0]), 2, 1)
# run: snapshots(array([1.0, 2.0, 3.0]), 0, 1)
def snapshots(u, steps, every):
    u = u.copy()
    kept = [u.copy()]
    for step in range(1, steps + 1):
        v = u.copy()
        v[1:-1] = u[1:-1] + 0.25 * (u[2:] - 2 * u[1:-1] + u[:-2])
        u = v
        if step % every == 0:
            kept.append(u.copy())
    return kept, len(kept)


#numptx export by_name(float64[:], float64[:])
# run: by_name(arange(3.0), ones(2))
# run: by_name(array([]), array([nan]))
# run: by_name(arange(4.0)[::2], -ones(1))
def by_name(a, b):
    fields = {"a": a * 2, "b": b + 1}
    fields["sum"] = np.array([a.sum(), b.sum()])
    sizes = {name: len(field) for name, field in fields.items()}
    return fields, sizes
