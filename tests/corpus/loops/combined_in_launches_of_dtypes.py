"""Sums by loops over scalars of other dtypes than float64, in loops whose iterations depend on each other."""

import numpy as np


#numptx export forward(float32[:,:], float32[:])
#numptx export forward(complex128[:,:], complex128[:])
# run: forward(random((70, 70), dtype=float32) + 70 * eye(70, dtype=float32), random(70, dtype=float32))
# run: forward(random((70, 70), dtype=complex128) + 70 * eye(70, dtype=complex128), random(70, dtype=complex128))
# run: forward(ones((2, 2), dtype=complex128), array([complex(inf, -0.0), complex(-0.0, inf)]))
def forward(l, b):
    n = len(b)
    x = np.zeros_like(b)
    for i in range(n):
        s = b[i]
        for j in range(i):
            s -= l[i, j] * x[j]
        x[i] = s / l[i, i]
    return x
