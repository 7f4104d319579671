"""The lower triangle of a matrix's product with its own transpose, and of the sum of two products."""


#numptx export syrk(float, float, float64[:,:], float64[:,:])
# run: syrk(1.5, 1.2, random((4, 4)), random((4, 3)))
# run: syrk(1.5, 1.2, random((13, 13)), random((13, 11)))
# run: syrk(1.5, -1.2, random((32, 32)), random((32, 24)))
# large: syrk(1.5, 1.2, random((200, 200)), random((200, 150)))
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
# structure: launches==1 allocs=0 copies=0
# run: syrk_rows(1.5, 1.2, random((4, 6)), random((4, 3)))
# structure: launches==1 allocs=0 copies=0
# run: syrk_rows(1.5, 1.2, random((4, 2)), random((4, 3)))
# run: syrk_rows(1.5, 1.2, random((2, 4)), random((4, 3)))
# run: syrk_rows(1.5, 1.2, random((1, 1)), random((1, 3)))
# run: syrk_rows(1.5, 1.2, random((3, 3)), random((3, 0)))
# run: syrk_rows(1.5, 1.2, random((13, 13)), random((13, 11)))
# run: syrk_rows(1.5, -1.2, random((70, 70)), random((70, 50)))
# large: syrk_rows(1.5, 1.2, random((600, 600)), random((600, 500)))
def syrk_rows(alpha, beta, c, a):
    for i in range(a.shape[0]):
        c[i, : i + 1] *= beta
        for k in range(a.shape[1]):
            c[i, : i + 1] += alpha * a[i, k] * a[: i + 1, k]


#numptx export syr2k(float, float, float64[:,:], float64[:,:], float64[:,:])
# run: syr2k(1.5, 1.2, random((4, 4)), random((4, 3)), random((4, 3)))
# run: syr2k(1.5, 1.2, random((13, 13)), random((13, 11)), random((13, 11)))
# run: syr2k(1.5, -1.2, random((32, 32)), random((32, 20)), random((32, 20)))
# large: syr2k(1.5, 1.2, random((200, 200)), random((200, 120)), random((200, 120)))
def syr2k(alpha, beta, c, a, b):
    n, m = a.shape
    for i in range(n):
        for j in range(i + 1):
            c[i, j] *= beta
        for k in range(m):
            for j in range(i + 1):
                c[i, j] += a[j, k] * alpha * b[i, k] + b[j, k] * alpha * a[i, k]


# The points of one launch are pairs of rows, each of which goes along both.
#numptx export syr2k_rows(float, float, float64[:,:], float64[:,:], float64[:,:])
# run: syr2k_rows(1.5, 1.2, random((4, 4)), random((4, 3)), random((4, 3)))
# structure: launches==1 allocs=0 copies=0
# run: syr2k_rows(1.5, 1.2, random((13, 13)), random((13, 11)), random((13, 11)))
# run: syr2k_rows(1.5, -1.2, random((70, 70)), random((70, 50)), random((70, 50)))
# run: syr2k_rows(1.5, 1.2, random((4, 4)), random((4, 3)), random((5, 4)))
# run: syr2k_rows(1.5, 1.2, random((4, 4)), random((4, 3)), random((3, 3)))
# run: syr2k_rows(1.5, 1.2, random((4, 4)), random((4, 3)), random((1, 3)))
# run: syr2k_rows(1.5, 1.2, random((4, 3)), random((4, 3)), random((4, 3)))
# run: syr2k_rows(1.5, 1.2, random((1, 1)), random((1, 2)), random((1, 2)))
# large: syr2k_rows(1.5, 1.2, random((600, 600)), random((600, 500)), random((600, 500)))
def syr2k_rows(alpha, beta, c, a, b):
    for i in range(a.shape[0]):
        c[i, : i + 1] *= beta
        for k in range(a.shape[1]):
            c[i, : i + 1] += a[: i + 1, k] * alpha * b[i, k] + b[: i + 1, k] * alpha * a[i, k]


# A row of several sweeps, each of which goes along it in its own way.
#numptx export sweeps_of_rows(float64[:,:], float64[:,:])
# run: sweeps_of_rows(random((6, 9)), random((5, 9)))
# structure: launches==1 allocs=0 copies=0
# run: sweeps_of_rows(random((6, 1)), random((5, 1)))
# run: sweeps_of_rows(random((0, 4)), random((3, 4)))
def sweeps_of_rows(c, a):
    for i in range(c.shape[0]):
        for k in range(a.shape[0]):
            for j in range(c.shape[1]):
                c[i, j] = 0.5 * c[i, j] + a[k, j]
        for j in range(1, c.shape[1]):
            c[i, j] *= 2.0
        for k in range(a.shape[0] - 1, 0, -1):
            for m in range(k):
                for j in range(c.shape[1] - 1):
                    c[i, j] -= a[m, j] * a[k, j]


# Columns that one sweep writes another one reads: rows are points, and no more.
#numptx export shifted(float64[:,:], float64[:,:])
# run: shifted(random((6, 9)), random((5, 9)))
# structure: launches==1 allocs=0 copies=0
def shifted(c, a):
    for i in range(c.shape[0]):
        for k in range(a.shape[0]):
            for j in range(1, c.shape[1]):
                c[i, j] = 0.5 * c[i, j - 1] + a[k, j]
        for j in range(c.shape[1] - 1):
            c[i, j] *= c[i, j + 1]
