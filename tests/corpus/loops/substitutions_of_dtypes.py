"""Triangular systems of other dtypes, and sums of what is found that are no sums of products."""

import numpy as np


# The element is stored twice, and loaded between.
#numptx export in_place(float64[:,:], float64[:])
#numptx export in_place(float32[:,:], float32[:])
#numptx export in_place(complex64[:,:], complex64[:])
#numptx export in_place(complex128[:,:], complex128[:])
# run: in_place(random((170, 170)) + 170 * eye(170), random(170))
# structure: launches==1 allocs=0 copies=0
# run: in_place(random((170, 170), dtype=float32) + 170 * eye(170, dtype=float32), random(170, dtype=float32))
# structure: launches==1 allocs=0 copies=0
# run: in_place(random((170, 170), dtype=complex64) + 170 * eye(170, dtype=complex64), random(170, dtype=complex64))
# structure: launches==1 allocs=0 copies=0
# run: in_place(random((70, 70), dtype=complex128) + 70 * eye(70, dtype=complex128), random(70, dtype=complex128))
# structure: launches==1 allocs=0 copies=0
def in_place(lower, x):
    for i in range(x.shape[0]):
        x[i] -= lower[i, :i] @ x[:i]
        x[i] /= lower[i, i]


#numptx export magnitudes(complex64[:])
# run: magnitudes(random(140, dtype=complex64))
# run: magnitudes(random(2, dtype=complex64))
def magnitudes(x):
    for i in range(x.shape[0]):
        x[i] = x[i] * np.max(np.abs(x[:i]), initial=0.5)
