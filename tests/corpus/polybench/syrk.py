"""The lower triangle of a matrix's product with its own transpose, and of the sum of two products."""


#numptx export syrk(float, float, float64[:,:], float64[:,:])
# run: syrk(1.5, 1.2, random((4, 4)), random((4, 3)))
# run: syrk(1.5, 1.2, random((13, 13)), random((13, 11)))
# run: syrk(1.5, -1.2, random((32, 32)), random((32, 24)))
def syrk(alpha, beta, c, a):
    n, m = a.shape
    for i in range(n):
        for j in range(i + 1):
            c[i, j] *= beta
        for k in range(m):
            for j in range(i + 1):
                c[i, j] += alpha * a[i, k] * a[j, k]


#numptx export syrk_rows(float, float, float64[:,:], float64[:,:])
# run: syrk_rows(1.5, 1.2, random((4, 4)), random((4, 3)))
# run: syrk_rows(1.5, 1.2, random((13, 13)), random((13, 11)))
# run: syrk_rows(1.5, -1.2, random((70, 70)), random((70, 50)))
def syrk_rows(alpha, beta, c, a):
    for i in range(a.shape[0]):
        c[i, : i + 1] *= beta
        for k in range(a.shape[1]):
            c[i, : i + 1] += alpha * a[i, k] * a[: i + 1, k]


#numptx export syr2k(float, float, float64[:,:], float64[:,:], float64[:,:])
# run: syr2k(1.5, 1.2, random((4, 4)), random((4, 3)), random((4, 3)))
# run: syr2k(1.5, 1.2, random((13, 13)), random((13, 11)), random((13, 11)))
# run: syr2k(1.5, -1.2, random((32, 32)), random((32, 20)), random((32, 20)))
def syr2k(alpha, beta, c, a, b):
    n, m = a.shape
    for i in range(n):
        for j in range(i + 1):
            c[i, j] *= beta
        for k in range(m):
            for j in range(i + 1):
                c[i, j] += a[j, k] * alpha * b[i, k] + b[j, k] * alpha * a[i, k]
