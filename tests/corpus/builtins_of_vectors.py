"""Python's `sum`, `min`, `max`, `any` and `all` of vectors: they compare and add element by element, as Python does."""

import numpy as np


#numptx export folded(float64[:])
#numptx export folded(float32[:])
#numptx export folded(int32[:])
#numptx export folded(uint8[:])
# tolerance: 1e-6
# run: folded(random(9))
# run: folded(random(18)[::-2])
# run: folded(random(1, float32))
# run: folded(integers(-9, 9, 7, dtype=int32))
# run: folded(integers(0, 255, 7, dtype=uint8))
# run: folded(array([1.0, nan, 2.0]))
# run: folded(array([nan, 1.0, 2.0]))
# run: folded(random(0))
def folded(x):
    return sum(x), max(x), min(x), any(x), all(x)


#numptx export in_loops(float64[:,:])
# tolerance: 1e-12
# run: in_loops(random((4, 5)))
# run: in_loops(random((4, 5)).T[::-1])
# run: in_loops(random((4, 1)))
# run: in_loops(random((2, 0)))
def in_loops(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = sum(x[i]) / max(x[i])
    for i, row in enumerate(x):
        out[i] += min(row) + sum(row > 0.5) + max(row[1:] if len(row) > 1 else row)
    return out, sum(x[0] * x[1]), max(abs(x[0] - x[1])), any(x[0] > 0.9), all(x[1] > 0)
