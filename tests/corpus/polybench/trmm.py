"""The product of a lower triangular matrix with ones on its diagonal, transposed, with another one, in place."""

import numpy as np


#numptx export trmm(float, float64[:,:], float64[:,:])
# run: trmm(1.5, random((4, 4)), random((4, 3)))
# run: trmm(1.5, random((13, 13)), random((13, 11)))
# run: trmm(-1.5, random((30, 30)), random((30, 28)))
# large: trmm(1.5, random((200, 200)), random((200, 150)))
def trmm(alpha, a, b):
    m, n = b.shape
    for i in range(m):
        for j in range(n):
            for k in range(i + 1, m):
                b[i, j] += a[k, i] * b[k, j]
            b[i, j] = alpha * b[i, j]


#numptx export trmm_dots(float, float64[:,:], float64[:,:])
# run: trmm_dots(1.5, random((4, 4)), random((4, 3)))
# run: trmm_dots(1.5, random((13, 13)), random((13, 11)))
# run: trmm_dots(-1.5, random((50, 50)), random((50, 40)))
# large: trmm_dots(1.5, random((700, 700)), random((700, 600)))
def trmm_dots(alpha, a, b):
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            b[i, j] += np.dot(a[i + 1 :, i], b[i + 1 :, j])
    b *= alpha
