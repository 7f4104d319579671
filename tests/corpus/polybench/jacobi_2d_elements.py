"""Jacobi's method with a five-point stencil, element by element."""


#numptx export jacobi_2d_elements(int, float64[:,:], float64[:,:])
# run: jacobi_2d_elements(2, random((4, 5)), random((4, 5)))
# run: jacobi_2d_elements(3, random((11, 13)), random((11, 13)))
# run: jacobi_2d_elements(5, random((40, 36)), random((40, 36)))
# run: jacobi_2d_elements(3, random((2, 1)), random((2, 1)))
# large: jacobi_2d_elements(5, random((400, 500)), random((400, 500)))
def jacobi_2d_elements(steps, a, b):
    n, m = a.shape
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                b[i, j] = 0.2 * (a[i, j] + a[i, j - 1] + a[i, j + 1] + a[i + 1, j] + a[i - 1, j])
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                a[i, j] = 0.2 * (b[i, j] + b[i, j - 1] + b[i, j + 1] + b[i + 1, j] + b[i - 1, j])
